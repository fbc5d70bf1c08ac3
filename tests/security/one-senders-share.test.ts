// One sender uses its share of printing, of lists and of other heavy work; the others are served meanwhile.
import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { type HttpServer, isHeavyRoute, type TimedRoute } from "#/http/server/server.ts";
import { keepDocuments, type PaperOrder } from "#/modules/documents/index.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { label, line, slip, sscc } from "../support/papers/papers.ts";
import { check, type Expected, type Seen } from "./attempts.ts";

/** The operations of the server below that are heavy. */
const heavy = new Set<string>();
subscribe("fastify.initialization", (message) => {
  (message as { readonly fastify: HttpServer }).fastify.addHook("onRoute", ({ schema, config }) => {
    const { operationId } = (schema ?? {}) as { readonly operationId?: string };
    if (operationId !== undefined && isHeavyRoute((config ?? {}) as TimedRoute)) heavy.add(operationId);
  });
});

const server = await testServer();
const flooder = await server.onboard("ACMES");
const other = await server.onboard("BETAS");

const lines = Array.from({ length: 1_000 }, (_, i) => line({ lineNumber: i + 1 }));
const papers: readonly [clientId: string, paper: PaperOrder][] = [
  ["ACMES", { orderId: "LONG", olpnId: sscc, type: "PACKING_SLIP", slip: slip({ orderId: "LONG", lines }) }],
  ["BETAS", { orderId: "B-1", olpnId: sscc, type: "SHIPPING_LABEL", form: "pdf", label: label({ orderId: "B-1" }) }],
];
const paths = new Map<string, string>();
for (const [clientId, paper] of papers) {
  const [kept] = await server.operate((tx, change) => keepDocuments(tx.of(clientId, change), [paper]));
  paths.set(clientId, `/v1/orderService/document/get/${kept?.documentId}`);
}
const tokens = new Map<string, string>();
for (const { credentials } of [flooder, other]) {
  tokens.set(credentials.clientId, await accessTokenOf(server.url, credentials.oauth));
}

async function getPaper(clientId: string, signal?: AbortSignal): Promise<Seen> {
  const headers = { authorization: `Bearer ${tokens.get(clientId)}` };
  const response = await fetch(`${server.url}${paths.get(clientId)}`, { headers, ...(signal ? { signal } : {}) });
  return { status: response.status, text: await response.text() };
}

interface Flood {
  readonly kind: "availability";
  readonly attempt: string;
  readonly requests: number;
  /** Whether the sender hangs up as soon as the other has its answer. */
  readonly hangsUp: boolean;
  /** The statuses that answers of the flood may have. */
  readonly expected: Expected;
  /** The answers of another sender meanwhile; of the flood at most this number is printed: 32 wait, some end before the last arrives. */
  readonly meanwhile: Expected & { readonly answersMax: number };
}

// SEC3-3 of the third round: 60 slips of one client stopped all labels for 24 s.
const floods: readonly Flood[] = [
  {
    kind: "availability",
    attempt: "60 long packing slips of one client at once",
    requests: 60,
    hangsUp: false,
    // 503 where the sender's own slips are late.
    expected: { status: [200, 429, 503] },
    meanwhile: { status: 200, answersMax: 40 },
  },
  {
    kind: "availability",
    attempt: "60 long packing slips of one client whose sender hangs up",
    requests: 60,
    hangsUp: true,
    // 503 where the sender's own slips are late.
    expected: { status: [200, 429, 503] },
    meanwhile: { status: 200, answersMax: 40 },
  },
];

await getPaper("BETAS");
for (const { attempt, requests, hangsUp, expected, meanwhile } of floods) {
  test(`${attempt} do not hold up the label of another`, async () => {
    const line = new AbortController();
    let printed = 0;
    const answers = Array.from({ length: requests }, async () => {
      const seen = await getPaper("ACMES", line.signal);
      if (seen.status === 200) printed++;
      return seen;
    });
    const settled = Promise.allSettled(answers);
    // The flood has arrived: what is beyond its share is refused at once.
    check(await Promise.any(answers), expected);
    // All slips of the flood take longer than the label may.
    check(await getPaper("BETAS"), meanwhile);
    if (hangsUp) line.abort();
    const refused = (await settled).flatMap((seen) => (seen.status === "fulfilled" ? [seen.value] : []));
    for (const seen of refused) check(seen, expected);
    assert.ok(printed <= meanwhile.answersMax, `${printed} slips of the flood were printed`);
    const [, again] = await Promise.all([getPaper("ACMES"), getPaper("BETAS")]);
    check(again, meanwhile);
  });
}

for (const [path, lock] of [
  ["/v1/orderService/order/list", sql`lock table sales_order in access exclusive mode`],
  ["/v1/webhookService/event/list", sql`lock table event in access exclusive mode`],
] as const) {
  test(`80 requests of one client for ${path} at once do not hold up the list of another`, () =>
    checkLists(path, lock));
}

async function checkLists(path: string, lock: Statement): Promise<void> {
  const list = async (clientId: string, path: string): Promise<Seen> => {
    const headers = { authorization: `Bearer ${tokens.get(clientId)}` };
    const response = await fetch(`${server.url}${path}`, { headers });
    return { status: response.status, text: await response.text() };
  };
  let refused = 0;
  const answers = await server.database.transaction(async (tx) => {
    // Every such list waits.
    await tx.query(lock);
    const flood = Array.from({ length: 80 }, async () => {
      const seen = await list("ACMES", path);
      if (seen.status === 429) refused++;
      return seen;
    });
    await until("what is beyond the share is refused", () => refused === 16);
    check(await list("BETAS", "/v1/itemMasterService/item/list"), { status: 200 });
    return flood;
  });
  // 503 where a list is late.
  for (const answer of answers) check(await answer, { status: [200, 429, 503] });
}

test("imports, simulations, reports, batches of papers and whatever else takes long are heavy requests", () => {
  assert.deepEqual([...heavy].sort(), [
    "activateCarrierData",
    "changeOrders",
    "changeSandbox",
    "checkCarrierData",
    "checkCarrierInvoice",
    "createCertificate",
    "importStock",
    "printBatch",
    "printOrders",
    "readActivityReport",
    "readCarrierLanes",
    "readPerformanceReport",
    "readServiceLevel",
    "reconcile",
    "reprocessFeed",
    "reprocessFeeds",
    "sendFeed",
    "simulateCarriers",
    "stepSandbox",
    "testLabelSource",
    "testWebhook",
    "tryCarrierData",
    "validateFeed",
  ]);
});

// The load of a brand and its warehouse on a running program, each request repeated until it is answered. Orders and
// cancellations come in, goods arrive, stock is corrected, and orders are picked, packed and despatched.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createIds } from "#/kernel/values/ids.ts";
import { issueWarehouseCredential, notifyChange, type OauthSecret } from "#/modules/clients/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { databaseUrlOf, type ServerProcess } from "../../support/app/process.ts";
import { cancelOrder, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { type Answer, call } from "./sender.ts";

export const clientId = "DEMO";
export const facilities = ["DC1", "DC2"] as const;
/** Enough SKUs that a missed allocation is not repaired by chance. */
export const scarceSkus = Array.from({ length: 30 }, (_, i) => `SCARCE-${i + 1}`);
export const plentySkus = ["PLENTY-1", "PLENTY-2", "PLENTY-3"] as const;
export const purchaseOrderNumber = "KILL-PO";

/** A request, which is repeated under the same id until it is answered. */
export interface Sent {
  readonly kind: "NO" | "CANCEL" | "receipt" | "adjustment" | "pick" | "pack" | "despatch" | "INV";
  readonly objectId: string;
  /** Path on the server. */
  readonly path: string;
  readonly body: string;
  readonly key: string;
  readonly sku?: string;
  readonly qty?: number;
  answer?: Answer;
}

export interface FloorLoad {
  readonly sent: Sent[];
  /** Runs until it is ended. Interrupted or temporarily rejected requests are kept for later. */
  run(server: ServerProcess): { end(): Promise<void>; answers(): number };
  /** Queues an order of one line in DC1. */
  order(objectId: string, sku: string, qty: number): void;
  /** Queues a receipt of a scarce SKU. */
  receipt(sku: string, qty: number): void;
  /** Number of answered receipts. */
  receipts(): number;
  /** Repeats requests without a response. */
  settle(server: ServerProcess): Promise<void>;
}

/** Gives a new program its items, its stock and a purchase order; returns port credentials of each facility. */
export async function prepare(server: ServerProcess): Promise<ReadonlyMap<string, OauthSecret>> {
  const database = openDatabase({
    url: databaseUrlOf(server.dataDir),
    connectionsMax: 1,
    applicationName: "crossdock test",
  });
  const secrets = new Map<string, OauthSecret>();
  try {
    const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids: createIds() };
    for (const facilityCode of facilities) {
      const { oauth } = await database.transaction((tx) =>
        issueWarehouseCredential(tx, change, { facilityCode, environment: "sandbox" }),
      );
      secrets.set(facilityCode, oauth);
    }
    await notifyChange(database);
  } finally {
    await database.close();
  }
  const skus = [...scarceSkus, ...plentySkus];
  const po = purchaseOrder(
    clientId,
    purchaseOrderNumber,
    scarceSkus.map((sku) => ({ sku, qty: 100_000 })),
  );
  for (const [type, xml] of [
    ["CAT", catalogue(clientId, skus)],
    ["PO", po],
  ] as const) {
    const answer = await call(`${server.url}/feeds/${clientId}/${type}`, {
      method: "POST",
      headers: { "x-api-key": server.demo.feed.apiKey, "content-type": "application/xml" },
      body: xml,
    });
    assert(answer.isAccepted, answer.body);
  }
  const tokens = createTokens(secrets);
  for (const facilityCode of facilities) {
    const lines = skus.map((sku, i) => ({ sku, qty: i < scarceSkus.length ? 2 : 1_000_000 }));
    const body = { clientId, adjustmentId: `INITIAL-${facilityCode}`, reasonCode: "INITIAL", lines };
    const answer = await call(`${server.url}/v1/warehouseService/adjustment/report`, {
      method: "POST",
      headers: { ...(await tokens(server, facilityCode)), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, answer.body);
  }
  return secrets;
}

type Tokens = (server: ServerProcess, facilityCode: string) => Promise<Record<string, string>>;

/** One access token per facility and process. */
function createTokens(secrets: ReadonlyMap<string, OauthSecret>): Tokens {
  const held = new Map<string, Promise<Record<string, string>>>();
  return (server, facilityCode) => {
    const name = `${server.pid} ${facilityCode}`;
    const token = held.get(name) ?? issue(server, secrets.get(facilityCode) as OauthSecret);
    held.set(name, token);
    token.catch(() => held.delete(name));
    return token;
  };
}

async function issue(server: ServerProcess, oauth: OauthSecret): Promise<Record<string, string>> {
  const answer = await call(`${server.url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", ...oauth }),
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.body}`);
  return { authorization: `Bearer ${(JSON.parse(answer.body) as { access_token: string }).access_token}` };
}

const orderSenders = 10;

export function createFloorLoad(secrets: ReadonlyMap<string, OauthSecret>, random: () => number): FloorLoad {
  const sent: Sent[] = [];
  const tokens = createTokens(secrets);
  const cursors = new Map<string, string>();
  const worked = new Set<string>();
  let number = 0;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const upTo = (n: number) => 1 + Math.floor(random() * n);

  function newOrder(): Sent {
    const objectId = `KILL-${++number}`;
    const chosen = random() < 0.5 ? [...plentySkus] : [pick(scarceSkus), ...plentySkus];
    const lines = chosen.slice(0, upTo(3)).map((sku) => ({ sku, qty: upTo(4) }));
    const place = random();
    const distributionCentre = place < 0.7 ? "DC1" : place < 0.85 ? "DC2" : undefined;
    const xml = order(clientId, objectId, lines, { distributionCentre });
    return feedOf("NO", objectId, xml);
  }

  function feedOf(kind: "NO" | "CANCEL", objectId: string, xml: string): Sent {
    return { kind, objectId, path: `/feeds/${clientId}/NO`, body: xml, key: `${kind}-${objectId}` };
  }

  function reportOf(
    kind: Sent["kind"],
    facilityCode: string,
    objectId: string,
    body: object,
    more: Partial<Sent> = {},
  ) {
    const path = `/v1/warehouseService/${kind === "receipt" ? "goodsReceipt" : kind}/report?${facilityCode}`;
    const reportId = `${kind}-${++number}`;
    const report: Sent = {
      kind,
      objectId,
      path,
      key: reportId,
      ...more,
      body: JSON.stringify({ clientId, reportId, ...body }),
    };
    sent.push(report);
    return report;
  }

  function newReceipt(sku: string, qty: number): Sent {
    const receiptId = `R-${++number}`;
    const lines = [{ lineNumber: scarceSkus.indexOf(sku) + 1, sku, qty }];
    const body = { poNumber: purchaseOrderNumber, receiptId, lines };
    return reportOf("receipt", "DC1", receiptId, body, { sku, qty });
  }

  async function attempt(server: ServerProcess, message: Sent): Promise<boolean> {
    const [path, facilityCode] = message.path.split("?") as [string, string?];
    const headers =
      facilityCode === undefined
        ? {
            "x-api-key": server.demo.feed.apiKey,
            "content-type": message.kind === "INV" ? "application/json" : "application/xml",
            ...(message.kind === "INV" ? {} : { "idempotency-key": message.key }),
          }
        : { ...(await tokens(server, facilityCode)), "content-type": "application/json" };
    const answer = await call(server.url + path, { method: "POST", headers, body: message.body });
    const isForLater = answer.status === 503 || (facilityCode === undefined && [409, 429].includes(answer.status));
    if (isForLater) return false;
    // A report is rejected if its goods have been taken back meanwhile.
    assert(
      [200, 202, ...(facilityCode === undefined ? [] : [409])].includes(answer.status),
      `${message.key}: ${answer.body}`,
    );
    message.answer = answer;
    return true;
  }

  /** Picks, packs and despatches the pick tasks of the warehouse; each order completely or not at all. */
  async function workOn(server: ServerProcess, facilityCode: string): Promise<boolean> {
    const cursor = cursors.get(facilityCode);
    const answer = await call(
      `${server.url}/v1/warehouseService/task/list?limit=50${cursor === undefined ? "" : `&cursor=${cursor}`}`,
      { headers: await tokens(server, facilityCode) },
    );
    if (answer.status !== 200) return false;
    const { items, nextCursor } = JSON.parse(answer.body) as { items: Task[]; nextCursor: string };
    cursors.set(facilityCode, nextCursor);
    for (const { type, objectId, withdrawnAt, lines } of items) {
      if (type !== "PICK" || withdrawnAt !== null || !objectId.startsWith("KILL-") || worked.has(objectId)) continue;
      if (random() < 0.5) continue;
      worked.add(objectId);
      const picked = lines.map(({ lineNumber, qty }) => ({ lineNumber, qtyPicked: qty }));
      const contents = lines.map(({ lineNumber, qty }) => ({ lineNumber, qty }));
      const steps: readonly [Sent["kind"], (before: Sent | undefined) => object][] = [
        ["pick", () => ({ orderId: objectId, lines: picked })],
        ["pack", () => ({ orderId: objectId, olpns: [{ weight: 1, weightUomCode: "KG", contents }] })],
        [
          "despatch",
          (before) => ({
            olpnIds: (JSON.parse(before?.answer?.body ?? "") as { olpns: { olpnId: string }[] }).olpns.map(
              ({ olpnId }) => olpnId,
            ),
          }),
        ],
      ];
      let before: Sent | undefined;
      for (const [kind, body] of steps) {
        const report = reportOf(kind, facilityCode, objectId, body(before));
        // `settle` repeats an interrupted report. Its further steps are not needed.
        if (!(await attempt(server, report)) || report.answer?.status !== 200) break;
        before = report;
      }
    }
    return items.length > 0;
  }

  function run(server: ServerProcess) {
    let isOver = false;
    let answers = 0;
    const goOn = async (pauseMs: number, work: () => Promise<boolean>) => {
      while (!isOver) {
        try {
          if (await work()) answers++;
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          // The connection broke; the oracle finds out the outcome.
          await sleep(20);
        }
        await sleep(pauseMs * random());
      }
    };
    const send = (make: () => Sent | undefined) => () => {
      const again = random() < 0.3 ? sent.find(({ kind, answer }) => kind === "NO" && answer === undefined) : undefined;
      const message = again ?? make();
      if (message === undefined) return Promise.resolve(false);
      if (!sent.includes(message)) sent.push(message);
      return attempt(server, message);
    };
    const working = [
      ...Array.from({ length: orderSenders }, () => goOn(20, send(newOrder))),
      goOn(
        150,
        send(() => {
          const known = sent.filter(({ kind, answer }) => kind === "NO" && answer?.isAccepted).slice(-40);
          if (known.length === 0) return undefined;
          const { objectId } = pick(known);
          if (sent.some((message) => message.kind === "CANCEL" && message.objectId === objectId)) return undefined;
          return feedOf("CANCEL", objectId, cancelOrder(clientId, objectId));
        }),
      ),
      goOn(60, () => attempt(server, newReceipt(pick(scarceSkus), upTo(6)))),
      goOn(120, () => {
        // Taken from already allocated stock: an order loses its allocation and waits again.
        const [sku, qty] = [pick(scarceSkus), random() < 0.6 ? -1 : 1];
        const adjustmentId = `A-${++number}`;
        const lines = [{ sku, qty }];
        const body = { adjustmentId, reasonCode: qty < 0 ? "LOST" : "FOUND", lines };
        return attempt(server, reportOf("adjustment", pick(facilities), adjustmentId, body, { sku, qty }));
      }),
      goOn(50, () => workOn(server, "DC1")),
      goOn(50, () => workOn(server, "DC2")),
      goOn(
        1_500,
        send(() => {
          const objectId = pick(facilities);
          const body = JSON.stringify({ type: random() < 0.7 ? "INV" : "IMS", distributionCentre: objectId });
          return { kind: "INV", objectId, path: `/feeds/${clientId}/outbound/request`, body, key: `INV-${++number}` };
        }),
      ),
    ];
    for (const loop of working) loop.catch(() => {});
    return {
      answers: () => answers,
      async end() {
        isOver = true;
        await Promise.all(working);
      },
    };
  }

  async function settle(server: ServerProcess): Promise<void> {
    // A snapshot request has no id, so a repetition is a new request.
    const open = sent.filter(({ kind, answer }) => answer === undefined && kind !== "INV");
    for (const message of open) {
      for (let attempts = 1; !(await attempt(server, message)); attempts++) {
        assert(attempts < 80, `${message.key} gets an answer`);
        await sleep(250);
      }
    }
  }

  const receipts = () => sent.filter(({ kind, answer }) => kind === "receipt" && answer).length;
  return {
    sent,
    run,
    receipts,
    settle,
    order: (objectId, sku, qty) =>
      void sent.push(feedOf("NO", objectId, order(clientId, objectId, [{ sku, qty }], { distributionCentre: "DC1" }))),
    receipt: (sku, qty) => void newReceipt(sku, qty),
  };
}

interface Task {
  readonly type: string;
  readonly objectId: string;
  readonly withdrawnAt: string | null;
  readonly lines: readonly { readonly lineNumber: number; readonly qty: number }[];
}

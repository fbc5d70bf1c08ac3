// The Order service over real HTTP, and orders as the feed stores them. Import it once per file.
import assert from "node:assert/strict";
import { registerClientServices } from "#/app/roles/client-services.ts";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { type BearerContext, createBearerHooks } from "#/http/access/bearer.ts";
import { createRateLimiter } from "#/http/access/rate-limit.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { ok } from "#/kernel/result.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { createDigestStore, createPrintService } from "#/modules/documents/index.ts";
import type { OrderContent, OrderLine } from "#/modules/orders/intake/check-order.ts";
import { insertLines, insertOrders, type OrderWrite } from "#/modules/orders/intake/repository.ts";
import type { Statement } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { testDatabase } from "../postgres/database.ts";
import "../oracles/document-check.ts";
import { atEnd } from "../app/at-end.ts";
import { call } from "../http/call.ts";
import { noWebhooks } from "../webhooks/no-webhooks.ts";

/** Every statement that was sent, in order. */
export const statements: Statement[] = [];
export const { database } = await testDatabase({ onStatement: (statement) => statements.push(statement) });
const ids = createIds();
const log = createLogger({
  level: "error",
  format: "json",
  destination: { write: (line) => process.stderr.write(line) },
});
const limiter = createRateLimiter({ database, clock: systemClock, log });
const app = createHttpServer({ log, clock: systemClock, ids, trustedProxies: [] });

/** The token is the client id: real tokens have their own tests. */
const bearer: BearerContext = {
  verify: async (token) =>
    ok({
      credentialId: token,
      kind: "client",
      clientIds: [token.split(".")[0] as string],
      suspendedClientIds: [],
      facilityCode: undefined,
      rateLimit: undefined,
    }),
  limiter,
  rateLimit: "off",
};
const feedStack = await createFeedStack({ database, clock: systemClock, ids });
atEnd(() => feedStack.close());
const printService = createPrintService();
atEnd(() => printService.close());
registerClientServices(app, {
  printService,
  digestStore: createDigestStore(database),
  database,
  ids,
  clock: systemClock,
  writer: createOutboxWriter(ids),
  onCommit() {},
  bearer: createBearerHooks(bearer),
  ...noWebhooks,
  receiver: feedStack.receiver,
  findClient: async () => undefined,
  chargeRate() {},
  facilitiesOf: async () => ["DC1", "DC2"],
  availablePoolsOf: async () => "*",
  sets: createCarrierSets(),
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });
atEnd(async () => {
  await app.close();
  await limiter.close();
});

const noContent: OrderContent = {
  externalOrderReference: undefined,
  catalogId: undefined,
  doNotShip: false,
  origin: undefined,
  language: undefined,
  orderDate: "2026-11-02T09:41:12.250+01:00",
  shippingMethod: undefined,
  currency: undefined,
  shippingCost: undefined,
  subtotal: undefined,
  totalPrice: undefined,
  taxes: undefined,
  billToAddress: undefined,
  shipToAddress: { country: "GB" },
  addressFaults: [],
  payments: undefined,
  distributionCentre: undefined,
  carrierCode: undefined,
  extendedAttributes: {},
  priority: 5,
  shipPartial: false,
  lines: [],
};

export const plainLine: OrderLine = {
  path: "",
  lineNumber: 1,
  sku: "MUG",
  feedQty: 2000,
  feedUom: undefined,
  qty: 2000,
  uom: "EA",
  stockPool: "DEFAULT",
  lineTotal: undefined,
  unitNetPrice: undefined,
  extendedUnitNetPrice: undefined,
  unitGrossPrice: undefined,
  taxes: undefined,
  extendedAttributes: {},
};

export type Draft = Partial<Omit<OrderWrite, "content">> & {
  readonly orderId: string;
  readonly content?: Partial<OrderContent>;
};

export async function insert(clientId: string, ...drafts: readonly Draft[]): Promise<void> {
  const orders = drafts.map((draft): OrderWrite => {
    const receivedAt = draft.receivedAt ?? "2026-11-02T10:00:00.000Z";
    return {
      token: ids.next(Date.parse(receivedAt)),
      receivedAt,
      status: "RECEIVED",
      distributionCentre: "DC1",
      isRouted: false,
      holds: [],
      revision: undefined,
      ...draft,
      content: { ...noContent, lines: [plainLine], ...draft.content },
    };
  });
  await database.transaction(async (tx) => {
    await insertOrders(tx.of(clientId), orders);
    insertLines(tx.of(clientId), orders);
  });
}

export interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

export async function get(clientId: string, path: string) {
  return call("GET", `${url}/v1/orderService${path}`, { token: `${clientId}.b.c` });
}

export async function list(clientId: string, query: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await get(clientId, `/order/list?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Page;
}

export const idsOf = ({ items }: Page) => items.map(({ orderId }) => orderId);

/** All pages. */
export async function listAll(clientId: string, query: Record<string, string>): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await list(clientId, cursor ? { ...query, cursor } : query);
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return seen;
}

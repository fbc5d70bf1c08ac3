import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, timeOfId } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { openBook } from "#/modules/inventory/index.ts";
import { listHeaders } from "#/modules/orders/commands/change-repository.ts";
import { validateOrders, writeOrders } from "#/modules/orders/intake/accept-orders.ts";
import type { OrderContent, OrderMessage } from "#/modules/orders/intake/check-order.ts";
import type { Order } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { takeOrders } from "#/modules/orders/order-work.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import {
  at,
  changeAt,
  contentOf,
  database,
  type LineFields,
  topicsOf,
  world,
} from "../../../../tests/support/builders/stocked-orders.ts";

const ids = createIds();
const sets = createCarrierSets();

async function fed(clientId: string) {
  const orders = await world(clientId);
  await orders.items(["A", "B"]);
  const client: FeedClient = {
    clientId,
    status: "ACTIVE",
    facilities: ["DC1", "DC2"],
    settings: {
      rejectedFeedStatus: 200,
      parkUnknownSkus: false,
      identicalResend: "REJECT",
      feedDeadlineMinutes: 15,
      catMode: "REPLACE",
      customsDestinations: [],
      stockPools: "*",
      availablePools: "*",
      namelessAddress: "REFUSE",
      doubtfulAddress: "WARN",
      addressCheck: "OFF",
      holdRules: [],
      routingRule: "ORDER",
      splitOrders: false,
      backorder: "WAIT",
    },
  };
  /**
   * Checks the message and writes it if it has no faults, as the receiver does. Returns the faults or the resulting
   * events.
   */
  const send = (
    action: OrderMessage["action"],
    orderId: string,
    lines: readonly LineFields[] = [],
    more: Partial<OrderContent> = {},
  ): Promise<string[] | readonly EventDraft[]> => {
    const content = action === "CANCEL" ? undefined : contentOf(lines, more);
    const message: OrderMessage = { orderId, action, revision: undefined, content };
    const entry = {
      token: ids.next(Date.parse(at)),
      receivedAt: at,
      bodySha256: Buffer.alloc(32),
      message,
      faults: [],
      warnings: [],
      parkKey: undefined,
      missingSkus: [],
      replayOf: undefined,
    };
    const batch = { client, entries: [entry], at, ids, inProgress: new Set<string>() };
    return database.transaction(async (transaction) => {
      const tx = transaction.of(client.clientId);
      const plan = await validateOrders(tx, batch, sets);
      const faults = entry.faults as { code: string; text: string }[];
      return faults.length > 0 ? faults.map((fault) => Object.values(fault).join(" ")) : writeOrders(tx, batch, plan);
    });
  };
  const topics = async (...message: Parameters<typeof send>) => topicsOf((await send(...message)) as EventDraft[]);
  const set = (change: (order: Order) => Order) =>
    database.transaction(async (tx) => {
      const view = tx.of(clientId);
      await openBook(view, "DC1", at);
      const [order] = await lockOrders(view, ["1"]);
      if (order) await settleOrders(tx.of(clientId, changeAt()), [{ order: change(order), before: order }]);
    });
  const take = () => database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1"]));
  return { ...orders, send, topics, set, take };
}

const twoLines = [
  { sku: "A", qty: 2 },
  { sku: "B", qty: 1 },
];

test("a NEW without facility goes to the first that can fill all its lines, else to the first", async () => {
  const { stock, send, read } = await fed("ROUTED");
  await stock([{ sku: "A", qty: 2 }]);
  await stock(
    [
      { sku: "A", qty: 1 },
      { sku: "A", qty: 1, stockPool: "B2B" },
      { sku: "B", qty: 1 },
    ],
    "DC2",
  );
  await send("NEW", "fills first", [{ sku: "A", qty: 2 }]);
  await send("NEW", "fills second", [
    { sku: "A", qty: 2, stockPool: "B2B" },
    { sku: "B", qty: 1 },
  ]);
  await send("NEW", "fills none", [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 1 },
  ]);
  await send("NEW", "named", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
  const routes = [];
  for (const orderId of ["fills first", "fills second", "fills none", "named"]) {
    const { distributionCentre, routedBy } = await read(orderId);
    routes.push([distributionCentre, routedBy]);
  }
  assert.deepEqual(routes, [
    ["DC1", "FILLS"],
    ["DC2", "FILLS"],
    ["DC1", "FIRST"],
    ["DC2", "NAMED"],
  ]);
});

test("a jump of the machine's clock leaves the ids of changes at the time of the store", async (context) => {
  const { send, read } = await fed("JUMPED");
  for (const orderId of ["during", "after"]) await send("NEW", orderId, [{ sku: "A", qty: 2 }]);
  context.mock.method(Date, "now", () => Date.parse(at) + 200 * dayMs);
  await send("CANCEL", "during");
  context.mock.restoreAll();
  await send("CANCEL", "after");
  assert.deepEqual([(await read("during")).status, (await read("after")).status], ["CANCELLED", "CANCELLED"]);
  const made = await database
    .of("JUMPED")
    .query<{ id: string }>(sql`select audit_id as id from audit_log where client_id = ${tenant}
      union all select milestone_id from order_milestone where client_id = ${tenant} limit 100`);
  assert.ok(made.length > 2);
  for (const { id } of made) assert.ok(timeOfId(id) < Date.parse(at) + dayMs, id);
});

test("an UPDATE keeps the stock of unchanged lines, and frees the stock of changed and removed lines", async () => {
  const { stock, send, topics, allocate, held, buckets, read } = await fed("KEEPS");
  await stock([
    { sku: "A", qty: 5, batchRef: "B1" },
    { sku: "B", qty: 5, batchRef: "B2" },
  ]);
  await send("NEW", "1", twoLines, { priority: 3 });
  await allocate({ orderIds: ["1"] });
  assert.deepEqual(await topics("UPDATE", "1", [...twoLines, { sku: "A", qty: 1 }], { priority: 3 }), [
    ...["1 order:updated"],
  ]);
  assert.deepEqual(await held("1"), ["B1: 2 FIFO", "B2: 1 FIFO"]);
  assert.deepEqual([await buckets("1", 3), (await read("1")).lines.length], [{ ordered: 1, open: 1 }, 3]);
  await send("UPDATE", "1", [{ sku: "B", qty: 2 }]);
  assert.deepEqual([await held("1"), await buckets("1")], [[], { ordered: 2, open: 2 }]);
  await allocate({ orderIds: ["1"] });
  assert.deepEqual(await held("1"), ["B2: 2 FIFO"]);
  await send("UPDATE", "1", [{ sku: "B", qty: 2 }], { distributionCentre: "DC2" });
  assert.deepEqual([await held("1"), (await read("1")).distributionCentre], [[], "DC2"]);
});

test("after the warehouse took the order an UPDATE may change its address, but no line; what it asks for is named", async () => {
  const { stock, send, allocate, take, read, held } = await fed("TAKEN");
  await stock(twoLines);
  await send("NEW", "1", twoLines);
  await allocate({ orderIds: ["1"] });
  await take();
  const refused = await send("UPDATE", "1", [
    { sku: "A", qty: 3 },
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ]);
  const why = "cannot be changed in state ALLOCATED: the warehouse has taken it";
  assert.deepEqual(
    (refused as string[]).map((text) => text.slice(text.indexOf("Order"), text.indexOf(";"))),
    ["line 1 (qty)", "line 2 (sku)", "line 3 (new)"].map((what) => `Order 1: UPDATE: ${what} ${why}`),
  );
  await send("UPDATE", "1", twoLines, { shipToAddress: { country: "GB", zip: "LS2 7EY" }, shippingMethod: "EXPRESS" });
  const { shippingMethod, takenAt } = await read("1");
  const [stored] = await listHeaders(database.of("TAKEN"), ["1"]);
  assert.deepEqual(
    [stored?.ship_to_address, shippingMethod, takenAt],
    [{ country: "GB", zip: "LS2 7EY" }, "EXPRESS", at],
  );
  assert.equal((await held("1")).length, 2);
});

test("after packing the header cannot change, but the order can be held", async () => {
  const { stock, send, topics, allocate, set, read } = await fed("PACKED");
  await stock(twoLines);
  await send("NEW", "1", twoLines);
  await allocate({ orderIds: ["1"] });
  await set((order) => ({
    ...order,
    takenAt: at,
    lines: order.lines.map((line) => ({
      ...line,
      buckets: { ...line.buckets, allocated: 0, packed: line.buckets.allocated },
    })),
  }));
  const refused = await send("UPDATE", "1", twoLines, {
    carrierCode: "DHL",
    shippingMethod: "EXPRESS",
    externalOrderReference: "X",
    extendedAttributes: { GiftMessage: "hello", Revision: "7" },
  });
  assert.deepEqual(
    (refused as string[]).map(
      (text) => /UPDATE: (\w+) cannot be changed in state PACKED: its parcels are packed/.exec(text)?.[1],
    ),
    ["shippingMethod", "carrierCode", "extendedAttributes"],
  );
  assert.deepEqual(await topics("UPDATE", "1", twoLines, { doNotShip: true }), [
    "1 order:updated",
    "1 order:held",
    "1 30",
  ]);
  assert.equal((await read("1")).status, "PACKED");
});

test("a CANCEL of a taken order is accepted and becomes a cancel request", async () => {
  const { stock, send, topics, allocate, take, read } = await fed("REQUEST");
  await stock(twoLines);
  await send("NEW", "1", twoLines);
  await allocate({ orderIds: ["1"] });
  await take();
  assert.deepEqual(await topics("CANCEL", "1"), ["1 order:cancelRequested", "1 88"]);
  const { status, cancelReason } = await read("1");
  assert.deepEqual([status, cancelReason], ["ALLOCATED", "cancelled by the client's feed"]);
});

test("a CANCEL of an allocated order frees its stock", async () => {
  const { stock, send, topics, allocate, held } = await fed("FREES");
  await stock(twoLines);
  await send("NEW", "1", twoLines);
  await allocate({ orderIds: ["1"] });
  assert.deepEqual(await topics("CANCEL", "1"), ["1 order:cancelled", "1 90"]);
  assert.deepEqual(await held("1"), []);
});

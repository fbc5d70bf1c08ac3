// Orders from allocation to cancellation, for the workload of plans.test.ts.

import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets, findLatestDecision } from "#/modules/carriers/index.ts";
import { lotOf, openBook, postMovements, wantOverdue } from "#/modules/inventory/index.ts";
import { listPartlyAllocated, listWaitingOrders } from "#/modules/orders/allocation/backorder-repository.ts";
import { listLotsWithRefusal } from "#/modules/orders/allocation/considered-lots.ts";
import { changeOrder } from "#/modules/orders/commands/change-header.ts";
import { listHeaders } from "#/modules/orders/commands/change-repository.ts";
import { explainOrder } from "#/modules/orders/explain/explain.ts";
import {
  allocateOrders,
  cancelExpiredBackorders,
  cancelOrder,
  createAllocationConsumer,
  createRerouting,
  freeOrderAllocations,
  giveUpPartialAllocations,
  holdOrder,
  listOrderWork,
  movePromisedDays,
  releaseOrder,
  reportUnansweredCancelRequests,
  takeOrders,
  updateOrderLine,
} from "#/modules/orders/index.ts";
import { markSplits } from "#/modules/orders/intake/repository.ts";
import { findReached, listMilestones } from "#/modules/orders/milestone-repository.ts";
import { promiseBasket } from "#/modules/orders/promise/promise.ts";
import { findDecision, insertDecisions } from "#/modules/orders/routing/decision-repository.ts";
import { listLackingOrders, markCompared } from "#/modules/orders/routing/reroute-repository.ts";
import { listExpectedReceipts } from "#/modules/purchasing/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

const ids = createIds();
const sku = "MUG-BLUE-330";
const orderId = "WEB-200001";

/** Sends every statement of the orders that names a client. The order comes from the feeds. */
export async function runOrders(database: Database, client: FeedClient): Promise<void> {
  const { clientId } = client;
  const at = new Date().toISOString();
  const change: Change = { actor: "test", origin: "test", at, ids };
  const consumer = createAllocationConsumer({ ids });
  const row = (topic: string) => ({
    outboxId: ids.next(0),
    topic,
    objectType: "order",
    objectId: orderId,
    facilityCode: "DC1",
    feedToken: null,
    data: {},
    occurredAt: at,
    outbound: null,
    attempts: 0,
  });
  const look = () => database.transaction((tx) => consumer.consume(tx.of(clientId), at, [row("order:received")]));
  await look();
  await database.transaction(async (tx) => {
    const book = await openBook(tx.of(clientId), "DC1", at);
    const reference = { referenceType: "receipt", referenceId: "R-2" };
    postMovements(tx.of(book.clientId), book, ids, [
      { ...lotOf({}), ...reference, type: "RECEIPT", sku, condition: "GOOD", qty: 9_000 },
    ]);
    await allocateOrders(tx.of(book.clientId, change), book, { orderIds: [orderId], isForThemAlone: true });
    await allocateOrders(tx.of(book.clientId, change), book, { skus: [sku] });
    await movePromisedDays(tx.of(book.clientId, change), book, [sku]);
  });
  await database.transaction(async (tx) => {
    const book = await openBook(tx.of(clientId), "DC1", at);
    await freeOrderAllocations(tx.of(book.clientId, change), book, { sku, ...lotOf({}) }, 1_000);
  });
  await look();
  const line = { orderId, lineNumber: 1 };
  const must = async (work: (tx: Transaction) => Promise<Result<unknown, Refusal>>) => {
    const result = await database.transaction(work);
    if (!result.ok) throw new Error(result.fault.detail);
  };
  for (const qty of [2_000, 1_000]) await must((tx) => updateOrderLine(tx.of(clientId, change), { ...line, qty }));
  await database.transaction(async (tx) => {
    markSplits(tx.of(clientId), [{ orderId, split: new Map([[1, "DC2"]]) }]);
  });
  const terms = { client: {}, sets: createCarrierSets() };
  const patch = { priority: 4, shippingMethod: "EXPRESS", shipToAddress: { city: "Otley" } };
  for (const distributionCentre of ["DC2", "DC1"])
    await must((tx) => changeOrder(tx.of(clientId, change), { orderId }, { ...patch, distributionCentre }, terms));
  await must((tx) => holdOrder(tx.of(clientId, change), { orderId, type: "OTHER", reason: "" }));
  await must((tx) => releaseOrder(tx.of(clientId, change), { orderId }));
  await look();
  await listOrderWork(database.of(clientId), [orderId]);
  const basket = { shipToAddress: { country: "GB", zip: "BS1 5TY" }, lines: [{ sku, qty: 1_000_000 }] };
  const promised = await promiseBasket(database.of(clientId), { client, sets: createCarrierSets(), at }, basket);
  if (!promised.ok) throw new Error(JSON.stringify(promised.fault));
  await explainOrder(database.of(clientId), { orderId, facilities: ["DC1", "DC2"], sets: terms.sets, at });
  await listLotsWithRefusal(database.of(clientId), "DC1", at.slice(0, 10), [sku], 20);
  await listExpectedReceipts(database.of(clientId), "DC1", [sku], 5);
  await database.transaction(async (tx) => {
    const candidates = [{ facilityCode: "DC1", lacks: null, measure: "1 parcel" }];
    insertDecisions(tx.of(clientId, change), [{ orderId, rule: "FEWEST_PARCELS", movedFrom: null, candidates }]);
  });
  await findDecision(database.of(clientId), orderId, Date.parse(at) - dayMs);
  await findLatestDecision(database.of(clientId), orderId, ids.next(Date.parse(at) - dayMs));
  await findReached(database.of(clientId), [orderId]);
  await listMilestones(database.of(clientId), [orderId], 100);
  await listHeaders(database.of(clientId), [orderId]);
  await listPartlyAllocated(database.of(clientId), at, 100);
  await listWaitingOrders(database.of(clientId), "DC1", [sku], 100);
  await database.transaction((tx) => takeOrders(tx.of(clientId, change), [orderId]));
  await database.transaction(async (tx) => wantOverdue(tx.of(clientId), "DC1", at.slice(0, 10)));
  await must((tx) => cancelOrder(tx.of(clientId, change), { orderId, reason: "test" }));
  // After the thirty days of a backorder, and within the months that have partitions on every day of the year.
  const job = { database, ids, writer: createOutboxWriter(ids), clock: { now: () => Date.now() + 60 * dayMs } };
  await reportUnansweredCancelRequests(job);
  await cancelExpiredBackorders(job);
  await giveUpPartialAllocations(job);
  await createRerouting(createCarrierSets())(job);
  for (const after of [undefined, { orderId, since: at }])
    await listLackingOrders(database.of(clientId), { since: at, after, limit: 100 }, at);
  await database.transaction(async (tx) => markCompared(tx.of(clientId), [orderId], at));
}

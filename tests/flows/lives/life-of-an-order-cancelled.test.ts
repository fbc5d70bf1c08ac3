// lifecycle.md §1, cancel order or line: column by column of the table, the request and its answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelOrderLine, reportUnansweredCancelRequests } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { cancelOrder } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const byFeed = "cancelled by the client's feed";

const answer = (life: Life, orderId: string, ...lines: { lineNumber: number; outcome: string; qty?: number }[]) =>
  dc1.report("cancel", { clientId: life.clientId, orderId, lines });

const exceptionsOf = (life: Life) =>
  server.rows<{ kind: string; object_id: string; facility_code: string }>(
    "select kind, object_id, facility_code from operator_exception where client_id = $1 and kind = 'CANCEL_UNANSWERED'",
    life.clientId,
  );

test("before the warehouse has taken it an order is cancelled at once, in any of its states, and its stock is free", async () => {
  const life = await lifeOf(server, dc1, "ATONCE");
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("BACK", [{ sku: "B", qty: 1 }]);
  await life.place("PART", [
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ]);
  await life.place("FULL", [{ sku: "A", qty: 2 }]);
  await life.place("HELD", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: "true" });
  await life.place("NEXT", [{ sku: "A", qty: 3 }]);
  assert.equal(await life.stockOf("A"), "GOOD 3/3");
  for (const orderId of ["BACK", "PART", "FULL", "HELD"]) {
    await life.cancel(orderId);
    assert.equal((await life.shown(orderId)).status, "CANCELLED");
    assert.match(
      (await life.statuses(orderId)).at(-1) ?? "",
      /^CANCELLED 90 \(cancelled by the client's feed\): Cancelled/,
    );
    const signals = await life.signals(orderId);
    assert.deepEqual([signals.at(-2), signals.at(-1)], ["order:cancelled", 90]);
    assert.equal(signals.filter((signal) => signal === 90).length, 1);
  }
  assert.equal(await life.work("PICK", "FULL"), "v2 withdrawn");
  // The released stock goes to the waiting order in the same transaction.
  assert.equal(await life.stands("NEXT"), "ALLOCATED Allocated 3");
  assert.deepEqual(await life.statuses("HELD"), [
    "ON_HOLD 30 (DO_NOT_SHIP: doNotShip of the order): Open 1",
    `CANCELLED 90 (${byFeed}): Cancelled 1`,
  ]);
  const over = /CANCEL is not allowed in state CANCELLED/;
  await life.client.refuse("NO", cancelOrder("ATONCE", "FULL"), over);
  await life.assertSound();
});

test("a part of a line is cancelled first of what waits, then of what is allocated, with an OS", async () => {
  const life = await lifeOf(server, dc1, "LINE");
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("1", [{ sku: "A", qty: 5 }]);
  const cancelLine = (qty: number | undefined) =>
    life.serve(async (tx, change) =>
      cancelOrderLine(tx.of("LINE", change), { orderId: "1", lineNumber: 1, reason: "too many", qty }),
    );
  assert.equal(await cancelLine(1_000), undefined);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 3 Cancelled 1");
  assert.equal(await cancelLine(2_000), undefined);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2 Cancelled 3");
  assert.match((await cancelLine(3_000)) ?? "", /3 cannot be cancelled, 2 are left/);
  assert.equal(await cancelLine(undefined), undefined);
  assert.equal(await life.stands("1"), "CANCELLED (too many) Cancelled 5");
  assert.deepEqual(await life.statuses("1"), [
    "PARTIALLY_ALLOCATED 48: Backordered 2 Allocated 3",
    "PARTIALLY_ALLOCATED 48: Backordered 1 Allocated 3 Cancelled 1",
    "ALLOCATED 50: Allocated 2 Cancelled 3",
    "CANCELLED 90 (too many): Cancelled 5",
  ]);
  assert.equal(await life.stockOf("A"), "GOOD 3/0");
  await life.assertSound();
});

test("of an order that was taken a cancellation is a request; what the warehouse could stop is free again", async () => {
  const life = await lifeOf(server, dc1, "REQUEST");
  await life.stock([
    { sku: "A", qty: 4 },
    { sku: "B", qty: 2 },
  ]);
  await life.place("1", [
    { sku: "A", qty: 4 },
    { sku: "B", qty: 2 },
  ]);
  await life.take("1");
  await life.cancel("1");
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 4");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v1: A 4, B 2");
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  // A repeated cancellation is the same request.
  await life.cancel("1");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v1: A 4, B 2");
  await answer(life, "1", { lineNumber: 1, outcome: "CANCELLED", qty: 1 });
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3 Cancelled 1");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v2: A 3, B 2");
  await answer(life, "1", { lineNumber: 1, outcome: "TOO_LATE" }, { lineNumber: 2, outcome: "CANCELLED" });
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3 Cancelled 1");
  assert.equal(await life.stands("1", 2), "ALLOCATED Cancelled 2");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v3 withdrawn");
  // The part that was too late to cancel continues.
  assert.equal(await life.work("PICK", "1"), "v3: A 3");
  assert.deepEqual((await life.signals("1")).slice(6), [
    ...["order:cancelRequested", 88, "order:updated", "order:cancelRefused"],
  ]);
  assert.deepEqual(await life.statuses("1"), [
    "ALLOCATED 50: Allocated 4",
    "ALLOCATED 50: Allocated 3 Cancelled 1",
    "ALLOCATED 50: Allocated 3 Cancelled 1",
  ]);
  assert.equal(await life.stockOf("A"), "GOOD 4/3");
  assert.equal(await life.stockOf("B"), "GOOD 2/0");
  const again = { clientId: "REQUEST", orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] };
  assert.match(await dc1.refuse("cancel", again, 409), /no open cancel request/);
  await life.assertSound();
});

test("an order that is stopped altogether is cancelled, with the client's reason", async () => {
  const life = await lifeOf(server, dc1, "STOPPED");
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  await life.pick("1", 2);
  await life.cancel("1");
  assert.equal(await life.stands("1"), "PICKING Allocated 1 Picked 2");
  await answer(life, "1", { lineNumber: 1, outcome: "CANCELLED" });
  assert.equal(await life.stands("1"), `CANCELLED (${byFeed}) Cancelled 3`);
  assert.equal(await life.stockOf("A"), "GOOD 3/0");
  assert.deepEqual((await life.signals("1")).slice(8), ["order:cancelRequested", 88, "order:cancelled", 90]);
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v2 withdrawn");
  assert.deepEqual((await life.statuses("1")).slice(1), [
    "PICKING 52: Allocated 1 Picked 2",
    `CANCELLED 90 (${byFeed}): Cancelled 3`,
  ]);
  await life.assertSound();
});

test("of what is packed the request waits until the parcel is taken apart; what leaves all the same was too late", async () => {
  const life = await lifeOf(server, dc1, "PACKED");
  await life.stock([{ sku: "A", qty: 4 }]);
  for (const orderId of ["1", "2"]) {
    await life.place(orderId, [{ sku: "A", qty: 2 }]);
    await life.pick(orderId, 2);
  }
  const [first = ""] = await life.pack("1", 2);
  await life.cancel("1");
  assert.equal(await life.stands("1"), "PACKED Packed 2");
  const stop = { clientId: "PACKED", orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] };
  assert.match(await dc1.refuse("cancel", stop, 409), /void their parcels first/);
  await dc1.report("parcel/void", { clientId: "PACKED", olpnId: first });
  await dc1.report("cancel", stop);
  assert.equal(await life.stands("1"), `CANCELLED (${byFeed}) Cancelled 2`);
  const [second = ""] = await life.pack("2", 2);
  await life.cancel("2");
  await life.despatch(second);
  assert.equal(await life.stands("2"), "DESPATCHED Despatched 2");
  // The despatched parcel answers for the warehouse: the client is notified, and the cancel request is no longer open.
  assert.equal(await life.work("CANCEL_REQUEST", "2"), "v2 withdrawn");
  assert.deepEqual((await life.signals("2")).slice(-5), [
    ...["order:cancelRequested", 88, "order:cancelRefused", "order:despatched", 100],
  ]);
  await life.after(3, reportUnansweredCancelRequests);
  assert.deepEqual(await exceptionsOf(life), []);
  await life.client.refuse("NO", cancelOrder("PACKED", "2"), /DESPATCHED.*send an RMA/);
  await life.assertSound();
});

test("what was asked for and is not found is cancelled, and the request is over", async () => {
  const life = await lifeOf(server, dc1, "NOTFOUND");
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  await life.take("1");
  await life.cancel("1");
  await life.pick("1", 0, { qtyShort: 2 });
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 1 Cancelled 2");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v2: A 1");
  await life.pick("1", 0, { qtyShort: 1 });
  assert.equal(await life.stands("1"), `CANCELLED (${byFeed}) Cancelled 3`);
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v3 withdrawn");
  assert.deepEqual((await life.statuses("1")).slice(1), [
    "ALLOCATED 50: Allocated 1 Cancelled 2",
    `CANCELLED 90 (${byFeed}): Cancelled 3`,
  ]);
  await life.assertSound();
});

test("of a partly despatched order the rest is cancelled, or asked for where the warehouse has it", async () => {
  const life = await lifeOf(server, dc1, "REST", { settings: { backorder: "SHIP_AND_WAIT" } });
  await life.stock([{ sku: "A", qty: 4 }]);
  await life.place("1", [{ sku: "A", qty: 5 }]);
  await life.pick("1", 4);
  const [olpnId = ""] = await life.pack("1", 1, 3);
  await life.despatch(olpnId);
  assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Backordered 1 Packed 3 Despatched 1");
  await life.cancel("1");
  assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Packed 3 Despatched 1 Cancelled 1");
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v1: A 3");
  await answer(life, "1", { lineNumber: 1, outcome: "TOO_LATE" });
  assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Packed 3 Despatched 1 Cancelled 1");
  assert.deepEqual((await life.statuses("1")).slice(-2), [
    "PARTIALLY_DESPATCHED 95: Packed 3 Despatched 1 Cancelled 1",
    "PARTIALLY_DESPATCHED 95: Packed 3 Despatched 1 Cancelled 1",
  ]);
  await life.assertSound();
});

test("a request that no one answers for two hours is an exception, once", async () => {
  const life = await lifeOf(server, dc1, "SILENT");
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.place("1", ["A"]);
  await life.take("1");
  await life.cancel("1");
  await life.after(1.9, reportUnansweredCancelRequests);
  assert.deepEqual(await exceptionsOf(life), []);
  await life.after(2.1, reportUnansweredCancelRequests);
  assert.equal(await life.after(9, reportUnansweredCancelRequests), 0);
  assert.deepEqual(await exceptionsOf(life), [{ kind: "CANCEL_UNANSWERED", object_id: "1", facility_code: "DC1" }]);
  await answer(life, "1", { lineNumber: 1, outcome: "CANCELLED" });
  assert.equal(await life.stands("1"), `CANCELLED (${byFeed}) Cancelled 1`);
  await life.assertSound();
});

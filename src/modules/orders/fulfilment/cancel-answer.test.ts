import assert from "node:assert/strict";
import { test } from "node:test";
import { listSerials } from "#/modules/inventory/index.ts";
import { database, feedsOf } from "../../../../tests/support/builders/stocked-orders.ts";
import { accepted, assertRefused, eventsBy, floor } from "../../../../tests/support/warehouse/floor.ts";

test("units that the warehouse cancels are freed: allocated units first, then picked ones", async () => {
  const { items, stock, released, pick, askCancel, cancel, buckets, balances, read, clean } = await floor("CANCEL");
  await items(["A"]);
  await stock([{ sku: "A", qty: 5 }]);
  await released("1", "A", 5);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 3 }] }));
  await askCancel("1", 4);
  const part = await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED", qty: 3 }] });
  assert.equal(feedsOf(accepted(part).events).length, 1);
  assert.deepEqual(await buckets("1"), { ordered: 5, picked: 2, cancelled: 3 });
  assert.deepEqual(await balances("A"), ["GOOD -: 5/2"]);
  assert.notEqual((await read("1")).cancelRequestedAt, undefined);
  await clean();
  const rest = await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  assert.ok(rest.ok);
  assert.deepEqual(await buckets("1"), { ordered: 5, picked: 1, cancelled: 4 });
  const { cancelRequestedAt, status } = await read("1");
  assert.deepEqual([cancelRequestedAt, status], [undefined, "PICKING"]);
  assertRefused(
    await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] }),
    "conflict",
    /no open cancel request/,
  );
  await clean();
});

test("an order whose units are all cancelled is CANCELLED with the reason of the request", async () => {
  const { clientId, items, stock, serials, released, pick, askCancel, cancel, read, clean } = await floor("CANCALL");
  await items(["S"], { attributes: { CaptureSerial: "true" } });
  await stock([{ sku: "S", qty: 2 }]);
  await serials(["1", "2"].map((serial) => ({ sku: "S", serial, batchRef: "" })));
  await released("1", "S", 2);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2, serials: ["1", "2"] }] }));
  await askCancel("1", 2);
  const done = await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  assert.deepEqual(eventsBy(done), ["1 order:cancelled", "1 90"]);
  const [status] = feedsOf(accepted(done).events);
  assert.equal((status?.content as { status: string } | undefined)?.status, "CANCELLED");
  assert.equal((await read("1")).statusReason, "not wanted");
  const places = await listSerials(database.of(clientId), "S", ["1", "2"]);
  assert.deepEqual(
    places.map(({ state, ownerId }) => [state, ownerId]),
    [
      ["IN_STOCK", undefined],
      ["IN_STOCK", undefined],
    ],
  );
  await released("2", "S", 1);
  accepted(await pick({ orderId: "2", lines: [{ lineNumber: 1, qtyPicked: 1, serials: ["1"] }] }));
  await clean();
});

test("an answer that it was too late ends the request and tells the client", async () => {
  const { items, stock, picked, packOne, askCancel, cancel, buckets, read, clean } = await floor("TOOLATE");
  await items(["A"]);
  await stock([{ sku: "A", qty: 2 }]);
  await picked("1", "A", 2);
  await packOne("1", 2);
  await askCancel("1", 2);
  const late = await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "TOO_LATE" }] });
  assert.deepEqual(eventsBy(late), ["1 order:cancelRefused"]);
  assert.equal(feedsOf(accepted(late).events).length, 1);
  assert.deepEqual(await buckets("1"), { ordered: 2, packed: 2 });
  assert.equal((await read("1")).cancelRequestedAt, undefined);
  await clean();
});

test("an answer without a request, or for packed units, is refused", async () => {
  const { items, stock, picked, packOne, askCancel, cancel, voidParcel, clean } = await floor("CANCNO");
  await items(["A"]);
  await stock([{ sku: "A", qty: 3 }]);
  await picked("1", "A", 3);
  const answer = (fields: object = {}) =>
    cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED", ...fields }] });
  assertRefused(await answer(), "conflict", /no open cancel request/);
  const olpnId = await packOne("1", 2);
  await askCancel("1", 2);
  assertRefused(await answer({ qty: 3 }), "conflict", /The request is to cancel 2 of/);
  assertRefused(await answer({ lineNumber: 4 }), "unprocessable", /no order 1, line 4/);
  assertRefused(await answer(), "conflict", /1 can be freed, 2 are packed: void their parcels first/);
  assertRefused(await cancel({ orderId: "2", lines: [] }), "notFound", /no order 2/);
  accepted(await voidParcel(olpnId));
  accepted(await answer());
  await clean();
});

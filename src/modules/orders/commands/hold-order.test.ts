import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict } from "#/kernel/refusal.ts";
import { holdOrder, releaseOrder } from "#/modules/orders/commands/hold-order.ts";
import type { HoldType } from "#/modules/orders/order.ts";
import { listOrderWork, takeOrders } from "#/modules/orders/order-work.ts";
import { changeAt, database, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";

async function allocated(clientId: string) {
  const client = await world(clientId);
  await client.items(["A"]);
  await client.stock([{ sku: "A", qty: 1, batchRef: "B1", expiryDate: "2027-05-01" }]);
  await client.order("1", [{ sku: "A", qty: 1 }]);
  await client.allocate({ orderIds: ["1"] });
  const hold = (type: HoldType) =>
    database.transaction((tx) => holdOrder(tx.of(clientId, changeAt()), { orderId: "1", type, reason: "because" }));
  const release = (...types: HoldType[]) =>
    database.transaction((tx) => releaseOrder(tx.of(clientId, changeAt()), { orderId: "1", types }));
  const work = async () =>
    (await listOrderWork(database.of(clientId), ["1"])).flatMap(({ type, isWanted }) => (isWanted ? [type] : []));
  return { ...client, hold, release, work };
}

test("a held order keeps its stock and its task is withdrawn; after the release it continues", async () => {
  const { hold, release, held, read, work } = await allocated("KEEPS");
  assert.deepEqual(await work(), ["PICK"]);
  const answer = await hold("CLIENT_REQUEST");
  assert.ok(answer.ok);
  assert.deepEqual(topicsOf(answer.value.events), ["1 order:held", "1 30"]);
  assert.deepEqual([(await read("1")).status, await held("1"), await work()], ["ON_HOLD", ["B1: 1 FEFO"], []]);
  const released = await release("CLIENT_REQUEST");
  assert.ok(released.ok);
  assert.deepEqual(topicsOf(released.value.events), ["1 order:released", "1 order:allocated", "1 35"]);
  assert.deepEqual([(await read("1")).status, await work()], ["ALLOCATED", ["PICK"]]);
});

test("several holds are lifted one by one; the same hold twice is one hold", async () => {
  const { hold, release, read } = await allocated("SEVERAL");
  await hold("CLIENT_REQUEST");
  await hold("HAZMAT_REVIEW");
  const twice = await hold("HAZMAT_REVIEW");
  assert.ok(twice.ok);
  assert.deepEqual(twice.value.events, []);
  const first = await release("CLIENT_REQUEST");
  assert.ok(first.ok);
  assert.deepEqual(topicsOf(first.value.events), ["1 order:updated"]);
  assert.equal((await read("1")).status, "ON_HOLD");
  assert.deepEqual(await release("CLIENT_REQUEST"), {
    ok: false,
    fault: conflict("Order 1 has no hold of type CLIENT_REQUEST to release: it is held by HAZMAT_REVIEW."),
  });
  await release("HAZMAT_REVIEW");
  assert.equal((await read("1")).status, "ALLOCATED");
});

test("a hold of a taken order is a task for the warehouse; a held order cannot be taken", async () => {
  const { clientId, hold, release, work, read } = await allocated("HOLDTASK");
  const take = () => database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1", "2"]));
  await hold("OTHER");
  assert.deepEqual((await take()).refused, [
    { orderId: "1", reason: "the order is held: OTHER" },
    { orderId: "2", reason: "the order is not known" },
  ]);
  assert.equal((await read("1")).takenAt, undefined);
  await release("OTHER");
  assert.deepEqual((await take()).taken, ["1"]);
  await hold("OTHER");
  assert.deepEqual(await work(), ["HOLD"]);
});

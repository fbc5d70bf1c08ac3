import assert from "node:assert/strict";
import { test } from "node:test";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { changeOrder } from "#/modules/orders/commands/change-header.ts";
import { listHeaders } from "#/modules/orders/commands/change-repository.ts";
import type { OrderPatch } from "#/modules/orders/commands/order-patch.ts";
import { takeOrders } from "#/modules/orders/order-work.ts";
import { changeAt, database, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";

const sets = createCarrierSets();

async function taken(clientId: string) {
  const client = await world(clientId);
  await client.items(["A"]);
  await client.stock([{ sku: "A", qty: 1 }]);
  await client.order("1", [{ sku: "A", qty: 1 }]);
  await client.allocate({ orderIds: ["1"] });
  await database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1"]));
  const patch = async (change: OrderPatch, ifMatch?: string) => {
    const outcome = await database.transaction((tx) =>
      changeOrder(tx.of(clientId, changeAt()), { orderId: "1", ifMatch }, change, { client: {}, sets }),
    );
    return outcome.ok ? topicsOf(outcome.value.events) : outcome.fault.kind;
  };
  return { ...client, patch };
}

const york = { companyName: "York Mugs", address1: "1 Low Lane", city: "York", zip: "YO1 7HH", country: "GB" };

test("a taken order can change its address, carrier and priority", async () => {
  const { patch, read } = await taken("ELSEWHERE");
  assert.deepEqual(await patch({ shipToAddress: york, carrierCode: "DHL", priority: 2 }), ["1 order:updated"]);
  const { carrierCode, priority, version } = await read("1");
  const [stored] = await listHeaders(database.of("ELSEWHERE"), ["1"]);
  assert.deepEqual([stored?.ship_to_address, carrierCode, priority, version], [york, "DHL", 2, 4]);
  assert.deepEqual(await patch({ shipToAddress: { country: "gbr" }, carrierCode: "DHL", priority: 2 }), []);
  assert.equal((await read("1")).version, 4, "nothing was changed");
});

test("a patch with doNotShip holds or releases an order together with its other changes", async () => {
  const { patch, read } = await taken("KEPTBACK");
  assert.deepEqual(await patch({ shipToAddress: york, doNotShip: true }), [
    ...["1 order:updated", "1 order:held", "1 30"],
  ]);
  const [hold] = (await read("1")).holds;
  assert.deepEqual([hold?.type, hold?.by], ["DO_NOT_SHIP", changeAt().actor]);
  assert.deepEqual(await patch({ doNotShip: true }), []);
  const released = await patch({ doNotShip: null });
  assert.deepEqual(released.slice(0, 2), ["1 order:released", "1 order:allocated"]);
  assert.deepEqual(await patch({ doNotShip: false }), []);
});

test("a refused patch leaves the order unchanged, with the checks in order", async () => {
  const { patch, read } = await taken("REFUSED");
  const before = await read("1");
  assert.equal(await patch({ extendedAttributes: { Priority: "1" } }, '"99"'), "invalid");
  assert.equal(await patch({ billToAddress: { city: "York" } }, '"99"'), "outdated");
  assert.equal(await patch({ billToAddress: { city: "York" } }), "invalid");
  assert.equal(await patch({ shipToAddress: { ...york, zip: "10117" }, priority: 1 }), "unprocessable");
  assert.deepEqual(await read("1"), before);
});

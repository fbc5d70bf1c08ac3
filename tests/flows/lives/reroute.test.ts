// lifecycle.md §1, Routing: an order without stock moves by itself to a facility that can fill it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { createRerouting } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const reroute = createRerouting(createCarrierSets());

async function lifeWith(clientId: string, rerouteHours = "4"): Promise<Life> {
  const life = await lifeOf(server, dc1, clientId);
  await life.client.set({ rerouteHours });
  return life;
}

async function explained(life: Life, orderId: string): Promise<OrderExplanation> {
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  return (await call("GET", `/order/explain/${orderId}`)).body as unknown as OrderExplanation;
}

const placeOf = async (life: Life, orderId: string) => {
  const { distributionCentre, status } = await life.shown(orderId);
  return `${distributionCentre} ${status}`;
};

test("an order that lacks stock for the hours of the client moves to the facility that fills it, and says why", async () => {
  const life = await lifeWith("MOVES");
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.place("1", [{ sku: "A", qty: 3 }], {});
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 2 Allocated 1");
  await life.stock([{ sku: "A", qty: 5 }], dc2);
  assert.equal(await life.after(3.9, reroute), 0);
  assert.equal(await placeOf(life, "1"), "DC1 PARTIALLY_ALLOCATED");
  assert.equal(await life.after(4.1, reroute), 1);
  assert.equal(await placeOf(life, "1"), "DC2 ALLOCATED");
  assert.deepEqual([await life.stockOf("A"), await life.stockOf("A", "DC2")], ["GOOD 1/0", "GOOD 5/3"]);
  const { routing } = await explained(life, "1");
  assert.deepEqual([routing.by, routing.text], ["REROUTED", "DC2 could fill all lines, and DC1 lacked stock."]);
  const [line] = await server.rows<{ detail: object }>(
    "select detail from audit_log where client_id = 'MOVES' and action = 'reroute' and object_id = '1'",
  );
  assert.deepEqual(line?.detail, {
    from: "PARTIALLY_ALLOCATED",
    to: "RECEIVED",
    reason: "moved from DC1 to DC2: not in stock for 4 h",
    distributionCentre: "DC2",
  });
  assert.ok((await life.signals("1")).includes("order:updated"));
  await life.assertSound();
});

test("an order stays where no facility fills all lines, where it named its facility, is on hold, or the setting is off", async () => {
  const life = await lifeWith("STAYS");
  await life.stock([{ sku: "A", qty: 5 }], dc2);
  await life.place("NAMED", [{ sku: "A", qty: 1 }]);
  const both = [
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ];
  await life.place("PART", both, {});
  await life.place("HELD", both, {});
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  assert.equal((await call("POST", "/order/hold/HELD", { reason: "a question" })).status, 200);
  assert.equal(await life.after(5, reroute), 1, "only PART is compared");
  for (const orderId of ["NAMED", "PART"]) assert.equal(await placeOf(life, orderId), "DC1 BACKORDERED", orderId);
  await life.stock([{ sku: "B", qty: 5 }], dc2);
  assert.equal(await life.after(8, reroute), 0, "it is compared once in four hours");
  await life.client.set({ rerouteHours: "0" });
  assert.equal(await life.after(20, reroute), 0);
  await life.client.set({ rerouteHours: "4" });
  assert.equal(await life.after(10, reroute), 1);
  assert.equal(await placeOf(life, "PART"), "DC2 ALLOCATED");
  await life.assertSound();
});

test("several orders share the stock of the other facility: those that waited longest move, and the rest stays", async () => {
  const life = await lifeWith("SHARE");
  for (const orderId of ["1", "2", "3"]) await life.place(orderId, [{ sku: "A", qty: 2 }], {});
  await life.stock([{ sku: "A", qty: 5 }], dc2);
  assert.equal(await life.after(5, reroute), 3);
  assert.deepEqual(await Promise.all(["1", "2", "3"].map((orderId) => placeOf(life, orderId))), [
    "DC2 ALLOCATED",
    "DC2 ALLOCATED",
    "DC1 BACKORDERED",
  ]);
  await life.assertSound();
});

test("an order never goes back and forth: stock that appears where it was waits for the hours of the client", async () => {
  const life = await lifeWith("PINGPONG");
  await life.place("1", [{ sku: "A", qty: 2 }], {});
  await life.stock([{ sku: "A", qty: 2 }], dc2);
  assert.equal(await life.after(5, reroute), 1);
  assert.equal(await placeOf(life, "1"), "DC2 ALLOCATED");
  await life.stock([{ sku: "A", qty: -2 }], dc2);
  await life.stock([{ sku: "A", qty: 2 }]);
  assert.equal(await placeOf(life, "1"), "DC2 BACKORDERED");
  await life.after(8.9, reroute);
  assert.equal(await placeOf(life, "1"), "DC2 BACKORDERED");
  await life.after(9.1, reroute);
  assert.equal(await placeOf(life, "1"), "DC1 ALLOCATED");
  await life.assertSound();
});

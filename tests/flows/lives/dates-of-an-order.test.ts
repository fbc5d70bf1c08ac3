// lifecycle.md §1, dates of an order: not to leave before shipAfter, to leave by shipBy, to be delivered by deliverBy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hourMs } from "#/kernel/values/durations.ts";
import { releaseDatedOrders } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../../support/carriers/carriers.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const dated = (dates: object) => ({ distributionCentre: "DC1", ...dates });

test("an order is on hold until two hours before shipAfter: no stock, no task, and then both", async () => {
  const life = await lifeOf(server, dc1, "AFTER");
  await life.stock([{ sku: "A", qty: 5 }]);
  const shipAfter = inHours(10);
  await life.place("1", [{ sku: "A", qty: 2 }], dated({ shipAfter }));
  assert.equal(await life.stands("1"), `ON_HOLD (SHIP_AFTER: not before ${shipAfter}) Open 2`);
  assert.equal(await life.task("PICK", "1"), undefined);
  assert.equal(await life.stockOf("A"), "GOOD 5/0");
  assert.equal(await life.after(7.9, releaseDatedOrders), 0);
  assert.equal(await life.after(8.1, releaseDatedOrders), 1);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  assert.equal(await life.work("PICK", "1"), "v1: A 2");
  assert.deepEqual(
    (await life.signals("1")).filter((signal) => typeof signal === "string"),
    ["order:received", "order:held", "order:released", "order:allocated"],
  );
  assert.equal(await life.after(12, releaseDatedOrders), 0);
  await life.place("SOON", [{ sku: "A", qty: 1 }], dated({ shipAfter: inHours(1) }));
  assert.equal(await life.stands("SOON"), "ALLOCATED Allocated 1");
  await life.assertSound();
});

test("an UPDATE with another shipAfter holds or releases the order, one with the same leaves what an operator lifted", async () => {
  const life = await lifeOf(server, dc1, "UPDATES");
  const shipAfter = inHours(30);
  const holdsOf = async () => (await life.shown("1")).holds.map(({ type }) => type);
  await life.place("1", ["A"], dated({ shipAfter, doNotShip: "1" }));
  assert.deepEqual((await holdsOf()).sort(), ["DO_NOT_SHIP", "SHIP_AFTER"]);
  await life.update("1", ["A"], dated({ shipAfter }));
  assert.deepEqual(await holdsOf(), ["SHIP_AFTER"]);
  await life.update("1", ["A"], dated({}));
  assert.deepEqual(await holdsOf(), []);
  assert.equal(await life.after(29, releaseDatedOrders), 0);
  await life.update("1", ["A"], dated({ shipAfter: inHours(40) }));
  assert.deepEqual(await holdsOf(), ["SHIP_AFTER"]);
  await life.cancel("1");
  assert.equal(await life.after(39, releaseDatedOrders), 1);
  assert.equal((await life.shown("1")).status, "CANCELLED");
});

test("shipBy is the despatch deadline and puts the order before others; dates that exclude each other are refused", async () => {
  const life = await lifeOf(server, dc1, "BY");
  const shipBy = inHours(50);
  await life.place("PLAIN", [{ sku: "A", qty: 1 }]);
  await life.place("DATED", [{ sku: "A", qty: 1 }], dated({ shipBy }));
  const order = (await life.client.order("DATED")) as Record<string, unknown>;
  assert.deepEqual([order.despatchBy, order.shipBy, order.priority], [shipBy, shipBy, 4]);
  await life.stock([{ sku: "A", qty: 1 }]);
  assert.match(await life.stands("DATED"), /^ALLOCATED/);
  assert.match(await life.stands("PLAIN"), /^BACKORDERED/);
  assert.equal((await life.task("PICK", "DATED"))?.dueAt, shipBy);
  const later = inHours(60);
  await life.update("DATED", [{ sku: "A", qty: 1 }], dated({ shipBy: later }));
  assert.equal((await life.client.order("DATED"))?.despatchBy, later);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const template = (await rest("GET", "/order/template/DATED")).body;
  assert.equal(template.shipBy, later);
  const again = { ...template, orderId: "JSON", shipAfter: inHours(20), deliverBy: inHours(100) };
  const created = await rest("POST", "/order/create", again);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const explained = (await rest("GET", "/order/explain/JSON")).body;
  assert.deepEqual(
    [explained.shipAfter, explained.shipBy, explained.deliverBy],
    [again.shipAfter, later, again.deliverBy],
  );
  assert.equal(
    explained.next,
    `It is released at ${new Date(Date.parse(again.shipAfter) - 2 * hourMs).toISOString()}.`,
  );
  const refused = await rest("POST", "/order/create", {
    ...again,
    orderId: "NONE",
    shipBy: inHours(1),
    deliverBy: inHours(2),
  });
  assert.deepEqual(
    (refused.body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]),
    [
      ["#/shipBy", "VALUE"],
      ["#/deliverBy", "VALUE"],
    ],
  );
});

test("the carrier of an order arrives by deliverBy; where none can, the best of the others is taken and the decision says so", async () => {
  const life = await lifeOf(server, dc1, "DELIVER", { items: [{ sku: "A", weight: "1", weightUomCode: "KG" }] });
  const timed = (code: string, price: number, days: number) =>
    serviceOf(code, "SPEEDY", price, { transitDays: { ALL: days } });
  await saveCarriers(server.database, carrierDataOf(timed("SLOW", 3, 30), timed("FAST", 9, 3)), "DELIVER");
  await life.stock([{ sku: "A", qty: 5 }]);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const carriers = restCalls(server.url, "/v1/carrierDeterminationService", life.client.credentials);
  const packed = async (orderId: string, dates: object) => {
    await life.place(orderId, [{ sku: "A", qty: 1 }], dated(dates));
    await life.pick(orderId, 1);
    const [olpnId] = await life.pack(orderId, 1);
    const { carrierServiceCode, decisionId } = (await rest("GET", `/olpn/get/${olpnId}`)).body;
    const { warnings } = (await carriers("GET", `/carrier/decision/${decisionId}`)).body;
    return [carrierServiceCode, warnings];
  };
  assert.deepEqual(await packed("ANY", {}), ["SLOW", []]);
  assert.deepEqual(await packed("TIMED", { deliverBy: inHours(12 * 24) }), ["FAST", []]);
  const deliverBy = inHours(1);
  const late = `no service delivers by ${deliverBy}: the best of the others is chosen`;
  assert.deepEqual(await packed("NONE", { deliverBy }), ["SLOW", [late]]);
});

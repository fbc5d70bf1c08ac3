// rest.md §3, promised day: when purchase orders bring what a line waits for; webhooks.md §3, order:promised.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { runJob } from "../../support/builders/goods.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const send = (life: Life, poNumber: string, items: readonly Parts[], day: string, more: Parts = {}) =>
  life.client.accept(
    "PO",
    purchaseOrder(life.clientId, poNumber, items, { extendedAttributes: attributes({ ExpectedDate: day }), ...more }),
  );
const days = async (life: Life, ...orderIds: string[]) =>
  Promise.all(orderIds.map(async (id) => (await life.shown(id)).lines.map(({ promisedOn }) => promisedOn).join()));
const become = (life: Life, expected: Readonly<Record<string, string>>) =>
  until(`the days ${JSON.stringify(expected)}`, async () => {
    const found = await days(life, ...Object.keys(expected));
    return found.join("; ") === Object.values(expected).join("; ");
  });

/** The moves that the events of an order tell, of its only line. */
async function moves(life: Life, orderId: string): Promise<string[]> {
  await life.signals(orderId);
  interface Promised {
    readonly promises: readonly { readonly promisedOn: string | null; readonly promisedBefore: string | null }[];
  }
  const rows = await server.rows<{ data: Promised }>(
    `select data from event
      where client_id = $1 and topic = 'order:promised' and object_id = $2 order by position`,
    life.clientId,
    orderId,
  );
  return rows.flatMap(({ data }) => data.promises.map((move) => `${move.promisedBefore} to ${move.promisedOn}`));
}

test("orders that wait have the days of purchase orders in the order of acceptance; an event tells each move", async () => {
  const life = await lifeOf(server, dc1, "DAYS");
  await send(life, "PO-1", [{ sku: "A", qty: 3 }], dayIn(10));
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.place("2", [{ sku: "A", qty: 2 }]);
  await become(life, { 1: dayIn(10), 2: "" });
  await send(life, "PO-2", [{ sku: "A", qty: 5 }], dayIn(20));
  await become(life, { 1: dayIn(10), 2: dayIn(20) });
  const changed: Parts = { actionType: "UPDATE" };
  await send(life, "PO-1", [{ sku: "A", qty: 3 }], dayIn(30), changed);
  await become(life, { 1: dayIn(20), 2: dayIn(20) });
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const explained = (await rest("GET", "/order/explain/2")).body as { lines: { promisedOn: string }[]; next: string };
  assert.equal(explained.lines[0]?.promisedOn, dayIn(20));
  assert.match(explained.next, new RegExp(`The goods of the line are expected on ${dayIn(20)}\\.`));
  await send(life, "PO-2", [], dayIn(20), { actionType: "CANCEL" });
  await become(life, { 1: dayIn(30), 2: "" });
  assert.deepEqual(await moves(life, "1"), [
    `null to ${dayIn(10)}`,
    `${dayIn(10)} to ${dayIn(20)}`,
    `${dayIn(20)} to ${dayIn(30)}`,
  ]);
  assert.deepEqual(await moves(life, "2"), [`null to ${dayIn(20)}`, `${dayIn(20)} to null`]);
  // The line of a change of the SKU is promised by the new one.
  await send(life, "PO-1", [{ sku: "B", qty: 3 }], dayIn(30), changed);
  await become(life, { 1: "", 2: "" });
  await life.stock([{ sku: "A", qty: 3 }]);
  assert.match(await life.stands("1"), /^ALLOCATED/);
  assert.deepEqual(await days(life, "1"), [""]);
  await life.assertSound();
});

test("a day that is over is a promise no more: the next purchase order's day, or none", async () => {
  const life = await lifeOf(server, dc1, "LATE");
  await send(life, "PO-1", [{ sku: "A", qty: 2 }], dayIn(3));
  await send(life, "PO-2", [{ sku: "A", qty: 2 }], dayIn(6));
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.place("2", [{ sku: "A", qty: 2 }]);
  await become(life, { 1: dayIn(3), 2: dayIn(6) });
  await runJob(server, "overdue-promises", systemClock);
  await life.assertSound();
  assert.deepEqual(await days(life, "1", "2"), [dayIn(3), dayIn(6)]);
  // PO-1 was expected yesterday, and did not come.
  await server.rows(
    `update purchase_order set extended_attributes = extended_attributes || $1
      where client_id = 'LATE' and po_number = 'PO-1'`,
    JSON.stringify({ ExpectedDate: dayIn(-2) }),
  );
  await server.rows(
    "update sales_order_line set promised_on = $1 where client_id = 'LATE' and order_id = '1'",
    dayIn(-2),
  );
  await runJob(server, "overdue-promises", systemClock);
  await become(life, { 1: dayIn(6), 2: "" });
  assert.deepEqual((await moves(life, "1")).slice(1), [`${dayIn(-2)} to ${dayIn(6)}`]);
});

test("a kit is promised when the last of its components is there", async () => {
  const set: Parts = {
    sku: "SET",
    components: {
      component: [
        { sku: "CUP", qty: 2 },
        { sku: "TRAY", qty: 1 },
      ],
    },
  };
  const life = await lifeOf(server, dc1, "DAYKIT", { items: ["CUP", "TRAY", set] });
  await life.stock([{ sku: "TRAY", qty: 1 }]);
  await send(life, "PO-1", [{ sku: "CUP", qty: 4 }], dayIn(10));
  await life.place("1", [{ sku: "SET", qty: 2 }]);
  await become(life, { 1: "" });
  await send(life, "PO-2", [{ sku: "TRAY", qty: 1 }], dayIn(15));
  await become(life, { 1: dayIn(15) });
  assert.deepEqual(await moves(life, "1"), [`null to ${dayIn(15)}`]);
});

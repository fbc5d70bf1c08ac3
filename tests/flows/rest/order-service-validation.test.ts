// rest.md §2–§3: the order in which changes of orders are validated, what is stored of them, and what their refusals
// say.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { openBook } from "#/modules/inventory/index.ts";
import { testServer } from "../../support/app/server.ts";
import { lifeOf } from "../../support/builders/life.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const life = await lifeOf(server, dc1, "DEMO");
const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
await life.stock([{ sku: "A", qty: 100 }]);
afterEach(() => life.assertSound());

type Headers = Readonly<Record<string, string>>;
const act = (operation: "cancel" | "hold" | "release", orderId: string, body?: unknown) =>
  call("POST", `/order/${operation}/${orderId}`, body);
const cancel = (orderId: string) => act("cancel", orderId, { reason: "Ordered twice" });
const update = (orderId: string, patch: unknown) => call("PATCH", `/order/update/${orderId}`, patch);
const cancelLine = (orderId: string, line: number, body: object, headers?: Headers) =>
  call("POST", `/orderLine/cancel/${orderId}/${line}`, { reason: "Too many", ...body }, headers);
const updateLine = (orderId: string, line: number, body: object, headers?: Headers) =>
  call("PATCH", `/orderLine/update/${orderId}/${line}`, body, headers);

let number = 0;
async function placed(...lines: { sku: string; qty: number }[]): Promise<string> {
  const orderId = `J-${++number}`;
  await life.place(orderId, lines.length > 0 ? lines : [{ sku: "A", qty: 4 }]);
  return orderId;
}

async function done(promised: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await promised;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Returns the reason of a refusal, which must leave the order unchanged and publish no event. */
async function refused(status: number, orderId: string, ask: () => Promise<Answer>): Promise<string> {
  const [before, signals] = [await life.client.order(orderId), await life.signals(orderId)];
  const answer = await ask();
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.deepEqual([await life.client.order(orderId), await life.signals(orderId)], [before, signals]);
  return String(answer.body.detail);
}

const auditOf = async (orderId: string) =>
  (
    await server.rows<{ action: string; detail: object }>(
      `select action, detail from audit_log
        where client_id = 'DEMO' and object_id = $1 and actor = 'client:DEMO' order by audit_id`,
      orderId,
    )
  ).map(({ action, detail }) => ({ action, ...detail }));

test("an order that has ended is not released any more, by either way, and tells no release", async () => {
  const over = await placed();
  await done(act("hold", over));
  await done(update(over, { doNotShip: true }));
  await done(cancel(over));
  assert.match(await refused(409, over, () => act("release", over)), /cannot be released: it is CANCELLED/);
  assert.match(await refused(409, over, () => update(over, { doNotShip: false })), /it is CANCELLED/);
  const gone = await placed();
  await life.pick(gone, 4);
  const [olpnId = ""] = await life.pack(gone, 2);
  await life.despatch(olpnId);
  await done(act("hold", gone));
  await done(cancel(gone));
  await dc1.report("cancel", { clientId: "DEMO", orderId: gone, lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  assert.equal((await life.shown(gone)).status, "DESPATCHED");
  assert.match(await refused(409, gone, () => act("release", gone)), /it has left the warehouse \(DESPATCHED\)/);
});

test("the audit log says who asked for what and why, and no address", async () => {
  const orderId = await placed({ sku: "A", qty: 4 }, { sku: "A", qty: 2 });
  await done(cancelLine(orderId, 1, { qty: 1 }));
  await done(updateLine(orderId, 2, { qty: 3 }));
  await life.quiet();
  await done(update(orderId, { priority: 2, shippingMethod: null, shipToAddress: { phone: "+44 117 4960100" } }));
  await done(update(orderId, { doNotShip: true }));
  await done(act("hold", orderId, { reason: "Address to be confirmed" }));
  await done(act("release", orderId));
  await done(cancelLine(orderId, 2, {}));
  await done(cancel(orderId));
  const ofHold = "DO_NOT_SHIP: doNotShip of the order";
  assert.deepEqual(await auditOf(orderId), [
    { action: "cancel", status: "ALLOCATED", reason: "Too many", lines: [{ lineNumber: 1, qty: 1 }] },
    { action: "update", from: "ALLOCATED", to: "PARTIALLY_ALLOCATED", lineNumber: 2, qty: 3 },
    { action: "update", status: "ALLOCATED", fields: ["priority", "shipToAddress"] },
    { action: "update", from: "ALLOCATED", to: "ON_HOLD", fields: ["doNotShip"], reason: ofHold },
    { action: "hold", status: "ON_HOLD", hold: "CLIENT_REQUEST", reason: "Address to be confirmed" },
    { action: "release", status: "ON_HOLD", holds: ["CLIENT_REQUEST"] },
    { action: "cancel", status: "ON_HOLD", reason: "Too many", lines: [{ lineNumber: 2 }] },
    { action: "cancel", from: "ON_HOLD", to: "CANCELLED", reason: "Ordered twice" },
  ]);
});

test("a line that is not there is 404, before If-Match is looked at", async () => {
  const orderId = await placed();
  const stale = { "if-match": '"99"' };
  for (const ask of [() => cancelLine(orderId, 2, {}, stale), () => updateLine(orderId, 2, { qty: 1 }, stale)]) {
    assert.equal(await refused(404, orderId, ask), `Order ${orderId} has no line 2.`);
  }
  await refused(412, orderId, () => cancelLine(orderId, 1, { qty: 99 }, stale));
  await refused(412, orderId, () => updateLine(orderId, 1, { qty: 4 }, stale));
});

test("a release that lifts nothing says what holds the order, and how that is lifted", async () => {
  const orderId = await placed();
  assert.match(await refused(409, orderId, () => act("release", orderId)), /to release: it is not held\./);
  await done(update(orderId, { doNotShip: true }));
  assert.match(
    await refused(409, orderId, () => act("release", orderId)),
    /it is held by DO_NOT_SHIP; DO_NOT_SHIP is released by doNotShip false of order\/update\./,
  );
});

test("what a patch names and does not change is not refused for the state", async () => {
  const orderId = await placed();
  await done(update(orderId, { shippingMethod: "EXPRESS" }));
  await life.take(orderId);
  const taken = await life.client.order(orderId);
  assert.deepEqual(await done(updateLine(orderId, 1, { qty: 4 })), taken);
  await life.pick(orderId, 4);
  await life.pack(orderId, 4);
  const held = await done(
    update(orderId, { shippingMethod: "EXPRESS", shipToAddress: { country: "GBR" }, doNotShip: true }),
  );
  assert.deepEqual([held.status, held.doNotShip], ["PACKED", true]);
  const why = await refused(409, orderId, () => update(orderId, { shippingMethod: "EXPRESS", priority: 1 }));
  assert.equal(why, `Order ${orderId}: priority cannot be changed in state PACKED: its parcels are packed.`);
});

test("a postcode that is taken away where the country has them is reported as what it is", async () => {
  const orderId = await placed();
  const answer = await update(orderId, { shipToAddress: { zip: null } });
  assert.deepEqual([answer.status, pointersOf(answer)], [422, ["#/shipToAddress/zip"]]);
  assert.match(String(answer.body.detail), /^#\/shipToAddress\/zip is required in GB; allowed formats: A9 9AA/);
});

test("an order that moves to another facility while it is being cancelled is cancelled there", async () => {
  await life.stock([{ sku: "B", qty: 4 }], dc2);
  await life.place("MOVES", [{ sku: "B", qty: 4 }], { distributionCentre: "DC2" });
  assert.equal(await life.stands("MOVES"), "ALLOCATED Allocated 4");
  const moveTo = (facilityCode: string) =>
    server.rows("update sales_order set distribution_centre = $1 where order_id = 'MOVES'", facilityCode);
  await moveTo("DC1");
  const cancelled = await server.database.transaction(async (tx) => {
    await openBook(tx.of("DEMO"), "DC1", new Date().toISOString());
    const pending = cancel("MOVES");
    for (let isWaiting = false; !isWaiting; ) {
      // In this database only: other test files wait for locks in theirs.
      const [row] = await server.rows<{ n: string }>(
        `select count(*) as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where not l.granted and a.datname = current_database()`,
      );
      isWaiting = Number(row?.n) > 0;
    }
    await moveTo("DC2");
    return { asked: pending };
  });
  const { outcome } = await done(cancelled.asked);
  assert.deepEqual([outcome, await life.stands("MOVES")], ["CANCELLED", "CANCELLED (Ordered twice) Cancelled 4"]);
  assert.equal(await life.stockOf("B", "DC2"), "GOOD 4/0");
});

// rest.md §3, lifecycle.md §1: a client's changes of its orders by REST, in every column of the table, and refusals.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { holdOrder } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const life = await lifeOf(server, dc1, "DEMO", {
  items: ["A", "B", { sku: "OIL", extendedAttributes: attributes({ StockUom: "KG" }) }],
});
const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
await life.stock([
  { sku: "A", qty: 100 },
  { sku: "OIL", qty: 10 },
]);
afterEach(() => life.assertSound());

type Headers = Readonly<Record<string, string>>;
const act = (operation: "cancel" | "hold" | "release", orderId: string, body?: unknown, headers?: Headers) =>
  call("POST", `/order/${operation}/${orderId}`, body, headers);
const cancel = (orderId: string, headers?: Headers) => act("cancel", orderId, { reason: "Ordered twice" }, headers);
const update = (orderId: string, patch: unknown, headers?: Headers) =>
  call("PATCH", `/order/update/${orderId}`, patch, headers);
const cancelLine = (orderId: string, line: number | string, body: object) =>
  call("POST", `/orderLine/cancel/${orderId}/${line}`, { reason: "Too many", ...body });
const updateLine = (orderId: string, line: number | string, body: object, headers?: Headers) =>
  call("PATCH", `/orderLine/update/${orderId}/${line}`, body, headers);

/** Expects success: the order in the body equals a later read, and the ETag contains its version. */
async function done(promised: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, headers, body } = await promised;
  assert.equal(status, 200, JSON.stringify(body));
  const record = (body.order ?? body) as Record<string, unknown>;
  assert.equal(headers.get("etag"), `"${record.version}"`);
  return body;
}

/** Expects a refusal that leaves the order unchanged: the places of its faults, and the reason. */
async function refused(status: number, orderId: string, ask: () => Promise<Answer>) {
  const before = await life.client.order(orderId);
  const answer = await ask();
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert.deepEqual(await life.client.order(orderId), before);
  return { detail: String(answer.body.detail), pointers: pointersOf(answer), errors: answer.body.errors };
}

const holdsOf = (record: Record<string, unknown>) => (record.holds as { type: string }[]).map(({ type }) => type);
const versionOf = async (orderId: string) => (await life.shown(orderId)).version;
let number = 0;
/** Places an order of four A with allocated stock. */
async function placed(qty = 4): Promise<string> {
  const orderId = `O-${++number}`;
  await life.place(orderId, [{ sku: "A", qty }]);
  return orderId;
}
async function taken(): Promise<string> {
  const orderId = await placed();
  await life.take(orderId);
  return orderId;
}
async function packed(): Promise<{ orderId: string; olpnId: string }> {
  const orderId = await taken();
  await life.pick(orderId, 4);
  const [olpnId = ""] = await life.pack(orderId, 4);
  return { orderId, olpnId };
}
async function despatched(): Promise<string> {
  const { orderId, olpnId } = await packed();
  await life.despatch(olpnId);
  await life.quiet();
  return orderId;
}

test("an order that the warehouse has not taken is cancelled at once, with its reason, and its stock is free", async () => {
  const free = await life.stockOf("A");
  const orderId = await placed();
  assert.notEqual(await life.stockOf("A"), free);
  const { outcome, order } = await done(cancel(orderId));
  const { status, statusReason, lines } = order as Record<string, unknown>;
  assert.deepEqual([outcome, status, statusReason], ["CANCELLED", "CANCELLED", "Ordered twice"]);
  assert.equal((lines as { qtyCancelled: number }[])[0]?.qtyCancelled, 4);
  assert.deepEqual(order, await life.client.order(orderId));
  assert.equal(await life.stockOf("A"), free);
  assert.deepEqual((await life.signals(orderId)).slice(-2), ["order:cancelled", 90]);
  const { detail } = await refused(409, orderId, () => cancel(orderId));
  assert.match(detail, /all of it is cancelled already/);
});

test("what the warehouse has taken becomes a request; after despatch it is refused with the way back", async () => {
  const orderId = await taken();
  const { outcome, order } = await done(cancel(orderId));
  assert.deepEqual([outcome, (order as { status: string }).status], ["REQUESTED", "ALLOCATED"]);
  assert.equal(await life.work("CANCEL_REQUEST", orderId), "v1: A 4");
  const again = await done(cancel(orderId));
  assert.deepEqual(again, { outcome: "REQUESTED", order: await life.client.order(orderId) });
  assert.equal(await life.work("CANCEL_REQUEST", orderId), "v1: A 4");
  await dc1.report("cancel", { clientId: "DEMO", orderId, lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  assert.equal(await life.stands(orderId), "CANCELLED (Ordered twice) Cancelled 4");
  const gone = await despatched();
  assert.match((await refused(409, gone, () => cancel(gone))).detail, /DESPATCHED: .*send an RMA/);
  assert.match((await refused(409, gone, () => cancelLine(gone, 1, {}))).detail, /send an RMA/);
});

test("a line is cancelled in parts and in whole", async () => {
  const orderId = await placed();
  await done(cancelLine(orderId, 1, { qty: 1 }));
  assert.equal(await life.stands(orderId), "ALLOCATED Allocated 3 Cancelled 1");
  assert.match((await refused(409, orderId, () => cancelLine(orderId, 1, { qty: 4 }))).detail, /3 are left/);
  const part = await refused(422, orderId, () => cancelLine(orderId, 1, { qty: 0.5 }));
  assert.deepEqual(part.pointers, ["#/qty"]);
  assert.match((await refused(404, orderId, () => cancelLine(orderId, 2, {}))).detail, /has no line 2/);
  const { outcome } = await done(cancelLine(orderId, 1, {}));
  assert.deepEqual([outcome, await life.stands(orderId)], ["CANCELLED", "CANCELLED (Too many) Cancelled 4"]);
  await life.place("KG", [{ sku: "OIL", qty: 2 }]);
  await done(cancelLine("KG", 1, { qty: 0.125 }));
  assert.equal(await life.stands("KG"), "ALLOCATED Allocated 1.875 Cancelled 0.125");
  const late = await taken();
  assert.equal((await done(cancelLine(late, 1, { qty: 1 }))).outcome, "REQUESTED");
  assert.equal(await life.work("CANCEL_REQUEST", late), "v1: A 1");
});

test("the quantity of a line changes until the warehouse has the order", async () => {
  const orderId = await placed();
  const more = await done(updateLine(orderId, 1, { qty: 6 }));
  assert.deepEqual([more.version, (more.lines as { qty: number }[])[0]?.qty], [3, 6]);
  await life.quiet();
  assert.equal(await life.stands(orderId), "ALLOCATED Allocated 6");
  await done(updateLine(orderId, "1", { qty: 2 }));
  assert.equal(await life.stands(orderId), "ALLOCATED Allocated 2");
  const version = await versionOf(orderId);
  assert.equal((await done(updateLine(orderId, 1, { qty: 2 }))).version, version, "nothing has changed");
  await done(cancelLine(orderId, 1, { qty: 1 }));
  assert.match((await refused(409, orderId, () => updateLine(orderId, 1, { qty: 1 }))).detail, /cancel the line/);
  assert.deepEqual((await refused(422, orderId, () => updateLine(orderId, 1, { qty: 2.5 }))).pointers, ["#/qty"]);
  await refused(404, orderId, () => updateLine(orderId, 9, { qty: 2 }));
  for (const qty of [0, -1, 0.0001, 1_000_000_000, "2", null]) {
    assert.deepEqual((await refused(400, orderId, () => updateLine(orderId, 1, { qty }))).pointers, ["#/qty"]);
  }
  assert.deepEqual((await refused(400, orderId, () => updateLine(orderId, 1, {}))).pointers, ["#/qty"]);
  for (const line of ["0", "one", "1.5", "-1", "1000000"]) {
    const { pointers } = await refused(400, orderId, () => updateLine(orderId, line, { qty: 3 }));
    assert.deepEqual(pointers, ["/path/lineNumber"]);
  }
  const late = await taken();
  assert.match((await refused(409, late, () => updateLine(late, 1, { qty: 5 }))).detail, /the warehouse has taken it/);
  const gone = await despatched();
  assert.match((await refused(409, gone, () => updateLine(gone, 1, { qty: 5 }))).detail, /send an RMA/);
});

test("a client holds an order and releases it; twice is once, and other holds are not its own to lift", async () => {
  const orderId = await placed();
  const held = await done(act("hold", orderId, { reason: "Address to be confirmed" }));
  const [hold] = held.holds as Record<string, unknown>[];
  assert.deepEqual(
    [held.status, hold?.type, hold?.reason, hold?.by],
    ["ON_HOLD", "CLIENT_REQUEST", "Address to be confirmed", "client:DEMO"],
  );
  assert.equal(hold?.since, held.updatedAt);
  assert.equal(held.statusReason, "CLIENT_REQUEST: Address to be confirmed");
  assert.deepEqual(await done(act("hold", orderId, { reason: "Another" })), held);
  assert.equal(await life.work("PICK", orderId), "v2 withdrawn");
  const byOperator = { orderId, type: "HAZMAT_REVIEW", reason: "lithium" } as const;
  assert.equal(await life.serve((tx, change) => holdOrder(tx.of("DEMO", change), byOperator)), undefined);
  const still = await done(act("release", orderId));
  assert.deepEqual([still.status, holdsOf(still)], ["ON_HOLD", ["HAZMAT_REVIEW"]]);
  assert.equal(still.statusReason, "HAZMAT_REVIEW: lithium");
  assert.match((await refused(409, orderId, () => act("release", orderId))).detail, /no hold of type CLIENT_REQUEST/);
  const other = await placed();
  await done(act("hold", other));
  const released = await done(act("release", other, {}));
  assert.deepEqual([released.status, released.statusReason], ["ALLOCATED", null]);
  assert.deepEqual((await life.signals(other)).slice(6), [
    ...["order:held", 30, "order:released", "order:allocated", 35],
  ]);
  const gone = await despatched();
  assert.match((await refused(409, gone, () => act("hold", gone, {}))).detail, /it has left the warehouse/);
  const over = await placed();
  await done(cancel(over));
  assert.match((await refused(409, over, () => act("hold", over))).detail, /it is CANCELLED/);
});

test("addresses, carrier, priority and attributes are merged into the order until it is packed", async () => {
  const orderId = await placed();
  const type = { "content-type": "application/merge-patch+json" };
  const patch = {
    shipToAddress: { address1: "1 Low Lane", city: "York", zip: "yo1 7hh", lastName: null, companyName: "Khan Ltd" },
    billToAddress: { address1: "Unter den Linden 21", city: "Berlin", zip: "10117", country: "DEU" },
    shippingMethod: "EXPRESS",
    carrierCode: "RM",
    priority: 2,
    extendedAttributes: { GiftMessage: "Happy birthday\n& <3" },
  };
  const changed = await done(update(orderId, patch, type));
  const ship = changed.shipToAddress as Record<string, unknown>;
  const bill = changed.billToAddress as Record<string, unknown>;
  assert.deepEqual([ship.city, ship.lastName, ship.companyName, ship.country], ["York", null, "Khan Ltd", "GB"]);
  assert.deepEqual([bill.country, bill.zip, bill.title], ["DE", "10117", null]);
  assert.deepEqual([changed.shippingMethod, changed.carrierCode, changed.priority], ["EXPRESS", "RM", 2]);
  assert.deepEqual(changed.extendedAttributes, { GiftMessage: "Happy birthday\n& <3" });
  assert.deepEqual((await life.signals(orderId)).at(-1), "order:updated");
  assert.deepEqual(await done(update(orderId, patch)), changed, "the same again makes no new version");
  assert.deepEqual(await done(update(orderId, {})), changed);
  const cleared = await done(
    update(orderId, {
      billToAddress: null,
      carrierCode: null,
      priority: null,
      extendedAttributes: { GiftMessage: null },
    }),
  );
  assert.deepEqual(
    [cleared.billToAddress, cleared.carrierCode, cleared.priority, cleared.extendedAttributes, cleared.shippingMethod],
    [null, null, 5, {}, "EXPRESS"],
  );
  const late = await taken();
  await done(update(late, { shipToAddress: { address1: "2 Low Lane" } }));
  assert.equal(await life.work("PICK", late), "v2: A 4");
});

test("an order moves to another facility until the warehouse has taken it: stock, task, document and despatch time follow", async () => {
  const free = await life.stockOf("A");
  const orderId = await placed();
  assert.equal(await life.work("PICK", orderId), "v1: A 4");
  const moved = await done(update(orderId, { distributionCentre: "DC2", priority: 2 }));
  assert.deepEqual([moved.distributionCentre, moved.priority], ["DC2", 2]);
  assert.deepEqual((await life.signals(orderId)).slice(-2), ["order:backordered", 45]);
  assert.equal(await life.stockOf("A"), free, "what DC1 had reserved is free");
  assert.equal(await life.work("PICK", orderId), "v2 withdrawn", "the task of DC1");
  await life.stock([{ sku: "A", qty: 4 }], dc2);
  assert.equal(await life.stands(orderId), "ALLOCATED Allocated 4");
  const task = await dc2.task(({ objectId }) => objectId === orderId);
  assert.deepEqual([task.type, task.lines.map(({ sku, qty }) => [sku, qty])], ["PICK", [["A", 4]]]);
  const { lines, version } = await life.shown(orderId);
  await done(update(orderId, { distributionCentre: "DC2" }));
  assert.equal(await versionOf(orderId), version, "where it is already changes nothing");
  assert.equal(lines.length, 1);

  const foreign = await refused(422, orderId, () => update(orderId, { distributionCentre: "DC9" }));
  assert.deepEqual(foreign.pointers, ["#/distributionCentre"]);
  assert.deepEqual(foreign.errors, [
    { pointer: "#/distributionCentre", message: "distributionCentre 'DC9' is unknown or not open to client DEMO" },
  ]);
  const late = await taken();
  const { detail } = await refused(409, late, () => update(late, { distributionCentre: "DC2" }));
  assert.match(detail, /distributionCentre cannot be changed in state ALLOCATED: the warehouse has taken it/);
});

test("doNotShip holds the order in the same patch, until it has left; false lifts only that hold", async () => {
  const orderId = await placed();
  await done(act("hold", orderId));
  const both = await done(update(orderId, { doNotShip: true, priority: 1 }));
  assert.deepEqual([both.doNotShip, both.priority, holdsOf(both)], [true, 1, ["CLIENT_REQUEST", "DO_NOT_SHIP"]]);
  const order = await done(update(orderId, { doNotShip: false }));
  assert.deepEqual([order.status, order.doNotShip, holdsOf(order)], ["ON_HOLD", false, ["CLIENT_REQUEST"]]);
  await done(act("release", orderId));
  const { orderId: ready, olpnId } = await packed();
  assert.equal((await done(update(ready, { doNotShip: true }))).doNotShip, true);
  assert.match(await dc1.refuse("despatch", { clientId: "DEMO", olpnIds: [olpnId] }, 409), /on hold: DO_NOT_SHIP/);
  assert.equal((await done(update(ready, { doNotShip: null }))).doNotShip, false);
  await life.despatch(olpnId);
  assert.match((await refused(409, ready, () => update(ready, { doNotShip: true }))).detail, /has left the warehouse/);
});

test("what is wrong with a patch is reported, all of it at once, and changes nothing", async () => {
  const orderId = await placed();
  const shape = await refused(400, orderId, () =>
    update(orderId, {
      shipToAddress: { address1: null, city: "", zip: " 1", country: "England", street: "x" },
      billToAddress: { email: "a\u0000b", phone: "x".repeat(256) },
      shippingMethod: "a\nb",
      carrierCode: " RM",
      doNotShip: "yes",
      priority: 10,
      extendedAttributes: { Note: 1, Long: "x".repeat(4001), "a/b": "\u0007" },
      status: "CANCELLED",
    }),
  );
  assert.deepEqual([...new Set(shape.pointers)].sort(), [
    ...["#/billToAddress/email", "#/billToAddress/phone", "#/carrierCode", "#/doNotShip"],
    ...["#/extendedAttributes/Long", "#/extendedAttributes/Note", "#/extendedAttributes/a~1b", "#/priority"],
    ...["#/shipToAddress/address1", "#/shipToAddress/city", "#/shipToAddress/country", "#/shipToAddress/street"],
    ...["#/shipToAddress/zip", "#/shippingMethod", "#/status"],
  ]);
  const named = await refused(400, orderId, () =>
    update(orderId, { extendedAttributes: { Priority: "1", Revision: "2" } }),
  );
  assert.deepEqual(named.pointers, ["#/extendedAttributes/Priority", "#/extendedAttributes/Revision"]);
  assert.deepEqual((await refused(400, orderId, () => update(orderId, { shipToAddress: null }))).pointers, [
    "#/shipToAddress",
  ]);
  const part = await refused(400, orderId, () => update(orderId, { billToAddress: { zip: "10117" } }));
  assert.deepEqual(part.pointers, ["#/billToAddress/address1", "#/billToAddress/city", "#/billToAddress/country"]);
  const places = await refused(422, orderId, () =>
    update(orderId, {
      shipToAddress: { zip: "10117" },
      billToAddress: { address1: "x", city: "y", country: "ZZ" },
      priority: 1,
    }),
  );
  assert.deepEqual(places.pointers, ["#/shipToAddress/zip", "#/billToAddress/country"]);
  assert.match(JSON.stringify(places.errors), /not a postcode of GB; allowed formats: /);
  for (const body of ["[]", "null", '"x"', "1"]) await refused(400, orderId, () => update(orderId, body));
  assert.equal((await update(orderId, "{")).status, 400);
  assert.equal((await update(orderId, '{"__proto__":{"priority":1}}')).status, 400);
  assert.equal((await update(orderId, "{}", { "content-type": "application/xml" })).status, 415);
  const merge = { "content-type": "application/merge-patch+json" };
  assert.equal((await act("cancel", orderId, { reason: "x" }, merge)).status, 415);
  const { orderId: ready } = await packed();
  const late = await refused(409, ready, () => update(ready, { shippingMethod: "SLOW", shipToAddress: { zip: "?" } }));
  assert.match(late.detail, /shippingMethod, shipToAddress cannot be changed in state PACKED: its parcels are packed/);
});

test("a reason is asked for where something ends", async () => {
  const orderId = await placed();
  for (const body of [
    undefined,
    {},
    { reason: "" },
    { reason: " " },
    { reason: "x".repeat(256) },
    { reason: "a\tb" },
  ]) {
    const { status, body: answer } = await act("cancel", orderId, body);
    assert.equal(status, 400, JSON.stringify(answer));
  }
  const unknown = await refused(400, orderId, () => act("cancel", orderId, { reason: "x", force: true, lines: [] }));
  assert.deepEqual(unknown.pointers.sort(), ["#/force", "#/lines"]);
  await refused(400, orderId, () => act("release", orderId, { reason: "x" }));
  const elsewhere = await act("hold", orderId, { clientId: "OTHER" });
  assert.equal(elsewhere.status, 403);
});

test("If-Match guards each change: a stale version is 412, before the state is looked at", async () => {
  const orderId = await placed();
  const version = await versionOf(orderId);
  const stale = { "if-match": `"${version - 1}"` };
  const asks = [
    () => cancel(orderId, stale),
    () => act("hold", orderId, {}, stale),
    () => act("release", orderId, {}, stale),
    () => update(orderId, { priority: 1 }, stale),
    () => updateLine(orderId, 1, { qty: 9 }, stale),
    () => call("POST", `/orderLine/cancel/${orderId}/1`, { reason: "x" }, stale),
  ];
  for (const ask of asks) assert.match((await refused(412, orderId, ask)).detail, /If-Match/);
  await done(update(orderId, { priority: 1 }, { "if-match": `"${version}"` }));
  await refused(412, orderId, () => update(orderId, { priority: 2 }, { "if-match": `"${version}"` }));
  await done(cancel(orderId, { "if-match": "*" }));
  await refused(412, orderId, () => cancel(orderId, stale));
});

test("with an Idempotency-Key a repeat is answered as the first time and does nothing more", async () => {
  const orderId = await placed();
  const key = { "idempotency-key": "cancel-1-of-4" };
  const ask = () => call("POST", `/orderLine/cancel/${orderId}/1`, { qty: 1, reason: "Too many" }, key);
  const first = await done(ask());
  await done(act("hold", orderId));
  assert.deepEqual((await ask()).body, first);
  assert.equal(await life.stands(orderId), "ON_HOLD (CLIENT_REQUEST: requested by the client) Allocated 3 Cancelled 1");
  const other = await call("POST", `/orderLine/cancel/${orderId}/1`, { qty: 2, reason: "Too many" }, key);
  assert.equal(other.status, 409);
  assert.match(String(other.body.detail), /Idempotency-Key/);
});

test("a concurrent repeat has one effect, and a cancellation comes before or after a pick", async () => {
  for (let round = 0; round < 3; round++) {
    const orderId = await placed();
    const both = await Promise.all([cancel(orderId), cancel(orderId)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const picked = await placed();
    const pick = { clientId: "DEMO", orderId: picked, lines: [{ lineNumber: 1, qtyPicked: 4 }] };
    const [cancelled, report] = await Promise.all([cancel(picked), dc1.post("/pick/report", pick)]);
    await life.quiet();
    if (report.status === 200) {
      assert.equal(cancelled.body.outcome, "REQUESTED");
      assert.equal(await life.stands(picked), "PICKING Picked 4");
    } else {
      assert.equal(cancelled.body.outcome, "CANCELLED");
    }
    const lined = await placed();
    const lines = await Promise.all([
      cancelLine(lined, 1, { qty: 3 }),
      cancelLine(lined, 1, { qty: 3 }),
      update(lined, { priority: 2 }),
    ]);
    assert.deepEqual(lines.map(({ status }) => status).sort(), [200, 200, 409]);
    assert.equal(await life.stands(lined), "ALLOCATED Allocated 1 Cancelled 3");
    const version = await versionOf(lined);
    const guarded = await Promise.all(
      [3, 4].map((priority) => update(lined, { priority }, { "if-match": `"${version}"` })),
    );
    assert.deepEqual(guarded.map(({ status }) => status).sort(), [200, 412]);
  }
});

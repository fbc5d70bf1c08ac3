// Operators adjust a lot and change its condition (contract warehouse.md, Adjustments by operators).
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"] });
await server.onboard("OTHER", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "operator");
const ben = await signIn(server, "operator");
const viewer = await signIn(server, "viewer");
const ofDc2 = await signIn(server, "operator", { facilityCodes: ["DC2"] });
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
const batch = { sku: "BATCH", captureBatchRef: "1" };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "D", "E", serial, batch]));
await dc1.report("adjustment", {
  clientId: "DEMO",
  adjustmentId: "OPEN",
  reasonCode: "FOUND",
  lines: ["A", "B", "C", "D"].map((sku) => ({ sku, qty: 100 })),
});
afterEach(() => goods.assertSound());

const place = { clientId: "DEMO", distributionCentre: "DC1" };
const adjust = (body: object, user: ConsoleUser = anna) =>
  user.post("/stock/adjust", { ...place, reasonCode: "DAMAGE", ...body });
const hold = (body: object, user: ConsoleUser = anna) =>
  user.post("/stock/hold", {
    ...place,
    reasonCode: "CONDITION",
    fromCondition: "GOOD",
    toCondition: "ON_HOLD",
    ...body,
  });
const level = async (sku: string) => {
  const { body } = await anna.get(`/stock/list?clientId=DEMO&distributionCentre=DC1&text=${sku}`);
  const [row] = body.items as { onHand: number; available: number; onHold: number }[];
  return [row?.onHand, row?.available, row?.onHold];
};
const newest = async (sku: string) => {
  const { body } = await anna.get(`/stock/statement?clientId=DEMO&distributionCentre=DC1&sku=${sku}&limit=1`);
  const [entry] = body.items as {
    type: string;
    qty: number;
    reason: string;
    reference: { type: string; id: string };
  }[];
  return entry;
};
const refused = async (answer: ReturnType<typeof adjust>, status: number, text: RegExp) => {
  const { status: sent, body } = await answer;
  assert.deepEqual([sent, text.test(body.detail)], [status, true], JSON.stringify(body));
  return body;
};

test("a difference within the tolerance is booked at once, with its reason, note, event and ADJ", async () => {
  const { status, body } = await adjust({ sku: "A", qty: -2, note: "Fell from the rack" });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.status, body.countId, body.qty], ["BOOKED", null, -2]);
  assert.deepEqual(await level("A"), [98, 98, 0]);
  const entry = await newest("A");
  assert.deepEqual([entry?.type, entry?.qty, entry?.reason], ["ADJUSTMENT", -2, "DAMAGE"]);
  assert.deepEqual(entry?.reference.id, body.adjustmentId);
  assert.equal((await goods.outbound("ADJ", body.adjustmentId)).length, 1);
  const rows = await server.rows<{ actor: string; detail: { note?: string; reasonCode?: string } }>(
    "select actor, detail from audit_log where action = 'adjust' and object_id = 'DC1/A' order by audit_id desc limit 1",
  );
  assert.match(rows[0]?.actor ?? "", /^user:/);
  assert.deepEqual([rows[0]?.detail.note, rows[0]?.detail.reasonCode], ["Fell from the rack", "DAMAGE"]);
});

test("a counted quantity is adjusted to what is on the shelf, without picked units", async () => {
  await demo.accept("NO", order("DEMO", "O-B", [{ sku: "B", qty: 5 }], { distributionCentre: "DC1" }));
  await goods.outbound("OS", "O-B");
  await dc1.report("pick", { clientId: "DEMO", orderId: "O-B", lines: [{ lineNumber: 1, qtyPicked: 5 }] });
  const { body } = await adjust({ sku: "B", countedQty: 94, reasonCode: "COUNT" });
  assert.deepEqual([body.status, body.qty], ["BOOKED", -1], JSON.stringify(body));
  assert.deepEqual((await level("B"))[0], 99);
  await refused(adjust({ sku: "B", countedQty: 94 }), 422, /94 is what the books have/);
});

test("a difference above the tolerance waits, and another user approves it", async () => {
  const { body } = await adjust({ sku: "C", qty: -40, note: "Water" });
  assert.deepEqual([body.status, body.adjustmentId, body.qty], ["WAITING", null, -40], JSON.stringify(body));
  assert.deepEqual(await level("C"), [100, 100, 0]);
  const { countId } = body;
  const found = await anna.get("/exception/list?type=COUNT_DIFFERENCE");
  assert.match((found.body.items as { summary: string }[])[0]?.summary ?? "", /adjusts SKU C in DC1 from 100 to 60/);
  const count = (await anna.get(`/count/get/${countId}?clientId=DEMO`)).body;
  assert.deepEqual(
    [count.cause, count.status, count.note, count.lines[0].difference],
    ["ADJUSTMENT", "WAITING", "Water", -40],
  );
  await refused(anna.post(`/count/approve/${countId}?clientId=DEMO`, {}), 409, /another user approves it/);
  const approved = await ben.post(`/count/approve/${countId}?clientId=DEMO`, {});
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.deepEqual(await level("C"), [60, 60, 0]);
  assert.deepEqual((await newest("C"))?.reason, "DAMAGE");
  assert.equal((await goods.outbound("ADJ", `${countId}-APPROVED`)).length, 1);
});

test("the user who made an adjustment may reject it", async () => {
  const { body } = await adjust({ sku: "C", qty: 500, reasonCode: "FOUND" });
  const rejected = await anna.post(`/count/reject/${body.countId}?clientId=DEMO`, { reason: "Typing error" });
  assert.equal(rejected.status, 200, JSON.stringify(rejected.body));
  assert.deepEqual((await level("C"))[0], 60);
});

test("a quantity is put on hold and released, and allocated units are taken only on request", async () => {
  assert.equal((await hold({ sku: "D", qty: 30 })).status, 200);
  assert.deepEqual(await level("D"), [100, 70, 30]);
  const back = { fromCondition: "ON_HOLD", toCondition: "GOOD" };
  assert.equal((await hold({ sku: "D", qty: 10, ...back })).status, 200);
  assert.deepEqual(await level("D"), [100, 80, 20]);
  await demo.accept("NO", order("DEMO", "O-D", [{ sku: "D", qty: 75 }], { distributionCentre: "DC1" }));
  await goods.outbound("OS", "O-D");
  await refused(hold({ sku: "D", qty: 10 }), 409, /takes units that orders have allocated: 5 of SKU D/);
  assert.equal((await hold({ sku: "D", qty: 10, freesAllocations: true })).status, 200);
  assert.deepEqual((await level("D"))[2], 30);
  await refused(hold({ sku: "D", qty: 999, ...back }), 409, /there are 30/);
});

test("faults name their field, and limits of the user hold", async () => {
  await refused(adjust({ sku: "A" }), 422, /either qty, the difference, or countedQty/);
  await refused(adjust({ sku: "NOTHING", qty: 1 }), 422, /SKU NOTHING is unknown/);
  const body = await refused(adjust({ sku: "BATCH", qty: 1 }), 422, /kept by batch/);
  assert.deepEqual(
    (body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    ["#/batchRef"],
  );
  await refused(adjust({ sku: "SER", qty: 1 }), 422, /serial/);
  const kept = await adjust({ sku: "SER", qty: 1, serials: ["SN-1"], reasonCode: "FOUND" });
  assert.deepEqual([kept.status, kept.body.status], [200, "BOOKED"], JSON.stringify(kept.body));
  await refused(
    adjust({ sku: "A", qty: -1, clientId: "OTHER", distributionCentre: "DC2" }),
    422,
    /not a facility of OTHER/,
  );
  const unknown = { clientId: "ABSENT", sku: "A", qty: 1 };
  await refused(adjust(unknown), 403, /no such client/);
  await refused(hold(unknown), 403, /no such client/);
  assert.equal((await adjust({ sku: "A", qty: -1 }, viewer)).status, 403);
  assert.equal((await adjust({ sku: "A", qty: -1 }, ofDc2)).status, 403);
  assert.equal((await hold({ sku: "A", qty: 1 }, ofDc2)).status, 403);
});

test("the tolerance is that of a lot and a day: small adjustments of any users add up, and what another user approved does not", async () => {
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "OPEN-E",
    reasonCode: "FOUND",
    lines: [{ sku: "E", qty: 1_000 }],
  });
  const small = (qty: number, user: ConsoleUser = anna) => adjust({ sku: "E", qty }, user);
  // 2 % of 1,000 units.
  assert.equal((await small(-12)).body.status, "BOOKED");
  assert.equal((await small(-8, ben)).body.status, "BOOKED");
  const waiting = await small(-1);
  assert.deepEqual([waiting.status, waiting.body.status], [200, "WAITING"]);
  // Arrivals do not make up for departures.
  assert.equal((await small(2, ben)).body.status, "WAITING");
  assert.deepEqual(await level("E"), [980, 980, 0]);
  const approved = await ben.post(`/count/approve/${waiting.body.countId}?clientId=DEMO`, {});
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.deepEqual(await level("E"), [979, 979, 0]);
  const lines = await server.rows<{ detail: { lots?: object[] } }>(
    "select detail from audit_log where object_id = 'DC1/E' and actor like 'user:%' order by audit_id",
  );
  assert.deepEqual(
    lines.map(({ detail }) => detail.lots),
    [
      [{ stockPool: "DEFAULT", condition: "GOOD", qty: -12 }],
      [{ stockPool: "DEFAULT", condition: "GOOD", qty: -8 }],
      undefined,
    ],
  );
});

// lifecycle.md §1, Split orders: an order that several facilities fulfil, from its acceptance to its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { cancelOrder } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, order, type Parts } from "../../support/builders/documents.ts";
import { type Life, type LifeOptions, lifeOf, parcel } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");

const partial = { extendedAttributes: attributes({ ShipPartial: "true" }) };
const two = [{ sku: "A", qty: 2 }, "B"];

/** A client that splits orders. */
const splitting = (clientId: string, settings: Record<string, string> = {}, more: LifeOptions = {}) =>
  lifeOf(server, dc1, clientId, { settings: { splitOrders: "true", ...settings }, ...more });

/** A client with an order of 2 A at DC1 and 1 B at DC2. */
async function withSplit(clientId: string, settings: Record<string, string> = {}): Promise<Life> {
  const life = await splitting(clientId, settings);
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.stock([{ sku: "B", qty: 5 }], dc2);
  await life.place("1", two, {});
  return life;
}

/** The facilities of an order and of each of its lines: "DC1+DC2: DC1, DC2". */
async function places(life: Life, orderId: string): Promise<string> {
  const { distributionCentres, lines } = await life.shown(orderId);
  return `${distributionCentres.join("+")}: ${lines.map((line) => line.distributionCentre).join(", ")}`;
}

const rest = (life: Life, method: string, path: string, body?: object) =>
  restCalls(server.url, "/v1/orderService", life.client.credentials)(method, path, body);

const pick = ({ clientId }: Life, at: Port, lineNumber: number, qtyPicked: number) =>
  at.report("pick", { clientId, orderId: "1", lines: [{ lineNumber, qtyPicked }] });

const pack = async ({ clientId }: Life, at: Port, lineNumber: number, qty: number): Promise<string> => {
  const { olpns } = await at.report("pack", { clientId, orderId: "1", olpns: [parcel([{ lineNumber, qty }])] });
  return (olpns as { olpnId: string }[])[0]?.olpnId as string;
};

test("an order that no facility fills is split by lines, and each facility ships its part", async () => {
  const life = await withSplit("SPLIT");
  const { clientId } = life;
  assert.equal(await places(life, "1"), "DC1+DC2: DC1, DC2");
  assert.equal(await life.stands("1", 1), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("1", 2), "ALLOCATED Allocated 1");
  assert.deepEqual([await life.stockOf("A"), await life.stockOf("B", "DC2")], ["GOOD 5/2", "GOOD 5/1"]);
  assert.equal(await life.work("PICK", "1"), "v1: A 2");
  assert.equal(await life.work("PICK", "1", dc2), "v1: B 1");

  const ofOther = { clientId, orderId: "1", lines: [{ lineNumber: 2, qtyPicked: 1 }] };
  assert.equal(await dc1.refuse("pick", ofOther, 409), "Order 1, line 2 is fulfilled by DC2, not by DC1.");
  await pick(life, dc1, 1, 2);
  const ofDc1 = { clientId, orderId: "1", olpns: [parcel([{ lineNumber: 1, qty: 2 }])] };
  assert.equal(await dc2.refuse("pack", ofDc1, 409), "Order 1, line 1 is fulfilled by DC1, not by DC2.");
  const first = await pack(life, dc1, 1, 2);
  await dc1.report("despatch", { clientId, olpnIds: [first] });
  assert.equal(await life.stands("1", 1), "PARTIALLY_DESPATCHED Despatched 2");
  assert.equal(await life.work("PICK", "1", dc2), "v1: B 1");

  await pick(life, dc2, 2, 1);
  const second = await pack(life, dc2, 2, 1);
  await dc1.refuse("despatch", { clientId, olpnIds: [second] }, 404);
  await dc2.report("despatch", { clientId, olpnIds: [second] });
  assert.equal(await life.stands("1", 2), "DESPATCHED Despatched 1");
  const parcels = await Promise.all(
    [first, second].map(async (olpnId) => (await rest(life, "GET", `/olpn/get/${olpnId}`)).body.distributionCentre),
  );
  assert.deepEqual(parcels, ["DC1", "DC2"]);
  const last = (await life.documents("1")).at(-1);
  assert.deepEqual([last?.status, last?.distributionCentre, last?.shipments?.length], ["DESPATCHED", "DC1", 2]);
  const events = await server.rows<{ topic: string; facility_code: string }>(
    "select topic, facility_code from event where client_id = $1 and object_id = '1' and topic like 'parcel:%' order by position",
    clientId,
  );
  assert.deepEqual(
    events.map(({ topic, facility_code }) => `${topic} ${facility_code}`),
    ["parcel:packed DC1", "parcel:packed DC2"],
  );
  await life.assertSound();
});

test("no order is split that a facility fills, that names one, or whose client does not split", async () => {
  const life = await splitting("WHOLE");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.stock(
    [
      { sku: "A", qty: 5 },
      { sku: "B", qty: 5 },
    ],
    dc2,
  );
  await life.place("FILLS", two, {});
  assert.equal(await places(life, "FILLS"), "DC2: DC2, DC2");
  await life.place("NAMED", two, { distributionCentre: "DC1" });
  assert.equal(await places(life, "NAMED"), "DC1: DC1, DC1");
  await life.place("LACKS", [{ sku: "A", qty: 9 }, "B"], {});
  assert.equal(
    await places(life, "LACKS"),
    "DC1: DC1, DC1",
    "a line that no facility fills keeps an order that waits whole",
  );
  const off = await lifeOf(server, dc1, "OFF");
  await off.stock([{ sku: "A", qty: 5 }]);
  await off.stock([{ sku: "B", qty: 5 }], dc2);
  await off.place("1", two, {});
  assert.equal(await places(off, "1"), "DC1: DC1, DC1");
});

test("an order that may leave in parts is split where more of it leaves now", async () => {
  const life = await splitting("PARTS", {}, { items: ["A", "B", "C"] });
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.stock([{ sku: "B", qty: 1 }], dc2);
  await life.place("1", [...two, "C"], partial);
  assert.equal(await places(life, "1"), "DC1+DC2: DC1, DC2, DC1");
  assert.equal(await life.stands("1", 3), "PARTIALLY_ALLOCATED Backordered 1");
  assert.equal(await life.work("PICK", "1", dc2), "v1: B 1");
  const body = (await rest(life, "GET", "/order/explain/1")).body as unknown as OrderExplanation;
  assert.equal(body.routing.by, "SPLIT");
  assert.equal(body.routing.text, "No facility could fill all lines; together DC1 and DC2 fill more of them.");
  assert.match(body.summary, /^Line 3 waits for 1 EA of C at DC1: /);
  assert.deepEqual(
    body.lines.map((line) => [line.lineNumber, line.distributionCentre]),
    [
      [3, "DC1"],
      [1, "DC1"],
      [2, "DC2"],
    ],
  );
  await life.stock([{ sku: "C", qty: 1 }], dc2);
  assert.equal(await life.stands("1", 3), "PARTIALLY_ALLOCATED Backordered 1", "the line waits at its facility");
  await life.stock([{ sku: "C", qty: 1 }]);
  assert.equal(await life.stands("1", 3), "ALLOCATED Allocated 1");
  await life.assertSound();
});

test("a kit leaves from one facility", async () => {
  const set = { sku: "SET", components: { component: ["CUP", "TRAY"].map((sku) => ({ sku, qty: 1 })) } };
  const life = await splitting("KITS", {}, { items: ["A", "CUP", "TRAY", set] });
  await life.stock([
    { sku: "A", qty: 1 },
    { sku: "CUP", qty: 1 },
  ]);
  await life.stock([{ sku: "TRAY", qty: 1 }], dc2);
  await life.place("APART", ["A", "SET"], {});
  assert.equal(await places(life, "APART"), "DC1: DC1, DC1");
  await life.cancel("APART");
  await life.stock([{ sku: "CUP", qty: 1 }], dc2);
  await life.place("1", ["A", "SET"], {});
  assert.equal(await places(life, "1"), "DC1+DC2: DC1, DC2");
  assert.equal(await life.stands("1", 2), "ALLOCATED Allocated 1");
  assert.equal(await life.work("PICK", "1", dc2), "v1: CUP 1, TRAY 1");
  await life.assertSound();
});

test("every facility answers the cancellation of an order that one of them has taken", async () => {
  const life = await withSplit("STOP");
  const { clientId } = life;
  await pick(life, dc1, 1, 2);
  await life.serve((tx, change) => cancelOrder(tx.of(clientId, change), { orderId: "1", reason: "stop" }));
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v1: A 2");
  assert.equal(await life.work("CANCEL_REQUEST", "1", dc2), "v1: B 1");
  const answer = (lineNumber: number) => ({ clientId, orderId: "1", lines: [{ lineNumber, outcome: "CANCELLED" }] });
  assert.match(await dc1.refuse("cancel", answer(2), 409), /fulfilled by DC2/);
  assert.equal((await dc1.report("cancel", answer(1))).isAnswered, false);
  assert.equal((await dc2.report("cancel", answer(2))).isAnswered, true);
  assert.equal(await life.stands("1", 2), "CANCELLED (stop) Cancelled 1");
  assert.deepEqual([await life.stockOf("A"), await life.stockOf("B", "DC2")], ["GOOD 5/0", "GOOD 5/0"]);
  await life.assertSound();
});

test("a short pick in one facility looks for other stock of that facility", async () => {
  const life = await withSplit("SHORT");
  const { clientId } = life;
  await dc2.report("adjustment", life.adjust([{ sku: "B", qty: 3, condition: "GOOD" }]).body);
  await dc2.report("pick", { clientId, orderId: "1", lines: [{ lineNumber: 2, qtyPicked: 0, qtyShort: 1 }] });
  await life.quiet();
  assert.equal(await life.stands("1", 2), "ALLOCATED Allocated 1");
  assert.equal(await life.stockOf("B", "DC2"), "GOOD 7/1, ON_HOLD 1/0");
  await life.assertSound();
});

test("order/update with a distributionCentre gathers a split order there until a warehouse has taken it", async () => {
  const life = await withSplit("GATHER");
  assert.equal((await rest(life, "PATCH", "/order/update/1", { distributionCentre: "DC1" })).status, 200);
  await life.quiet();
  assert.equal(await places(life, "1"), "DC1: DC1, DC1");
  assert.equal(await life.stands("1", 2), "PARTIALLY_ALLOCATED Backordered 1");
  assert.equal(await life.work("PICK", "1", dc2), "v2 withdrawn");
  assert.equal(await life.stockOf("B", "DC2"), "GOOD 5/0");
  const taken = await withSplit("TAKEN");
  await pick(taken, dc2, 2, 1);
  const refused = await rest(taken, "PATCH", "/order/update/1", { distributionCentre: "DC1" });
  assert.equal(refused.status, 409);
  assert.match(String(refused.body.detail), /the warehouse has taken it/);
  await life.assertSound();
  await taken.assertSound();
});

test("an UPDATE keeps the facilities of the lines that it repeats", async () => {
  const life = await withSplit("UPDATE");
  await life.update("1", [{ sku: "A", qty: 3 }, { sku: "B", qty: 2 }, "A"]);
  assert.equal(await places(life, "1"), "DC1+DC2: DC1, DC2, DC1");
  assert.equal(await life.stands("1", 2), "ALLOCATED Allocated 2");
  await life.update("1", [{ sku: "A", qty: 3 }]);
  assert.equal(await places(life, "1"), "DC1: DC1");
  assert.equal(await life.work("PICK", "1", dc2), "v3 withdrawn");
  assert.deepEqual(await life.stockOf("B", "DC2"), "GOOD 5/0");
  await life.assertSound();
});

test("order/create splits an order as an NO does, and events name the facility of each line", async () => {
  const life = await withSplit("EVENTS");
  const rows = await server.rows<{ data: Parts; facility_code: string }>(
    "select data, facility_code from event where client_id = $1 and object_id = '1' and topic in ('order:received', 'order:updated') order by position",
    life.clientId,
  );
  assert.deepEqual(
    rows.slice(0, 2).map(({ data, facility_code }) => [facility_code, data.distributionCentres]),
    [
      ["DC1", ["DC1", "DC2"]],
      ["DC2", ["DC1", "DC2"]],
    ],
  );
  assert.deepEqual(
    (rows[0]?.data.lines as Parts[] | undefined)?.map(({ distributionCentre }) => distributionCentre),
    ["DC1", "DC2"],
  );
  await life.client.accept("NO", order(life.clientId, "PLAIN", ["A"], {}));
  await life.quiet();
  const [plain] = await server.rows<{ data: Parts }>(
    "select data from event where client_id = $1 and object_id = 'PLAIN' order by position limit 1",
    life.clientId,
  );
  assert.equal(plain?.data.distributionCentres, undefined);
});

test("the list of orders by facility has a split order at each of its facilities, page by page in the order of receipt", async () => {
  const life = await withSplit("LISTED");
  await life.place("2", ["B"], { distributionCentre: "DC2" });
  await life.place("3", ["A"], { distributionCentre: "DC1" });
  await life.place("4", two, {});
  const listed = async (query: string) => {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await rest(life, "GET", `/order/list?limit=1&${query}${cursor}`);
      found.push(...(body.items as { orderId: string }[]).map(({ orderId }) => orderId));
      if (!body.nextCursor) return found.join(" ");
      cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
    }
  };
  assert.equal(await listed("distributionCentre=DC1"), "1 3 4");
  assert.equal(await listed("distributionCentre=DC2"), "1 2 4");
  assert.equal(await listed("distributionCentre=DC2&sort=-receivedAt"), "4 2 1");
  assert.equal(await listed("distributionCentre=DC2&status=ALLOCATED"), "1 2 4");
  assert.equal(await listed("distributionCentre=DC2&status=PACKED"), "");
  assert.equal(
    await listed(`distributionCentre=DC2&updatedSince=${new Date(Date.now() - 3_600_000).toISOString()}`),
    "1 2 4",
  );
  assert.equal(
    await listed(`distributionCentre=DC2&updatedSince=${new Date(Date.now() + 3_600_000).toISOString()}`),
    "",
  );
  assert.equal(await listed("distributionCentre=DC2&externalOrderReference=NONE"), "");
});

// outbound.md, ACK and OS; webhooks.md §3: the documents and events of an order and its parcels, field by field.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createXmlEngine, element, text } from "#/intake/xml/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, cancelOrder, order, type Parts } from "../../support/builders/documents.ts";
import { type Life, lifeOf, parcel } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { fetchXml, list } from "../../support/webhooks/outbound-list.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const engine = await createXmlEngine();
const schema = engine.compile(readFileSync(new URL("../../../schemas/xsd/ACK.xsd", import.meta.url)));
const names = ["token", "feedType", "objectId", "result", "status", "distributionCentre"] as const;
const shape = element({ children: Object.fromEntries(names.map((name) => [name, text])) });
const toDc1: Parts = { distributionCentre: "DC1" };

/** The contents of the ACKs of a client's documents, by token: "PROCESSED ALLOCATED". */
async function acknowledged(life: Life): Promise<Map<string, string[]>> {
  await life.quiet();
  const { items } = await list(life.client, "?type=ACK&limit=500");
  const acks = new Map<string, string[]>();
  for (const { messageId } of items) {
    const read = engine.read(Buffer.from(await fetchXml(life.client, messageId)), { schema, shape });
    assert.ok(read.ok, read.ok ? "" : JSON.stringify(read.fault.problems));
    const { token, result, status } = read.value as Record<string, string>;
    acks.set(token as string, [...(acks.get(token as string) ?? []), `${result} ${status}`]);
  }
  return acks;
}

/** The data of an order's events under a topic. */
async function dataOf(life: Life, orderId: string, topic: string): Promise<Record<string, unknown>[]> {
  await life.quiet();
  const rows = await server.rows<{ data: Record<string, unknown>; facility_code: string }>(
    "select data, facility_code from event where client_id = $1 and object_id = $2 and topic = $3 order by position",
    life.clientId,
    orderId,
    topic,
  );
  for (const row of rows) assert.equal(row.facility_code, "DC1");
  return rows.map(({ data }) => data);
}

test("each document of an order has one ACK with the state of the order", async () => {
  const life = await lifeOf(server, dc1, "ACKS");
  await life.stock([{ sku: "A", qty: 3 }]);
  const send = async (xml: string): Promise<string> => (await life.client.accept("NO", xml)).token;
  const sent: [token: string, says: string][] = [];
  const tell = async (xml: string, says: string) => {
    const token = await send(xml);
    await life.client.outcome(token);
    sent.push([token, says]);
  };
  await tell(order("ACKS", "1", ["A"], toDc1), "PROCESSED ALLOCATED");
  await tell(order("ACKS", "2", ["B"], toDc1), "PROCESSED BACKORDERED");
  await tell(order("ACKS", "3", ["A"], { ...toDc1, doNotShip: "1" }), "PROCESSED ON_HOLD");
  await tell(order("ACKS", "1", [{ sku: "A", qty: 4 }], { actionType: "UPDATE" }), "PROCESSED PARTIALLY_ALLOCATED");
  await tell(order("ACKS", "1", [{ sku: "A", qty: 2 }], { actionType: "UPDATE" }), "PROCESSED ALLOCATED");
  await tell(cancelOrder("ACKS", "2"), "PROCESSED CANCELLED");
  await life.take("1");
  // An unanswered request: the order continues, and its outcome follows as OS.
  await tell(cancelOrder("ACKS", "1"), "PROCESSED ALLOCATED");
  const acks = await acknowledged(life);
  for (const [token, says] of sent) assert.deepEqual(acks.get(token), [says]);
  await life.assertSound();
});

test("the last OS of a held order shows a change of quantities, though the state stays", async () => {
  const life = await lifeOf(server, dc1, "HELD");
  const held = { ...toDc1, doNotShip: "1" };
  await life.place("1", [{ sku: "A", qty: 5 }, "B"], held);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { status } = await rest("POST", "/orderLine/cancel/1/1", { reason: "Not these" });
  assert.equal(status, 200);
  await life.update("1", [{ sku: "A", qty: 2 }, "B"], held);
  const reason = "(DO_NOT_SHIP: doNotShip of the order)";
  assert.deepEqual(await life.statuses("1"), [
    ...[`Open 5`, `Cancelled 5`, `Open 2`].map((buckets) => `ON_HOLD 30 ${reason}: ${buckets}`),
  ]);
  assert.deepEqual(await life.signals("1"), [
    ...["order:received", 10, 20, "order:held", 30, "order:updated", "order:updated"],
  ]);
  await life.assertSound();
});

test("an UPDATE that stock covers sends one OS, and no event of a part", async () => {
  const life = await lifeOf(server, dc1, "COVERED");
  await life.stock([{ sku: "A", qty: 50 }]);
  await life.place("1", [{ sku: "A", qty: 4 }]);
  await life.update("1", [{ sku: "A", qty: 40 }]);
  assert.deepEqual(await life.statuses("1"), ["ALLOCATED 50: Allocated 4", "ALLOCATED 50: Allocated 40"]);
  assert.deepEqual(await life.signals("1"), [
    ...["order:received", 10, 20, "order:allocated", 40, 50, "order:updated", "order:allocated"],
  ]);
  // An order that stock covers in part is partly allocated, and has its event.
  await life.update("1", [{ sku: "A", qty: 60 }]);
  assert.deepEqual((await life.statuses("1")).slice(2), ["PARTIALLY_ALLOCATED 48: Backordered 10 Allocated 50"]);
  assert.deepEqual((await life.signals("1")).slice(8), ["order:updated", "order:partiallyAllocated", 48]);
  await life.assertSound();
});

test("an OS tells that one parcel of several was delivered", async () => {
  const life = await lifeOf(server, dc1, "ONEOFTWO");
  await life.stock([{ sku: "A", qty: 2 }]);
  const [first] = await life.ship("1", "A", 1, 1);
  await dc1.report("carrierEvent", { olpnId: first, eventCode: 200, occurredAt: new Date().toISOString() });
  assert.deepEqual((await life.statuses("1")).slice(-2), [
    "DESPATCHED 100: Despatched 2",
    "DESPATCHED 100: Despatched 2 Delivered 1",
  ]);
  await life.assertSound();
});

test("the rest of a partly despatched, delivered order is cancelled without a step back", async () => {
  const life = await lifeOf(server, dc1, "REST");
  await life.stock([{ sku: "A", qty: 3 }]);
  const inParts = { ...toDc1, extendedAttributes: attributes({ ShipPartial: "true" }) };
  await life.place("1", [{ sku: "A", qty: 5 }], inParts);
  await life.pick("1", 3);
  const [olpnId = ""] = await life.pack("1", 3);
  await life.despatch(olpnId);
  await dc1.report("carrierEvent", { olpnId, eventCode: 200, occurredAt: new Date().toISOString() });
  await life.cancel("1");
  assert.equal(await life.stands("1"), "DELIVERED Despatched 3 Cancelled 2 Delivered 3");
  const signals = await life.signals("1");
  assert.deepEqual(signals.slice(signals.indexOf(95)), [95, 200, "order:delivered"]);
  const [{ lines }] = (await dataOf(life, "1", "order:delivered")) as [{ lines: [{ qtyCancelled: number }] }];
  assert.equal(lines[0].qtyCancelled, 2);
  await life.assertSound();
});

test("an order's event has its reference, state, code and lines with all buckets", async () => {
  const life = await lifeOf(server, dc1, "DATA");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }, "B"], { ...toDc1, externalOrderReference: "SHOP-1" });
  const [data] = await dataOf(life, "1", "order:partiallyAllocated");
  const gone = { qtyDespatched: 0, qtyCancelled: 0, qtyDelivered: 0, qtyReturned: 0 };
  const none = { qtyOpen: 0, qtyPicked: 0, qtyPacked: 0, ...gone };
  assert.deepEqual(data, {
    orderId: "1",
    externalOrderReference: "SHOP-1",
    status: "PARTIALLY_ALLOCATED",
    statusCode: 48,
    statusReason: null,
    distributionCentre: "DC1",
    holds: [],
    lines: [
      {
        lineNumber: 1,
        sku: "A",
        status: "ALLOCATED",
        qtyOrdered: 2,
        qtyAllocated: 2,
        qtyBackordered: 0,
        ...none,
      },
      {
        lineNumber: 2,
        sku: "B",
        status: "BACKORDERED",
        qtyOrdered: 1,
        qtyAllocated: 0,
        qtyBackordered: 1,
        ...none,
      },
    ],
  });
  await life.assertSound();
});

test("a parcel's events name it, its carrier, its load and what is in it", async () => {
  const life = await lifeOf(server, dc1, "PARCEL");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }], { ...toDc1, carrierCode: "RM" });
  await life.pick("1", 2);
  const labelled = parcel([{ lineNumber: 1, qty: 2 }], { trackingNumber: "T-1", carrierServiceCode: "RM48" });
  const { olpns } = await dc1.report("pack", { clientId: "PARCEL", orderId: "1", olpns: [labelled] });
  const [{ olpnId }] = olpns as [{ olpnId: string }];
  await dc1.report("load", { loadId: "L-PARCEL", olpnIds: [olpnId], vehicle: "VAN 7" });
  const facts = {
    orderId: "1",
    olpnId,
    trackingNumber: "T-1",
    trackingUrl: null,
    carrierCode: "RM",
    carrierServiceCode: "RM48",
    weight: 0.5,
    weightUomCode: "KG",
    contents: [{ lineNumber: 1, sku: "A", qty: 2 }],
  };
  assert.deepEqual(await dataOf(life, "1", "parcel:packed"), [{ ...facts, loadId: null }]);
  assert.deepEqual(await dataOf(life, "1", "parcel:load"), [{ ...facts, loadId: "L-PARCEL" }]);
  const loaded = (await dataOf(life, "1", "carrier:trackAndTrace")).find(({ eventCode }) => eventCode === 80);
  assert.deepEqual(
    [loaded?.eventName, loaded?.olpnId, loaded?.trackingNumber, loaded?.carrierCode],
    ["Parcel Loaded", olpnId, "T-1", "RM"],
  );
  await dc1.report("parcel/void", { clientId: "PARCEL", olpnId });
  assert.equal((await dataOf(life, "1", "parcel:voided"))[0]?.olpnId, olpnId);
  await life.assertSound();
});

test("a pick names lots, address and carrier; a task of an order is one, in versions", async () => {
  const life = await lifeOf(server, dc1, "TASK");
  await life.stock([{ sku: "A", qty: 2, batchRef: "B-1" }]);
  await life.place("1", [{ sku: "A", qty: 2 }], { ...toDc1, carrierCode: "RM" });
  const task = (await life.task("PICK", "1")) as unknown as Record<string, unknown>;
  const { taskId, releasedAt, shipTo, priority, carrierCode, lines, withdrawnAt, version } = task;
  const danger = { isHazmat: false, isBulky: false };
  assert.deepEqual(lines, [
    { lineNumber: 1, sku: "A", qty: 2, uom: "EA", stockPool: "DEFAULT", batchRef: "B-1", ...danger },
  ]);
  assert.deepEqual([priority, carrierCode, withdrawnAt, version, typeof releasedAt], [5, "RM", null, 1, "string"]);
  assert.deepEqual((shipTo as { zip: string }).zip, "LS1 4AP");
  await life.update("1", [{ sku: "A", qty: 1 }], { carrierCode: "DHL" });
  const next = (await life.task("PICK", "1")) as unknown as Record<string, unknown>;
  assert.deepEqual([next.taskId, next.version, next.carrierCode], [taskId, 2, "DHL"]);
  await life.cancel("1");
  const last = await life.task("PICK", "1");
  assert.deepEqual([last?.taskId, last?.version], [taskId, 3]);
  assert.notEqual(last?.withdrawnAt, null);
  await life.assertSound();
});

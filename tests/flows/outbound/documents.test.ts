// outbound.md: the documents that a client receives in the life of its goods and orders. Every document is valid
// against its published XSD, and the statements prove its books.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import { clearOfMidnight } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { assertBalanced, onHandOf, readParts } from "../../support/postgres/statements.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

// The requested snapshot must be the only one: a facility takes another one at its midnight.
await clearOfMidnight("Europe/London");
const server = await testServer();
const demo = await server.onboard("DEMO");
const dc1 = await warehouseOf(server);
const serialised = { sku: "SN", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", { sku: "LOT", captureBatchRef: "true" }, serialised]));

const engine = await createXmlEngine();
const anything = element({ children: {} });

interface Document {
  readonly messageId: string;
  readonly type: string;
  readonly objectId: string;
  readonly xml: string;
}

/** Fetches all pending documents over HTTP, and validates each against its schema. */
async function fetchAll(): Promise<Document[]> {
  const documents: Document[] = [];
  for (let cursor = ""; ; ) {
    const response = await demo.request(`/feeds/DEMO/outbound?limit=500${cursor}`);
    const page = (await response.json()) as { items: Omit<Document, "xml">[]; nextCursor: string };
    if (page.items.length === 0) return documents;
    for (const item of page.items) {
      const xml = await (await demo.request(`/feeds/DEMO/outbound/${item.messageId}`)).text();
      const schema = engine.compile(readFileSync(new URL(`../../../schemas/xsd/${item.type}.xsd`, import.meta.url)));
      const read = engine.read(Buffer.from(xml), { schema, shape: anything });
      assert.ok(read.ok, read.ok ? "" : `${JSON.stringify(read.fault.problems)}\n${xml}`);
      documents.push({ ...item, xml });
    }
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** Waits until the documents of an object match `last`, and returns them. */
async function documentsOf(type: string, objectId: string, last: RegExp): Promise<string[]> {
  let xmls: string[] = [];
  const find = async () => {
    xmls = (await fetchAll())
      .filter((document) => document.type === type && document.objectId === objectId)
      .map(({ xml }) => xml);
    return last.test(xmls.at(-1) ?? "") && xmls;
  };
  return until(() => `${type} of ${objectId}; the last is ${xmls.at(-1)}`, find);
}

const textOf = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
const isTask = (type: string, objectId: string) => (task: PortTask) => task.type === type && task.objectId === objectId;

test("receipts and their corrections are deltas with the total", async () => {
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "A", qty: 100 }, "LOT", "SN"]));
  const receipt = { clientId: "DEMO", poNumber: "PO-1", receiptId: "R-1" };
  const others = [
    { lineNumber: 2, sku: "LOT", qty: 1, batchRef: "B & <1>", expiryDate: "2090-01-31" },
    { lineNumber: 3, sku: "SN", qty: 1, serials: ["S-1"] },
  ];
  await dc1.report("goodsReceipt", { ...receipt, lines: [{ lineNumber: 1, sku: "A", qty: 90 }, ...others] });
  const lines = [{ lineNumber: 1, sku: "A", qty: 95 }, ...others];
  await dc1.report("goodsReceipt", { ...receipt, receiptId: "R-2", correctsReceiptId: "R-1", lines });
  const xmls = await documentsOf("GR", "PO-1", /R-2/);
  assert.deepEqual(
    xmls.map((xml) => ["receiptId", "correction", "qtyReceived", "qtyTotal"].map((name) => textOf(xml, name))),
    [
      ["R-1", "false", "90", "90"],
      ["R-2", "true", "5", "95"],
    ],
  );
  assert.match(xmls[0] as string, /<batchRef>B &amp; &lt;1&gt;<\/batchRef>\s*<expiryDate>2090-01-31</);
  assert.match(xmls[0] as string, /<serial>S-1<\/serial>/);
});

test("an order is reported at each state but RECEIVED, with its parcels", async () => {
  await demo.accept("NO", order("DEMO", "O-1", [{ sku: "A", qty: 3 }], { distributionCentre: "DC1" }));
  await dc1.task(isTask("PICK", "O-1"));
  const clientId = "DEMO";
  await dc1.report("pick", { clientId, orderId: "O-1", lines: [{ lineNumber: 1, qtyPicked: 3 }] });
  const olpn = { weight: 0.5, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 3 }] };
  const packed = await dc1.report("pack", { clientId, orderId: "O-1", olpns: [olpn] });
  const [{ olpnId }] = packed.olpns as [{ olpnId: string }];
  await dc1.report("despatch", { olpnIds: [olpnId] });
  const xmls = await documentsOf("OS", "O-1", /DESPATCHED/);
  assert.deepEqual(
    xmls.map((xml) => textOf(xml, "status")),
    ["ALLOCATED", "PICKING", "PACKED", "DESPATCHED"],
  );
  const last = xmls.at(-1) as string;
  assert.deepEqual(
    ["statusCode", "qtyOrdered", "qtyAllocated", "qtyDespatched", "olpnId"].map((name) => textOf(last, name)),
    ["100", "3", "0", "3", olpnId],
  );
  const times = xmls.map((xml) => textOf(xml, "statusTimeStamp") as string);
  assert.deepEqual(times, times.toSorted());
});

test("returns and adjustments are reported", async () => {
  await demo.accept("RMA", authorisation("DEMO", "RMA-1", [{ sku: "A", quantityReturned: 2 }]));
  const lines = [
    { lineNumber: 1, sku: "A", qty: 1, disposition: "RESELLABLE" },
    { lineNumber: 1, sku: "A", qty: 1, disposition: "SCRAP", note: "torn\u0007" },
  ];
  await dc1.report("return", { clientId: "DEMO", rmaNumber: "RMA-1", lines });
  await documentsOf("RS", "RMA-1", /<status>RECEIVED</);
  const moved = { sku: "A", qty: 4, fromCondition: "GOOD", toCondition: "DAMAGED" };
  await dc1.report("hold", { clientId: "DEMO", reasonCode: "CONDITION", lines: [moved] });
  await dc1.report("count", { clientId: "DEMO", countId: "C-1", lines: [{ sku: "A", countedQty: 80 }] });
  const [count] = await documentsOf("ADJ", "C-1", /<adjustmentId>C-1</);
  assert.equal(textOf(count as string, "reasonCode"), "COUNT");
});

test("after all of it a snapshot and its statement agree with the warehouse's books", async () => {
  const response = await demo.request("/feeds/DEMO/outbound/request", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "INV", distributionCentre: "DC1" }),
  });
  const { messageId } = (await response.json()) as { messageId: string };
  await until("the statement", async () => (await fetchAll()).some(({ type }) => type === "IMS"), 60_000);
  const inv = await readParts(server.database, "DEMO", "INV");
  assert.equal(inv[0]?.messageId, messageId);
  assert.deepEqual(assertBalanced(await readParts(server.database, "DEMO", "IMS")), onHandOf(inv));
  const stored = await server.rows<{ sku: string; qty: string }>(
    "select sku, sum(qty) as qty from stock_balance where client_id = 'DEMO' group by sku order by sku",
  );
  assert.deepEqual(new Map(stored.map(({ sku, qty }) => [sku, Number(qty)])), onHandOf(inv));
});

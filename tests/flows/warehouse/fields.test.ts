// rest.md §2, warehouse.md: a 422 of a report names each wrong field, as a 400 does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const captured = {
  sku: "KEPT",
  captureBatchRef: true,
  extendedAttributes: attributes({ CaptureSerial: "true", CaptureExpiry: "true" }),
};
const clientId = "FIELDS";
const life = await lifeOf(server, dc1, clientId, { items: ["A", captured] });

/** The field names in the answer to a refused report. */
async function fieldsOf(kind: string, body: object): Promise<string[]> {
  const { status, body: problem } = await dc1.post(`/${kind}/report`, { clientId, ...body });
  assert.equal(status, 422, JSON.stringify(problem));
  assert.equal(problem.title, "The request has a value that cannot be used here");
  return (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer);
}

test("a missing batch, expiry date or serial number is named by its field in every kind of report", async () => {
  await life.client.accept("PO", purchaseOrder(clientId, "PO-1", ["A", "KEPT"]));
  const bare = { sku: "KEPT", qty: 1 };
  const missing = ["batchRef", "expiryDate", "serials"].map((field) => `#/lines/0/${field}`);
  const reports: Readonly<Record<string, object>> = {
    goodsReceipt: { poNumber: "PO-1", receiptId: "R-1", lines: [{ ...bare, lineNumber: 2 }] },
    return: { returnId: "RET-1", lines: [{ ...bare, disposition: "RESELLABLE" }] },
    adjustment: { adjustmentId: "ADJ-1", reasonCode: "FOUND", lines: [bare] },
    hold: { reasonCode: "CONDITION", lines: [{ ...bare, fromCondition: "GOOD", toCondition: "ON_HOLD" }] },
    count: { countId: "CNT-1", lines: [{ sku: "KEPT", countedQty: 1 }] },
  };
  for (const [kind, body] of Object.entries(reports)) assert.deepEqual(await fieldsOf(kind, body), missing, kind);
});

test("a pick and a pack name the serial numbers that they lack, each by its place", async () => {
  const lot = { sku: "KEPT", batchRef: "B-1", expiryDate: "2090-01-31" };
  const goods = { poNumber: "PO-1", receiptId: "R-2", lines: [{ ...lot, lineNumber: 2, qty: 1, serials: ["S-1"] }] };
  await dc1.report("goodsReceipt", { clientId, ...goods });
  await life.place("O-1", ["KEPT"]);
  await dc1.task(({ objectId, type }) => objectId === "O-1" && type === "PICK");
  const named = { batchRef: "B-1", expiryDate: "2090-01-31" };
  const line = { lineNumber: 1, qtyPicked: 1, ...named };
  assert.deepEqual(await fieldsOf("pick", { orderId: "O-1", lines: [line] }), ["#/lines/0/serials"]);
  await dc1.report("pick", { clientId, orderId: "O-1", lines: [{ ...line, serials: ["S-1"] }] });
  const contents = [{ lineNumber: 1, qty: 1, batchRef: "B-1" }];
  const olpns = [{ weight: 1, weightUomCode: "KG", contents }];
  assert.deepEqual(await fieldsOf("pack", { orderId: "O-1", olpns }), ["#/olpns/0/contents/0/serials"]);
});

test("in a batch the fields are those of the batch's body", async () => {
  const adjustment = (adjustmentId: string, sku: string) => {
    return { clientId, adjustmentId, reasonCode: "FOUND", lines: [{ sku, qty: 1 }] };
  };
  const { status, body } = await dc1.post("/adjustment/report", {
    reports: [adjustment("ADJ-2", "A"), adjustment("ADJ-3", "NO-SUCH-SKU")],
  });
  const results = body.results as { status: string; problem?: { errors: { pointer: string }[] } }[];
  assert.deepEqual([status, results.map((result) => result.status)], [200, ["ACCEPTED", "REJECTED"]]);
  assert.deepEqual(
    results[1]?.problem?.errors.map(({ pointer }) => pointer),
    ["#/reports/1/lines/0/sku"],
  );
});

test("a stock pool that the client does not have is refused in reports and orders, until a setting names it", async () => {
  const receipt = (receiptId: string) => ({
    poNumber: "PO-1",
    receiptId,
    lines: [{ lineNumber: 1, sku: "A", qty: 1, stockPool: "RETIAL" }],
  });
  assert.deepEqual(await fieldsOf("goodsReceipt", receipt("R-3")), ["#/lines/0/stockPool"]);
  const adjusted = { adjustmentId: "ADJ-4", reasonCode: "FOUND", lines: [{ sku: "A", qty: 1, stockPool: "RETIAL" }] };
  const detail = await dc1.refuse("adjustment", { clientId, ...adjusted }, 422);
  assert.match(detail, /'RETIAL' is not a stock pool of the client; it has DEFAULT/);
  const ordered = order(clientId, "O-2", [{ sku: "A", stockPool: "RETIAL" }]);
  await life.client.refuse(
    "NO",
    ordered,
    "[VALUE] lines/line/stockPool: 'RETIAL' is not a stock pool of the client; it has DEFAULT",
  );
  await life.client.set({ stockPools: "RETIAL" });
  await dc1.report("goodsReceipt", { clientId, ...receipt("R-3") });
  await life.client.accept("NO", ordered);
  // A pool with stock stays one of the client's: its goods could not be reported any more.
  await assert.rejects(life.client.set({ stockPools: "" }), /stock pool RETIAL has 1 lot in stock/);
  await life.pick("O-2", 1);
});

test("a weight without its unit is refused; a client that merges may leave out a unit that is known", async () => {
  const heavy = (sku: string, more: object = {}) => catalogue(clientId, [{ sku, weight: 2, ...more }]);
  const required = "is required where a weight is given; allowed: KG, KGM, G, GRM, LB, LBR, OZ, ONZ";
  const refused = () => life.client.refuse("CAT", heavy("W"), `[VALUE] item/weightUomCode: ${required}`);
  await refused();
  await life.client.accept("CAT", catalogue(clientId, [{ sku: "W", weight: 0 }]));
  await life.client.set({ catMode: "MERGE" });
  await refused();
  await life.client.accept("CAT", heavy("W", { weightUomCode: "KG" }));
  await life.client.accept("CAT", heavy("W"));
});

// warehouse.md: the documents of several parcels in one print.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import { type Packed, packingWorld } from "../../support/papers/packing.ts";
import { textOfPages } from "../../support/papers/printed-papers.ts";
import { carrierOf, type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const life = await packingWorld({ server, dc1 }, "ONE");
const other = await packingWorld({ server, dc1 }, "TWO");

async function request(port: Port, path: string, body?: object) {
  const response = await fetch(`${server.url}/v1/warehouseService${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${port.token}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const print = (body: object) => request(dc1, "/print/batch", body);
const pagesOf = (pdf: Buffer) =>
  [...pdf.toString("latin1").matchAll(/\/MediaBox \[0 0 ([\d.]+) [\d.]+\]/g)].map(([, width]) => width);

await life.picked("B-1", 2);
await other.picked("B-2");
const [first, second] = await life.pack("B-1", {}, {});
const third = await other.packOne("B-2");
assert.ok(first && second);
const olpnIds = [third.olpnId, second.olpnId, first.olpnId];

const labelOf = async ({ documents }: Packed) => {
  const label = documents.find(({ contentType }) => contentType === "application/zpl");
  return (await request(dc1, `/document/get/${label?.documentId}`)).bytes;
};

test("labels of several clients' parcels are one stream of ZPL, in the order of the request", async () => {
  const { status, headers, bytes } = await print({ olpnIds: [...olpnIds, third.olpnId], format: "zpl" });
  assert.deepEqual([status, headers.get("content-type")], [200, "application/zpl"]);
  assert.deepEqual(bytes, Buffer.concat(await Promise.all([third, second, first].map(labelOf))));
});

test("a wave is the list of its orders: the parcels of each as they were packed, in the order of the list", async () => {
  const labels = await print({ orderIds: ["B-2", "B-1", "B-2"], format: "zpl" });
  assert.deepEqual([labels.status, labels.headers.get("content-type")], [200, "application/zpl"]);
  assert.deepEqual(labels.bytes, Buffer.concat(await Promise.all([third, first, second].map(labelOf))));
  const slips = await print({ orderIds: ["B-1"], types: ["PACKING_SLIP"] });
  assert.deepEqual([slips.status, pagesOf(slips.bytes)], [200, ["595.28", "595.28"]]);
});

test("an order that is unknown, not packed, or of two clients refuses the wave by its name", async () => {
  const faultOf = async (status: number, body: object, port = dc1) => {
    const refused = await port.post("/print/batch", body);
    problemOf(refused, status);
    const [error] = (refused.body.errors ?? []) as { pointer: string; message: string }[];
    return error === undefined ? String(refused.body.detail) : `${error.pointer} ${error.message}`;
  };
  assert.equal(await faultOf(404, { orderIds: ["B-1", "B-9"] }), "The facility has no order B-9.");
  assert.equal(await faultOf(404, { orderIds: ["B-1"] }, dc2), "The facility has no order B-1.");
  assert.equal(await faultOf(404, { orderIds: ["B-2"], clientId: "ONE" }), "The facility has no order B-2.");
  await life.picked("B-3");
  assert.equal(
    await faultOf(422, { orderIds: ["B-1", "B-3"] }),
    "#/orderIds/1 order B-3 has no parcel: it is not packed",
  );
  assert.equal(
    await faultOf(422, { orderIds: ["B-2", "B-1"], types: ["CN22"] }),
    `#/orderIds/0 parcel ${third.olpnId} of order B-2 has no such document as pdf`,
  );
  await other.picked("B-3");
  const ofOther = await other.packOne("B-3");
  assert.equal(
    await faultOf(400, { orderIds: ["B-3"] }),
    "#/clientId is required: several clients of the facility have an order B-3",
  );
  const { bytes } = await print({ orderIds: ["B-3"], clientId: "TWO", format: "zpl" });
  assert.deepEqual(bytes, await labelOf(ofOther));
  assert.equal(await faultOf(400, {}), "#/olpnIds is required, or orderIds");
  assert.match(await faultOf(400, { olpnIds, orderIds: ["B-1"] }), /^#\/olpnIds is not allowed together with orderIds/);
  assert.match(await faultOf(400, { olpnIds, clientId: "TWO" }), /^#\/clientId is only allowed with orderIds/);
});

test("a wave has at most 100 parcels", async () => {
  await life.stock([{ sku: "A", qty: 101 }]);
  await life.picked("B-100", 100);
  await life.pack("B-100", ...Array.from({ length: 100 }, () => ({})));
  const full = await print({ orderIds: ["B-100"], format: "zpl" });
  assert.deepEqual([full.status, full.bytes.toString("latin1").split("^XA").length - 1], [200, 100]);
  const refused = await dc1.post("/print/batch", { orderIds: ["B-2", "B-100"] });
  problemOf(refused, 422);
  assert.match(JSON.stringify(refused.body.errors), /have more than 100 parcels together: name fewer orders/);
  problemOf(await dc1.post("/print/batch", { orderIds: Array.from({ length: 101 }, (_, i) => `${i}`) }), 400);
});

test("documents are one PDF whose pages keep their sizes", async () => {
  const labels = await print({ olpnIds, types: ["SHIPPING_LABEL"] });
  assert.deepEqual([labels.status, labels.headers.get("content-type")], [200, "application/pdf"]);
  assert.deepEqual(pagesOf(labels.bytes), ["288", "288", "288"]);
  const all = await print({ olpnIds: [first.olpnId], types: ["SHIPPING_LABEL", "PACKING_SLIP"] });
  assert.deepEqual(pagesOf(all.bytes), ["288", "595.28"]);
  assert.deepEqual(pagesOf((await print({ olpnIds: [first.olpnId] })).bytes), ["595.28", "288"]);
});

test("each page shows its parcel", async () => {
  const { bytes } = await print({ olpnIds, types: ["SHIPPING_LABEL"] });
  const pages = textOfPages(bytes).map((page) => page.replaceAll(/\D/g, ""));
  for (const [i, olpnId] of olpnIds.entries()) assert.ok(pages[i]?.includes(olpnId), `page ${i + 1}`);
});

test("an operator prints the papers of orders, those of the own facilities alone", async () => {
  const operator = await signIn(server, "operator");
  const ofDc2 = await signIn(server, "operator", { facilityCodes: ["DC2"] });
  const wanted = { orderIds: ["B-1"], types: ["SHIPPING_LABEL", "PACKING_SLIP"], format: "pdf" };
  const printed = await operator.post("/order/print?clientId=ONE", wanted);
  assert.deepEqual([printed.status, printed.headers.get("content-type")], [200, "application/pdf"]);
  assert.deepEqual(pagesOf(Buffer.from(printed.body)), ["288", "595.28", "288", "595.28"]);
  const labels = await operator.post("/order/print?clientId=ONE", {
    ...wanted,
    types: ["SHIPPING_LABEL"],
    format: "zpl",
  });
  assert.equal(labels.headers.get("content-type"), "application/zpl");
  for (const refused of [
    await operator.post("/order/print?clientId=ONE", { ...wanted, orderIds: ["B-1", "B-100"] }),
    await ofDc2.post("/order/print?clientId=ONE", wanted),
  ])
    assert.equal(refused.status, 422);
  const lines = await server.rows(
    "select 1 from audit_log where object_type = 'paper' and action = 'read' and object_id = 'B-1'",
  );
  assert.equal(lines.length, 1, "who read the addresses is recorded");
  const viewer = await signIn(server, "viewer");
  assert.equal((await viewer.post("/order/print?clientId=ONE", wanted)).status, 403);
});

test("a parcel without the document, or of another facility, refuses the print", async () => {
  const lacking = await dc1.post("/print/batch", { olpnIds, types: ["PACKING_SLIP"], format: "zpl" });
  problemOf(lacking, 422);
  assert.deepEqual(
    (lacking.body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    ["#/olpnIds/0", "#/olpnIds/1", "#/olpnIds/2"],
  );
  problemOf(await dc2.post("/print/batch", { olpnIds }), 404);
  problemOf(await dc1.post("/print/batch", { olpnIds: ["006141410000099999"] }), 404);
  problemOf(await dc1.post("/print/batch", { olpnIds: [] }), 400);
  problemOf(await dc1.post("/print/batch", { olpnIds: Array.from({ length: 101 }, (_, i) => `${i}`) }), 400);
  problemOf(await (await carrierOf(server, "RM")).post("/print/batch", { olpnIds }), 403);
  await dc1.report("parcel/void", { clientId: "TWO", olpnId: third.olpnId });
  problemOf(await dc1.post("/print/batch", { olpnIds: [third.olpnId] }), 422);
  problemOf(await dc1.post("/print/batch", { orderIds: ["B-2"] }), 422);
});

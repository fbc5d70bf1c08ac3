// warehouse.md: the documents of several parcels in one print.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { readersMissing, textOfPages } from "../../support/papers/printed-papers.ts";
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

test("labels of several clients' parcels are one stream of ZPL, in the order of the request", async () => {
  const { status, headers, bytes } = await print({ olpnIds: [...olpnIds, third.olpnId], format: "zpl" });
  assert.deepEqual([status, headers.get("content-type")], [200, "application/zpl"]);
  const labels: Buffer[] = [];
  for (const { documents } of [third, second, first]) {
    const label = documents.find(({ contentType }) => contentType === "application/zpl");
    labels.push((await request(dc1, `/document/get/${label?.documentId}`)).bytes);
  }
  assert.deepEqual(bytes, Buffer.concat(labels));
});

test("documents are one PDF whose pages keep their sizes", async () => {
  const labels = await print({ olpnIds, types: ["SHIPPING_LABEL"] });
  assert.deepEqual([labels.status, labels.headers.get("content-type")], [200, "application/pdf"]);
  assert.deepEqual(pagesOf(labels.bytes), ["288", "288", "288"]);
  const all = await print({ olpnIds: [first.olpnId], types: ["SHIPPING_LABEL", "PACKING_SLIP"] });
  assert.deepEqual(pagesOf(all.bytes), ["288", "595.28"]);
  assert.deepEqual(pagesOf((await print({ olpnIds: [first.olpnId] })).bytes), ["595.28", "288"]);
});

test("each page shows its parcel", { skip: readersMissing() }, async () => {
  const { bytes } = await print({ olpnIds, types: ["SHIPPING_LABEL"] });
  const pages = textOfPages(bytes).map((page) => page.replaceAll(/\D/g, ""));
  for (const [i, olpnId] of olpnIds.entries()) assert.ok(pages[i]?.includes(olpnId), `page ${i + 1}`);
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
});

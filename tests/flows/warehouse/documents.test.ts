// warehouse.md: the warehouse fetches only the documents of parcels that it packed.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { barcodesOfPng } from "../../support/papers/printed-papers.ts";
import { type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const worldOf = packingWorld.bind(undefined, { server, dc1 });

/** A request to the port whose answer may be bytes. */
async function get(port: Port, path: string, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${port.token}`;
  const response = await fetch(`${server.url}/v1/warehouseService/document${path}`, {
    headers: { authorization, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(`${bytes}`) : {} };
}

async function list(query: string): Promise<{ documentId: string; contentType: string; olpnId: string }[]> {
  const { status, body } = await get(dc1, `/list?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

test("the ids that a pack report answers are listed by order and by parcel, and fetched byte for byte", async () => {
  const life = await worldOf("BYTES");
  await life.picked("B-1", 2);
  const [first, second] = await life.pack("B-1", {}, {});
  assert.ok(first && second);
  const idsOf = (items: readonly { readonly documentId: string }[]) => items.map(({ documentId }) => documentId);
  const all = idsOf([...first.documents, ...second.documents]);
  assert.deepEqual(idsOf(await list("orderId=B-1")), all);
  assert.deepEqual(idsOf(await list("orderId=B-1&sort=-receivedAt")), all.toReversed());
  assert.deepEqual(idsOf(await list(`olpnId=${second.olpnId}`)), idsOf(second.documents));
  assert.deepEqual(idsOf(await list(`orderId=B-1&clientId=BYTES&olpnId=${first.olpnId}`)), idsOf(first.documents));
  const page = await get(dc1, "/list?orderId=B-1&limit=4");
  const rest = await get(dc1, `/list?orderId=B-1&limit=4&cursor=${page.body.nextCursor}`);
  assert.deepEqual(idsOf([...page.body.items, ...rest.body.items]), all);
  for (const { documentId, contentType } of first.documents) {
    const [direct, clients] = await Promise.all([
      get(dc1, `/get/${documentId}`),
      life.orders.get(`/document/get/${documentId}`),
    ]);
    assert.deepEqual([direct.status, direct.headers.get("content-type")], [200, contentType]);
    assert.deepEqual(direct.bytes, clients.bytes);
    const etag = `"${hash("sha256", direct.bytes)}"`;
    assert.equal(direct.headers.get("etag"), etag);
    assert.equal((await get(dc1, `/get/${documentId}`, { "if-none-match": etag })).status, 304);
  }
});

test("format and Accept choose the form of a label; a form that does not exist is a 406 that names those that do", async () => {
  const life = await worldOf("FORMS");
  await life.picked("F-1");
  const { documents } = await life.packOne("F-1");
  const [slip, pdf, zpl] = documents;
  assert.deepEqual([pdf?.contentType, zpl?.contentType], ["application/pdf", "application/zpl"]);
  const typeOf = async (id: string | undefined, query = "", accept?: string) => {
    const { status, headers } = await get(dc1, `/get/${id}${query}`, accept === undefined ? {} : { accept });
    return [status, headers.get("content-type")];
  };
  for (const label of [pdf, zpl]) {
    assert.deepEqual(await typeOf(label?.documentId, "?format=zpl"), [200, "application/zpl"]);
    assert.deepEqual(await typeOf(label?.documentId, "?format=pdf"), [200, "application/pdf"]);
    assert.deepEqual(await typeOf(label?.documentId, "", "application/zpl"), [200, "application/zpl"]);
    assert.deepEqual(await typeOf(label?.documentId, "", "*/*"), [200, label?.contentType]);
    assert.deepEqual(await typeOf(label?.documentId, "?format=pdf", "application/zpl"), [200, "application/pdf"]);
  }
  const text = problemOf(await get(dc1, `/get/${pdf?.documentId}`, { accept: "text/plain" }), 406);
  assert.equal(text.code, "not-acceptable");
  assert.match(
    text.detail,
    /exists as application\/pdf \(format=pdf\), application\/zpl .*, image\/png \(format=png\)/,
  );
  const ofSlip = problemOf(await get(dc1, `/get/${slip?.documentId}?format=zpl`), 406);
  assert.equal(ofSlip.detail, "The document exists as application/pdf (format=pdf), image/png (format=png).");
});

test("a label as PNG has the size of the label printer's, and its bar code is read", async () => {
  const life = await worldOf("PICTURE");
  await life.picked("P-1");
  const { documents, olpnId } = await life.packOne("P-1");
  const [slip, pdf, zpl] = documents;
  for (const label of [pdf, zpl]) {
    const { status, headers, bytes } = await get(dc1, `/get/${label?.documentId}?format=png`);
    assert.deepEqual([status, headers.get("content-type")], [200, "image/png"]);
    assert.match(headers.get("content-disposition") ?? "", /shipping-label-.*\.png"$/);
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [812, 1219]);
    assert.deepEqual(await barcodesOfPng(bytes), [`Code128:(00)${olpnId}`]);
    const etag = headers.get("etag") ?? "";
    assert.match(etag, /^"[0-9a-f]{64}-png"$/);
    assert.equal(headers.get("content-digest"), `sha-256=:${hash("sha256", bytes, "base64")}:`);
    assert.equal((await get(dc1, `/get/${label?.documentId}?format=png`, { "if-none-match": etag })).status, 304);
  }
  const page = await get(dc1, `/get/${slip?.documentId}`, { accept: "image/png" });
  assert.deepEqual([page.headers.get("content-type"), page.bytes.readUInt32BE(16)], ["image/png", 1679]);
});

test("papers of another facility, and what no one has, are the same 404", async () => {
  const life = await worldOf("SECRET");
  await life.picked("S-1");
  const { documents, olpnId } = await life.packOne("S-1");
  const [paper] = documents;
  const nobody = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";
  const detailsOf = async (...paths: string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const { code, detail } = problemOf(await get(dc2, path), 404);
        assert.equal(code, "not-found");
        return detail;
      }),
    );
  for (const [foreign, unknown] of [
    await detailsOf(`/get/${paper?.documentId}`, `/get/${nobody}`),
    await detailsOf("/list?orderId=S-1", "/list?orderId=NONE"),
    await detailsOf("/list?orderId=S-1&clientId=SECRET", "/list?orderId=S-1&clientId=NOBODY"),
    await detailsOf(`/list?olpnId=${olpnId}`, "/list?olpnId=006141410000000999"),
  ]) {
    assert.equal(foreign, unknown);
  }
  assert.equal((await get(dc1, `/get/${paper?.documentId}`)).status, 200);
  problemOf(await get(dc1, `/list?olpnId=${olpnId}&orderId=S-2`), 404);
  problemOf(await get(dc1, "/get/no-uuid"), 404);
});

test("an orderId that several clients of the facility have asks for the client", async () => {
  const [ours, theirs] = [await worldOf("OURS"), await worldOf("THEIRS")];
  for (const life of [ours, theirs]) {
    await life.picked("SAME");
    await life.packOne("SAME");
  }
  const refused = await get(dc1, "/list?orderId=SAME");
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, "/query/clientId"]);
  const documents = await list("orderId=SAME&clientId=OURS");
  assert.deepEqual(
    documents.map(({ documentId }) => documentId),
    (await ours.papers("SAME")).map(({ documentId }) => documentId),
  );
  const nothing = await get(dc1, "/list");
  assert.deepEqual([nothing.status, nothing.body.errors[0].pointer], [400, "/query/orderId"]);
});

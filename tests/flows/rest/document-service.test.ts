// rest.md §3 and §4, papers of orders: their list, and their bytes.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { keepDocuments, type NewDocument } from "#/modules/documents/index.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { faultsOf, orderOperationsOf, problemOf } from "../../support/builders/order-operations.ts";

const server = await testServer();
const client = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const demo = await orderOperationsOf(server, client);
const stranger = await orderOperationsOf(server, other);
await client.accept("CAT", catalogue("DEMO", ["A"]));
const place = (orderId: string) => client.accept("NO", order("DEMO", orderId, ["A"]));

const slip = (orderId: string, text: string, more: Partial<NewDocument> = {}): NewDocument => ({
  ...{ orderId, olpnId: undefined, type: "PACKING_SLIP", contentType: "application/pdf", language: "en-GB" },
  bytes: Buffer.from(`%PDF-1.7 ${text}`),
  ...more,
});
const label = (orderId: string, olpnId: string, text: string): NewDocument =>
  slip(orderId, "", {
    ...{ olpnId, type: "SHIPPING_LABEL", contentType: "application/zpl", language: undefined },
    bytes: Buffer.from(`^XA^FD${text}^FS^XZ`),
  });
const keep = (...documents: NewDocument[]) =>
  server.operate((tx, change) => keepDocuments(tx, change, "DEMO", documents));

test("an order lists its papers as they were made; one without has an empty list", async () => {
  await place("O-1");
  assert.deepEqual(await demo.list("/document/list/O-1"), { items: [], nextCursor: null });
  const paper = slip("O-1", "one");
  const [first] = await keep(paper);
  const olpnId = "006141410000000012";
  const [second] = await keep(label("O-1", olpnId, "two"));
  await place("O-1b");
  await keep(slip("O-1b", "of another order"));
  assert.ok(first && second);
  const { items, nextCursor } = await demo.list("/document/list/O-1");
  assert.equal(nextCursor, null);
  assert.deepEqual(items, [
    {
      ...{ documentId: first.documentId, orderId: "O-1", olpnId: null, type: "PACKING_SLIP" },
      ...{ contentType: "application/pdf", language: "en-GB", createdAt: first.createdAt },
      ...{ size: paper.bytes.byteLength, sha256: hash("sha256", paper.bytes) },
    },
    {
      ...{ documentId: second.documentId, orderId: "O-1", olpnId, type: "SHIPPING_LABEL" },
      ...{ contentType: "application/zpl", language: null, createdAt: second.createdAt },
      ...{ size: 15, sha256: hash("sha256", "^XA^FDtwo^FS^XZ") },
    },
  ]);
});

test("a paper is answered as its bytes, with its form, a file name and what proves it whole", async () => {
  await place("O-2");
  // All 256 bytes, which must arrive unchanged.
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const png = { type: "COMMERCIAL_INVOICE", contentType: "image/png", language: undefined, bytes } as const;
  const kept = await keep(slip("O-2", "x"), label("O-2", "006141410000000029", "x"), slip("O-2", "", png));
  const answers = await Promise.all(kept.map(({ documentId }) => demo.get(`/document/get/${documentId}`)));
  assert.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      ...["content-type", "content-disposition", "x-content-type-options"].map((name) => headers.get(name)),
    ]),
    [
      [200, "application/pdf", 'attachment; filename="packing-slip-O-2.pdf"', "nosniff"],
      [200, "application/zpl", 'attachment; filename="shipping-label-006141410000000029.zpl"', "nosniff"],
      [200, "image/png", 'attachment; filename="commercial-invoice-O-2.png"', "nosniff"],
    ],
  );
  const [, , answer] = answers;
  assert.deepEqual(answer?.bytes, bytes);
  assert.equal(answer?.headers.get("content-length"), "256");
  assert.equal(answer?.headers.get("etag"), `"${hash("sha256", bytes)}"`);
  assert.equal(answer?.headers.get("content-digest"), `sha-256=:${hash("sha256", bytes, "base64")}:`);
  assert.equal(answer?.headers.get("cache-control"), "no-store");
});

test("whoever still has the paper is told so, and is sent nothing", async () => {
  await place("O-3");
  const [kept] = await keep(slip("O-3", "same"));
  const path = `/document/get/${kept?.documentId}`;
  const tag = (await demo.get(path)).headers.get("etag") as string;
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const { status, bytes, headers } = await demo.get(path, { "if-none-match": held });
    assert.deepEqual([status, bytes.length, headers.get("etag")], [304, 0, tag], held);
  }
  for (const held of ['"other"', tag.slice(1, -1)]) {
    assert.equal((await demo.get(path, { "if-none-match": held })).status, 200, held);
  }
});

test("made again, a paper takes the place of the one before; made again as it was, nothing changes", async () => {
  await place("O-4");
  const olpnId = "006141410000000036";
  const [first, other] = await keep(label("O-4", olpnId, "first"), slip("O-4", "en"));
  assert.ok(first && other);
  const [same] = await keep(label("O-4", olpnId, "first"));
  assert.deepEqual(same, first);
  // If a call contains the same paper twice, the last one is stored.
  const [again, french] = await keep(
    label("O-4", olpnId, "lost"),
    label("O-4", olpnId, "again"),
    slip("O-4", "fr", { language: "fr-FR" }),
  );
  assert.equal(again?.documentId, first.documentId);
  assert.ok((again?.createdAt ?? "") > first.createdAt);
  const { bytes, headers } = await demo.get(`/document/get/${first.documentId}`);
  assert.deepEqual([String(bytes), headers.get("etag")], ["^XA^FDagain^FS^XZ", `"${again?.sha256.toString("hex")}"`]);
  const ids = (await demo.list("/document/list/O-4")).items.map(({ documentId }) => documentId);
  assert.deepEqual(ids, [first.documentId, other.documentId, french?.documentId]);
});

test("a long list comes in pages, both ways, stable while papers are made", async () => {
  await place("O-5");
  const made = (await keep(...["1", "2", "3", "4", "5"].map((n) => label("O-5", n, n)))).map((it) => it.documentId);
  let more = 0;
  const keepMore = () => keep(label("O-5", `more-${++more}`, "x"));
  const query = { limit: "2" };
  assert.deepEqual(await demo.walk("/document/list/O-5", "documentId", { ...query, sort: "-receivedAt" }, keepMore), [
    ...made.toReversed(),
  ]);
  const forward = await demo.walk("/document/list/O-5", "documentId", query, keepMore);
  assert.deepEqual(forward.slice(0, made.length), made);
  assert.equal(new Set(forward).size, forward.length);
  assert.equal(forward.length, (await demo.walk("/document/list/O-5", "documentId", {})).length);
});

test("an odd order number is found by its percent-encoded name, and makes no odd file name", async () => {
  for (const orderId of ["A/../B", '50% "off"; x', "Größe №7 📦"]) {
    await place(orderId);
    const [kept] = await keep(slip(orderId, "odd"));
    const { items } = await demo.list(`/document/list/${encodeURIComponent(orderId)}`);
    assert.deepEqual(
      items.map((item) => [item.orderId, item.documentId]),
      [[orderId, kept?.documentId]],
    );
    const { headers } = await demo.get(`/document/get/${kept?.documentId}`);
    assert.match(
      headers.get("content-disposition") as string,
      /^attachment; filename="packing-slip-[A-Za-z0-9_.-]+\.pdf"$/,
    );
  }
});

test("what is another client's, or nobody's, is not there", async () => {
  await place("O-6");
  const [kept] = await keep(slip("O-6", "ours"));
  for (const called of [
    await stranger.get(`/document/get/${kept?.documentId}`),
    await stranger.get("/document/list/O-6"),
    await demo.get("/document/list/NONE"),
    await demo.get("/document/get/019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    await demo.get("/document/get/no-uuid%2Fat%25all"),
  ]) {
    assert.equal(problemOf(called, 404).code, "not-found");
  }
  // The letters of a UUID may be upper case.
  assert.equal((await demo.get(`/document/get/${kept?.documentId.toUpperCase()}`)).status, 200);
});

test("faults of shape are named, and none reaches the store", async () => {
  assert.deepEqual(faultsOf(await demo.get("/document/get/A%00B")), ["/path/documentId"]);
  assert.deepEqual(faultsOf(await demo.get("/document/get/A?download=1")), ["/query/download"]);
  const { nextCursor } = await demo.list("/document/list/O-5", { limit: "1" });
  const forged = Buffer.from('{"v":1,"k":"documents:receivedAt","p":{"id":"x"}}').toString("base64url");
  for (const query of [`sort=-receivedAt&cursor=${nextCursor}`, "cursor=e30", `cursor=${forged}`]) {
    assert.deepEqual(faultsOf(await demo.get(`/document/list/O-5?${query}`)), ["/query/cursor"]);
  }
  const called = await demo.get(`/document/list/${"x".repeat(65)}?limit=0&type=PACKING_SLIP`);
  assert.deepEqual(faultsOf(called).sort(), ["/path/orderId", "/query/limit", "/query/type"]);
});

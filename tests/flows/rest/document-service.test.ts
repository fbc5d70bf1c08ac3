// rest.md §3 and §4, papers of orders: their list, and their bytes.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { keepDocuments, type PackingSlip, type PaperOrder } from "#/modules/documents/index.ts";
import { printPaper } from "#/modules/documents/printing.ts";
import { sql } from "#/store/db/sql.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { faultsOf, orderOperationsOf, problemOf } from "../../support/builders/order-operations.ts";
import { label, slip, sscc } from "../../support/papers/papers.ts";

const server = await testServer();
const client = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const demo = await orderOperationsOf(server, client);
const stranger = await orderOperationsOf(server, other);
await client.accept("CAT", catalogue("DEMO", ["A"]));
const place = (orderId: string) => client.accept("NO", order("DEMO", orderId, ["A"]));

const slipOf = (orderId: string, giftMessage: string, more: Partial<PackingSlip> = {}): PaperOrder => ({
  orderId,
  olpnId: sscc,
  type: "PACKING_SLIP",
  slip: slip({ orderId, giftMessage, ...more }),
});
const labelOf = (orderId: string, olpnId: string, reference: string, form: "pdf" | "zpl" = "zpl"): PaperOrder => ({
  orderId,
  olpnId,
  type: "SHIPPING_LABEL",
  form,
  label: label({ orderId: reference }),
});
const keep = (...papers: PaperOrder[]) => server.operate((tx, change) => keepDocuments(tx.of("DEMO", change), papers));

/** For each paper of an order, whether its digest is stored. */
async function digestsOf(orderId: string): Promise<boolean[]> {
  const rows = await server.database.query<{ readonly has_digest: boolean }>(
    sql`select sha256 is not null and size > 0 as has_digest from order_document
      where client_id = 'DEMO' and order_id = ${orderId} order by document_id`,
  );
  return rows.map((row) => row.has_digest);
}

function digestOf(paper: PaperOrder) {
  const bytes = printPaper(paper);
  return { size: bytes.byteLength, sha256: hash("sha256", bytes) };
}

test("an order lists its papers as they were made; one without has an empty list", async () => {
  await place("O-1");
  assert.deepEqual(await demo.list("/document/list/O-1"), { items: [], nextCursor: null });
  const papers = [slipOf("O-1", "one"), labelOf("O-1", sscc, "two")] as const;
  const [first] = await keep(papers[0]);
  const [second] = await keep(papers[1]);
  await place("O-1b");
  await keep(slipOf("O-1b", "of another order"));
  assert.ok(first && second);
  const { items, nextCursor } = await demo.list("/document/list/O-1");
  assert.equal(nextCursor, null);
  assert.deepEqual(items, [
    {
      documentId: first.documentId,
      orderId: "O-1",
      olpnId: sscc,
      type: "PACKING_SLIP",
      contentType: "application/pdf",
      language: "en",
      createdAt: first.createdAt,
      ...digestOf(papers[0]),
    },
    {
      documentId: second.documentId,
      orderId: "O-1",
      olpnId: sscc,
      type: "SHIPPING_LABEL",
      contentType: "application/zpl",
      language: "en",
      createdAt: second.createdAt,
      ...digestOf(papers[1]),
    },
  ]);
});

test("a paper is answered as its bytes, with its form, a file name and what proves it whole", async () => {
  await place("O-2");
  const papers = [slipOf("O-2", "x"), labelOf("O-2", sscc, "x"), labelOf("O-2", sscc, "x", "pdf")];
  const kept = await keep(...papers);
  const answers = await Promise.all(kept.map(({ documentId }) => demo.get(`/document/get/${documentId}`)));
  assert.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      ...["content-type", "content-disposition", "x-content-type-options"].map((name) => headers.get(name)),
    ]),
    [
      [200, "application/pdf", `attachment; filename="packing-slip-${sscc}.pdf"`, "nosniff"],
      [200, "application/zpl", `attachment; filename="shipping-label-${sscc}.zpl"`, "nosniff"],
      [200, "application/pdf", `attachment; filename="shipping-label-${sscc}.pdf"`, "nosniff"],
    ],
  );
  for (const [i, { bytes, headers }] of answers.entries()) {
    const expected = Buffer.from(printPaper(papers[i] as PaperOrder));
    assert.equal(Buffer.compare(bytes, expected), 0);
    assert.equal(headers.get("content-length"), `${expected.byteLength}`);
    assert.equal(headers.get("etag"), `"${hash("sha256", expected)}"`);
    assert.equal(headers.get("content-digest"), `sha-256=:${hash("sha256", expected, "base64")}:`);
    assert.equal(headers.get("cache-control"), "no-store");
  }
});

test("a paper is printed at each read, with the same bytes", async () => {
  await place("O-7");
  const [pdf, zpl] = await keep(labelOf("O-7", sscc, "O-7", "pdf"), labelOf("O-7", sscc, "O-7"));
  const first = await demo.get(`/document/get/${pdf?.documentId}`);
  assert.deepEqual(await digestsOf("O-7"), [false, false]);
  // The sender compares what it has.
  await demo.get(`/document/get/${pdf?.documentId}`, { "if-none-match": '"other"' });
  assert.deepEqual(await digestsOf("O-7"), [true, false]);
  assert.equal((await demo.list("/document/list/O-7")).items[1]?.documentId, zpl?.documentId);
  assert.deepEqual(await digestsOf("O-7"), [true, true]);
  const again = await demo.get(`/document/get/${pdf?.documentId}`);
  assert.equal(Buffer.compare(again.bytes, first.bytes), 0);
  assert.equal(again.headers.get("etag"), first.headers.get("etag"));
});

test("one who still has the paper is informed, and is sent nothing", async () => {
  await place("O-3");
  const [kept] = await keep(slipOf("O-3", "same"));
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
  const [first, other] = await keep(labelOf("O-4", olpnId, "first"), slipOf("O-4", "en"));
  assert.ok(first && other);
  await demo.list("/document/list/O-4");
  const [same] = await keep(labelOf("O-4", olpnId, "first"));
  assert.deepEqual(same?.createdAt, first.createdAt);
  assert.equal(same?.sha256?.toString("hex"), digestOf(labelOf("O-4", olpnId, "first")).sha256);
  // If a call contains the same paper twice, the last one is stored.
  const [again, french] = await keep(
    labelOf("O-4", olpnId, "lost"),
    labelOf("O-4", olpnId, "again"),
    slipOf("O-4", "fr", { language: "fr" }),
  );
  assert.equal(again?.documentId, first.documentId);
  assert.ok((again?.createdAt ?? "") > first.createdAt);
  const { bytes, headers } = await demo.get(`/document/get/${first.documentId}`);
  const { sha256 } = digestOf(labelOf("O-4", olpnId, "again"));
  assert.deepEqual([hash("sha256", bytes), headers.get("etag")], [sha256, `"${sha256}"`]);
  const ids = (await demo.list("/document/list/O-4")).items.map(({ documentId }) => documentId);
  assert.deepEqual(ids, [first.documentId, other.documentId, french?.documentId]);
});

test("a long list comes in pages, both ways, stable while papers are made", async () => {
  await place("O-5");
  const made = (await keep(...["1", "2", "3", "4", "5"].map((n) => labelOf("O-5", n, n)))).map(
    (document) => document.documentId,
  );
  let more = 0;
  const keepMore = () => keep(labelOf("O-5", `more-${++more}`, "x"));
  const query = { limit: "2" };
  assert.deepEqual(await demo.walk("/document/list/O-5", "documentId", { ...query, sort: "-receivedAt" }, keepMore), [
    ...made.toReversed(),
  ]);
  const forward = await demo.walk("/document/list/O-5", "documentId", query, keepMore);
  assert.deepEqual(forward.slice(0, made.length), made);
  assert.equal(new Set(forward).size, forward.length);
  assert.equal(forward.length, (await demo.walk("/document/list/O-5", "documentId", {})).length);
});

test("olpnId limits the list to the papers of one parcel, in pages too", async () => {
  await place("O-8");
  await place("O-9");
  const [, first, second] = await keep(
    slipOf("O-8", "whole"),
    labelOf("O-8", "P-1", "1"),
    labelOf("O-8", "P-1", "2", "pdf"),
    labelOf("O-8", "P-2", "3"),
    labelOf("O-9", "P-3", "4"),
  );
  const made = [first?.documentId, second?.documentId];
  const { items } = await demo.list("/document/list/O-8", { olpnId: "P-1" });
  assert.deepEqual(
    items.map(({ documentId, olpnId }) => [documentId, olpnId]),
    made.map((documentId) => [documentId, "P-1"]),
  );
  const query = { olpnId: "P-1", limit: "1" };
  assert.deepEqual(await demo.walk("/document/list/O-8", "documentId", query), made);
  const backwards = { ...query, sort: "-receivedAt" };
  assert.deepEqual(await demo.walk("/document/list/O-8", "documentId", backwards), made.toReversed());
  for (const olpnId of ["P-3", "NONE"]) {
    assert.deepEqual(await demo.list("/document/list/O-8", { olpnId }), { items: [], nextCursor: null });
  }
  assert.deepEqual(faultsOf(await demo.get("/document/list/O-8?olpnId=")), ["/query/olpnId"]);
});

test("an odd order number is found by its percent-encoded name, and makes no odd file name", async () => {
  for (const orderId of ["A/../B", '50% "off"; x', "Größe №7 📦"]) {
    await place(orderId);
    const [kept] = await keep(slipOf(orderId, "odd"));
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

test("objects of another client and unknown objects are 404", async () => {
  await place("O-6");
  const [kept] = await keep(slipOf("O-6", "ours"));
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

test("schema errors are reported before a query", async () => {
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

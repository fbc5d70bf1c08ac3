// feeds.md §1, Follow-up: POST …/validate validates a document and stores nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

const keptTables = ["feed_document", "feed_payload", "feed_idempotency", "item", "sales_order", "purchase_order"];

async function kept(): Promise<unknown> {
  const counts = keptTables.map((table) => `select '${table}' as name, count(*) as n from ${table}`);
  return server.rows(counts.join(" union all "));
}

test("a dry run answers the ACK that the document would get, says so, and keeps nothing", async () => {
  const before = await kept();
  const documents = [
    ["CAT", catalogue("DEMO", ["B"]), []],
    ["NO", order("DEMO", "1001", ["A"]), []],
    ["PO", purchaseOrder("DEMO", "P-1", ["A"]), []],
    ["NO", order("DEMO", "1001", ["X"]), ["[UNKNOWN_SKU] The request references unknown SKUs: X"]],
    ["PO", "", ["[XML] The document is empty"]],
  ] as const;
  for (const [type, document, errors] of documents) {
    const answer = await demo.send(type, document, { "idempotency-key": "dry" }, "/validate");
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("x-dry-run"), "true");
    assert.deepEqual(answer.errors, errors);
    assert.equal(answer.isAccepted, errors.length === 0);
    const status = await demo.request(`/feeds/DEMO/status/${answer.token}`);
    assert.equal(status.status, 404);
  }
  assert.deepEqual(await kept(), before);
  assert.equal(await demo.order("1001"), undefined);
  const real = await demo.accept("NO", order("DEMO", "1001", ["A"]), { "idempotency-key": "dry" });
  assert.equal(real.headers.get("x-dry-run"), null);
  assert.equal(real.objectId, "1001");
});

test("a dry run of a document that exists says that it is a duplicate", async () => {
  const document = order("DEMO", "1002", ["A"]);
  const { token } = await demo.accept("NO", document);
  const answer = await demo.send("NO", document, {}, "/validate");
  assert.equal(answer.errors.length, 1);
  assert.match(answer.errors[0] as string, new RegExp(`^\\[DUPLICATE\\] Order 1002 exists already.*${token}`));
});

test("a dry run is refused for the same reasons as a document", async () => {
  const document = order("DEMO", "1003", ["A"]);
  const path = `${server.url}/feeds/DEMO/NO/validate`;
  const anonymous = await fetch(path, { method: "POST", headers: { "content-type": "text/xml" }, body: document });
  assert.equal(anonymous.status, 401);
  assert.equal((await demo.send("NO", document, { "content-type": "text/csv" }, "/validate")).status, 415);
  const strict = await server.onboard("STRICT", { settings: { rejectedFeedStatus: "422" } });
  const rejected = await strict.send("NO", "", {}, "/validate");
  assert.equal(rejected.status, 422);
  assert.equal(rejected.headers.get("x-dry-run"), "true");
});

test("a large document can be tried, too", async () => {
  const items = Array.from({ length: 5_000 }, (_, i) => `LARGE-${i}`);
  const answer = await demo.send("CAT", catalogue("DEMO", items), {}, "/validate");
  assert.ok(answer.isAccepted, answer.body);
  assert.deepEqual(await server.rows("select from item where sku like 'LARGE-%'"), []);
});

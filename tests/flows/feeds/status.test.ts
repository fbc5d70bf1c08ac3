// feeds.md §1, Follow-up: the status call.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

test("an accepted document is shown with its outcome", async () => {
  const before = new Date().toISOString();
  const { token } = await demo.accept("NO", order("DEMO", "1001", ["A"]));
  const status = await demo.outcome(token);
  assert.deepEqual(Object.keys(status), [
    ...["token", "feedType", "objectId", "state", "receivedAt", "processedAt"],
    ...["errors", "warnings", "missingSkus", "outbound"],
  ]);
  const { receivedAt, processedAt, outbound, ...rest } = status;
  assert.deepEqual(rest, {
    token,
    feedType: "NO",
    objectId: "1001",
    state: "PROCESSED",
    errors: [],
    warnings: [],
    missingSkus: [],
  });
  const [ack] = outbound as [{ messageId: string; type: string }];
  assert.deepEqual(outbound, [{ messageId: ack.messageId, type: "ACK" }]);
  assert.match(receivedAt as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  assert.ok((receivedAt as string) >= before && (processedAt as string) >= (receivedAt as string));
});

test("documents of all four types come to their end", async () => {
  for (const [type, document] of [
    ["CAT", catalogue("DEMO", ["A", "B"])],
    ["PO", purchaseOrder("DEMO", "P-1", ["A"])],
    ["NO", order("DEMO", "1002", ["A"])],
    ["RMA", authorisation("DEMO", "R-1", ["A"])],
  ] as const) {
    const { token, objectId } = await demo.accept(type, document);
    const status = await demo.outcome(token);
    assert.equal(status.state, "PROCESSED", type);
    assert.equal(status.objectId, objectId ?? null);
  }
});

test("a rejected document is shown with its errors and missing SKUs", async () => {
  const { token, errors } = await demo.refuse("NO", order("DEMO", "1003", ["X", "A", "Y", "X"]), /^\[UNKNOWN_SKU\]/);
  const status = await demo.status(token);
  assert.equal(status.state, "REJECTED");
  assert.deepEqual(status.errors, errors);
  assert.deepEqual(status.missingSkus, ["X", "Y"]);
  assert.equal(status.processedAt, status.receivedAt);
});

test("a document of which nothing could be read is shown without an object", async () => {
  const { token } = await demo.refuse("NO", "<", /^\[XML\]/);
  assert.deepEqual((await demo.status(token)).objectId, null);
});

test("the status is XML for a caller that asks for XML, else JSON", async () => {
  const order1004 = order("DEMO", "1004", ["<&>"]);
  const { token } = await demo.refuse("NO", order1004, "[UNKNOWN_SKU] The request references unknown SKUs: <&>");
  const path = `/feeds/DEMO/status/${token}`;
  for (const accept of ["application/xml", "text/xml", "text/xml;q=0.9, */*;q=0.1"]) {
    const response = await demo.request(path, { headers: { accept } });
    assert.equal(response.headers.get("content-type"), "application/xml; charset=utf-8");
    const { receivedAt } = await demo.status(token);
    assert.equal(
      await response.text(),
      `<?xml version="1.0" encoding="UTF-8"?>\n<feedStatus><token>${token}</token><feedType>NO</feedType><objectId>1004</objectId><state>REJECTED</state><receivedAt>${receivedAt}</receivedAt><processedAt>${receivedAt}</processedAt><errors><error>[UNKNOWN_SKU] The request references unknown SKUs: &lt;&amp;&gt;</error></errors><missingSkus><sku>&lt;&amp;&gt;</sku></missingSkus></feedStatus>\n`,
    );
  }
  for (const accept of ["*/*", "application/json", "application/json, application/xml;q=0.5"]) {
    const response = await demo.request(path, { headers: { accept } });
    assert.match(response.headers.get("content-type") as string, /^application\/json/, accept);
  }
});

test("another client's token, an unknown one and a text that is not a token are the same 404", async () => {
  const { token } = await other.send("CAT", catalogue("OTHER", ["A"]));
  const unknown = token.replace(/.{4}$/, "0000");
  for (const wrong of [token, unknown, "abc", "1'or'1'='1", "..%2F..", token.toUpperCase(), "x".repeat(200)]) {
    const response = await demo.request(`/feeds/DEMO/status/${encodeURIComponent(wrong)}`);
    assert.equal(response.status, 404, wrong);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
  }
  assert.equal((await other.status(token)).token, token);
});

test("the status call wants the client's key", async () => {
  const { token } = await demo.accept("CAT", catalogue("DEMO", ["A"]));
  const anonymous = await fetch(`${server.url}/feeds/DEMO/status/${token}`);
  assert.equal(anonymous.status, 401);
  assert.equal(anonymous.headers.get("www-authenticate"), "ApiKey");
  assert.equal(((await anonymous.json()) as { type: string }).type, "/problems/feed-key-invalid");
  const stranger = await other.request(`/feeds/DEMO/status/${token}`);
  assert.equal(stranger.status, 403);
  assert.equal(stranger.headers.get("content-type"), "application/problem+json");
});

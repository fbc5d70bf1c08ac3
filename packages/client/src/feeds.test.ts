import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedClient, readAcknowledgement } from "./feeds.ts";

const accepted =
  "<apiResponse><token>T</token><success>true</success><feedType>NO</feedType><objectId>1</objectId></apiResponse>";
const order = { orderId: "1", clientId: "DEMO", orderDate: new Date(0) } as const;

/** Answers by script; an error is a lost answer. */
function clientWith(...script: readonly (Response | Error)[]) {
  const seen: { readonly url: string; readonly key: string | null; readonly body: string }[] = [];
  const feeds = createFeedClient({
    baseUrl: "http://127.0.0.1:1/",
    clientId: "DEMO",
    apiKey: "cd_key",
    retry: { backoffMs: 1 },
    async fetch(request) {
      seen.push({ url: request.url, key: request.headers.get("idempotency-key"), body: await request.text() });
      const answer = script[seen.length - 1];
      if (answer instanceof Response) return answer;
      throw answer ?? new Error("no more answers");
    },
  });
  return { seen, feeds };
}

test("a document is sent again with its key after a lost answer, until it is acknowledged", async () => {
  const lost = [
    new TypeError("fetch failed"),
    new Response("", { status: 502 }),
    new Response("", { status: 503, headers: { "retry-after": "0" } }),
  ];
  const { seen, feeds } = clientWith(...lost, new Response(accepted));
  const ack = await feeds.send("NO", order, { idempotencyKey: "1" });
  assert.deepEqual(ack, {
    token: "T",
    success: true,
    feedType: "NO",
    errors: [],
    faults: [],
    missingSkus: [],
    objectId: "1",
  });
  assert.equal(seen.length, 4);
  assert.equal(new Set(seen.map((request) => JSON.stringify(request))).size, 1);
  assert.equal(seen[0]?.url, "http://127.0.0.1:1/feeds/DEMO/NO");
  assert.match(seen[0]?.body ?? "", /<orderRequest><orderId>1<\/orderId>/);
});

test("without a key a document is sent once", async () => {
  const { seen, feeds } = clientWith(new TypeError("fetch failed"));
  await assert.rejects(feeds.send("NO", order), /fetch failed/);
  assert.equal(seen.length, 1);
});

test("a rejected document is an acknowledgement, whatever its status; a refused request an error", async () => {
  const rejected = accepted
    .replace("true", "false")
    .replace(
      "<objectId>",
      "<errors><error>[UNKNOWN_SKU] A</error></errors><missingSkus><sku>A</sku></missingSkus><objectId>",
    );
  const { feeds } = clientWith(
    new Response(rejected, { status: 422 }),
    new Response("no key", { status: 401 }),
    new Response("<html>", { status: 200 }),
  );
  const { success, errors, missingSkus } = await feeds.validate("NO", "<orderRequest/>");
  assert.deepEqual(
    { success, errors, missingSkus },
    { success: false, errors: ["[UNKNOWN_SKU] A"], missingSkus: ["A"] },
  );
  await assert.rejects(feeds.send("NO", order), { name: "FeedError", status: 401, answer: "no key" });
  await assert.rejects(feeds.send("NO", order), { name: "FeedError", status: 200 });
});

test("another document is refused as an acknowledgement", () => {
  assert.throws(() => readAcknowledgement("<feedAcknowledgement/>"), /<feedAcknowledgement> is not an acknowledgement/);
});

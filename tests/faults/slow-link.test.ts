// A slow link to PostgreSQL: a sender gets a response by the deadline of the request, whatever the request waits for.
// If it was committed nevertheless, a repeat recognises it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";

/** Twice the deadline of a request. */
const answerMsMax = 10_000;
const stretch = watchMachine();
const server = await testServer({ CROSSDOCK_ROLES: "api,auth" });
const proxy = await startStoreProxy(server.config.database.url as string);
atEnd(() => proxy.close());
const node = await server.startNode({ DATABASE_URL: proxy.url, CROSSDOCK_ROLES: "feeds" });
const client = (await server.onboard("SLOW")).at(node.url);
await client.accept("CAT", catalogue("SLOW", ["S-1"]));

test("feeds are answered 503 with Retry-After by their deadline, and the repeat is answered as one document", async () => {
  const orders = Array.from({ length: 20 }, (_, i) => order("SLOW", `O-${i}`, ["S-1"]));
  // Each change clears the node's cache of keys and clients, which is reloaded over the slow link.
  await client.set({ parkUnknownSkus: "true" });
  proxy.delay(900);
  const beganMs = performance.now();
  const answers = await Promise.all(
    orders.map(async (xml) => {
      const answer = await client.send("NO", xml);
      return { answer, tookMs: performance.now() - beganMs };
    }),
  );
  for (const { answer, tookMs } of answers) {
    assert.ok(answer.isAccepted || answer.status === 503, answer.body);
    if (answer.status === 503) assert.ok(Number(answer.headers.get("retry-after")) > 0);
    assert.ok(tookMs < answerMsMax * stretch(), `answered after ${tookMs} ms`);
  }
  assert.ok(
    answers.some(({ answer }) => answer.status === 503),
    "the link is slow",
  );
  await proxy.back();
  for (const xml of orders) {
    await until("the order to be known", async () => {
      const { isAccepted, errors } = await client.send("NO", xml);
      return isAccepted || /DUPLICATE/.test(errors.join());
    });
  }
  const [kept] = await server.rows<{ orders: number }>(
    "select count(*)::integer as orders from sales_order where client_id = 'SLOW'",
  );
  assert.equal(kept?.orders, orders.length);
});

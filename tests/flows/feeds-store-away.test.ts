// feeds.md §1, status 503: the store cannot be reached. Nothing is kept, and service resumes by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/at-end.ts";
import { catalogue, order } from "../support/documents.ts";
import { startProxy } from "../support/proxy.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const here = await server.onboard("DEMO");
await here.accept("CAT", catalogue("DEMO", ["A"]));
const proxy = await startProxy(server.config.database.url as string);
const node = await server.startNode({ DATABASE_URL: proxy.url });
atEnd(async () => {
  await node.stop();
  await proxy.shut();
});
const demo = here.at(node.url);

const document = (orderId: string) => order("DEMO", orderId, ["A"]);
const keyed = { "idempotency-key": "away" };

test("a failure that nobody foresaw is 503 for the sender, and its cause is in the log", async () => {
  await server.rows("alter table sales_order_line rename to sales_order_line_away");
  const logged = server.logged.length;
  const answer = await demo.send("NO", document("UNFORESEEN"));
  await server.rows("alter table sales_order_line_away rename to sales_order_line");
  assert.equal(answer.status, 503);
  const failures = server.logged.slice(logged).filter((line) => line.includes('"level":"error"'));
  assert.equal(failures.length, 1, failures.join("\n"));
  assert.match(failures[0] as string, /sales_order_line/);
  assert.ok(failures[0]?.includes(answer.token), "the line can be found by the token of the answer");
  await demo.accept("NO", document("UNFORESEEN"));
});

test("without the store documents are 503 within five seconds, with the time to wait; later they are taken", async () => {
  await demo.accept("NO", document("BEFORE"));
  await proxy.shut();
  try {
    for (let i = 0; i < 3; i++) {
      const startedMs = performance.now();
      const answer = await demo.send("NO", document("AWAY"), keyed);
      assert.equal(answer.status, 503);
      assert.match(answer.headers.get("retry-after") as string, /^\d+$/);
      assert.deepEqual(answer.errors, [
        "[UNAVAILABLE] The document could not be stored now, or its outcome is unknown; send it again",
      ]);
      assert.ok(performance.now() - startedMs < 5_000);
    }
    const large = catalogue(
      "DEMO",
      Array.from({ length: 2_500 }, (_, i) => `L-${i}`),
    );
    assert.equal((await demo.send("CAT", large)).status, 503);
    const status = await demo.request("/feeds/DEMO/status/01a1f84e-cfdb-7000-b917-df2ff91d3ba4");
    assert.equal(status.status, 503);
    assert.ok(status.headers.get("retry-after"));
  } finally {
    await proxy.open();
  }
  const backMs = performance.now();
  while ((await demo.send("NO", document("AWAY"), keyed)).status !== 200) {
    assert.ok(performance.now() - backMs < 5_000, "service resumes within five seconds of the store's return");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const documents = await server.rows("select from feed_document where object_id = 'AWAY'");
  assert.equal(documents.length, 1, "nothing was kept of what was answered 503");
  assert.equal((await demo.send("NO", document("AWAY"), keyed)).headers.get("idempotent-replayed"), "true");
});

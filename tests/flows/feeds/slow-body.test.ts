// feeds.md §1: a body that arrives too slowly is a 408. The product waits 30 s; this listener waits less, and is
// otherwise the product's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { createBodyBudget } from "#/http/server/body-budget.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { registerFeedRoutes } from "#/intake/feeds/http/routes.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { insertClient } from "../../support/builders/client.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { sendRaw } from "../../support/http/raw-request.ts";
import { readAcknowledgement } from "../../support/oracles/acknowledgement.ts";
import { testDatabase } from "../../support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const ids = createIds();
const log = createLogger({ level: "silent", format: "json" });
const stack = await createFeedStack({ database, clock: systemClock, ids });
const app = createHttpServer({
  log,
  clock: systemClock,
  ids,
  trustedProxies: [],
  closeGraceMs: 100,
  limits: { headersTimeoutMs: 3_000, requestTimeoutMs: 3_000 },
});
registerFeedRoutes(app, {
  database,
  receiver: stack.receiver,
  bodies: createBodyBudget(),
  log,
  environment: "sandbox",
  findByFeedKey: (apiKey) => (apiKey === "key" ? { kind: "known", credentialId: "1", client } : { kind: "unknown" }),
  findOutbound: async () => [],
  chargeRate: () => {},
  takeRate: () => ({ isAllowed: true, retryAfterSeconds: 0, headers: {} }),
});
const url = await app.listen({ host: "127.0.0.1", port: 0 });
atEnd(async () => {
  await app.close();
  await stack.close();
});

const headers = { "content-type": "text/xml", "x-api-key": "key" };
const document = catalogue("DEMO", ["A"]);
const halves = [document.slice(0, 50), document.slice(50)];

test("a body that comes too slowly is answered 408 with an ACK, and nothing is kept", async () => {
  for (const length of [{}, { "content-length": String(document.length) }]) {
    const answer = await sendRaw(url, {
      path: "/feeds/DEMO/CAT",
      headers: { ...headers, ...length },
      chunks: halves,
      pauseMs: 9_000,
    });
    const ack = readAcknowledgement(answer.status, answer.headers, answer.body);
    assert.equal(ack.status, 408);
    assert.deepEqual(ack.errors, ["[TIMEOUT] The body was not complete after 30 s"]);
    assert.equal(ack.feedType, "CAT");
  }
  const kept = await database.query({ text: "select from feed_document", values: [], name: "kept", isTenant: false });
  assert.equal(kept.length, 0);
});

test("a body that arrives in time is validated", async () => {
  const answer = await sendRaw(url, { path: "/feeds/DEMO/CAT", headers, chunks: halves, pauseMs: 50 });
  assert.ok(readAcknowledgement(answer.status, answer.headers, answer.body).isAccepted);
});

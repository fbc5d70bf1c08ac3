// Ctrl-C stops everything within 5 s and leaves no process; the next start is warm within 5 s and has all data
// (operations.md §1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { watchMachine } from "../support/machine.ts";
import {
  databaseUrlOf,
  makeDataDir,
  postgresOf,
  type ServerProcess,
  spawnProcess,
  startProcess,
} from "../support/process.ts";
import { until } from "../support/until.ts";
import { checkDatabase, drained, type Sent, withClient } from "./oracle.ts";
import { catalogue, orderXml, sendFeed } from "./sender.ts";

const stopMsMax = 5_000;
const warmStartMsMax = 5_000;

const dataDir = makeDataDir();
const stretch = watchMachine();
let number = 0;

/** Senders that go on until the server no longer takes connections; a request that was begun must be answered. */
async function sendUntilGone(server: ServerProcess, sent: Sent[]): Promise<void> {
  const senders = Array.from({ length: 8 }, async () => {
    for (;;) {
      const objectId = `STOP-${++number}`;
      const document: Sent = { type: "NO", objectId, lines: 2, xml: orderXml(objectId, 2) };
      sent.push(document);
      try {
        const answer = await sendFeed(server, document);
        if (answer.status === 200) document.answer = answer;
        else assert.match(answer.body, /\[UNAVAILABLE\]/);
      } catch (error) {
        // Refused, or a connection that was idle was closed in the moment in which it was used again.
        assert.match(String((error as NodeJS.ErrnoException).code), /^(ECONNREFUSED|ECONNRESET|EPIPE)$/);
        return;
      }
    }
  });
  await Promise.all(senders);
}

test("a server under load is stopped by Ctrl-C within 5 s, leaves no process, and starts warm with its data", {
  timeout: 240_000,
}, async (t) => {
  const sent: Sent[] = [];
  // npm forwards the Ctrl-C that the terminal has sent already: each signal comes twice.
  for (const signals of [["SIGINT", "SIGINT"], ["SIGTERM", "SIGTERM"], ["SIGINT"]] as const) {
    const server = await startProcess(dataDir);
    const isWarm = number > 0;
    if (isWarm)
      assert(server.readyMs <= warmStartMsMax * stretch(), `a warm start took ${Math.round(server.readyMs)} ms`);
    else assert((await sendFeed(server, catalogue)).isAccepted);
    await drained(databaseUrlOf(dataDir));
    await checkDatabase(databaseUrlOf(dataDir), sent);
    const before = sent.length;
    const sending = sendUntilGone(server, sent);
    const answeredNow = () => sent.slice(before).filter(({ answer }) => answer).length;
    await sleep(400);
    await until("the load to be under way", async () => answeredNow() > 8);
    const { code, ms } = await server.stop(...signals);
    await sending;
    const answered = answeredNow();
    t.diagnostic(
      `${isWarm ? "warm" : "first"} start ready in ${Math.round(server.readyMs)} ms; ${answered} of ${sent.length - before} documents ` +
        `answered; ${signals.join()} ended it in ${Math.round(ms)} ms`,
    );
    assert.equal(code, 0, server.output());
    assert(ms <= stopMsMax * stretch(), `the stop took ${Math.round(ms)} ms`);
    assert.match(server.output(), /"msg":"stopped"/);
    assert.doesNotMatch(server.output(), /"level":"error"/);
    assert.deepEqual(postgresOf(dataDir), { postmaster: undefined, all: [] }, "PostgreSQL is gone too");
  }
  const server = await startProcess(dataDir);
  await drained(databaseUrlOf(dataDir));
  await checkDatabase(databaseUrlOf(dataDir), sent);
  const unanswered = sent.filter(({ answer }) => !answer).map(({ objectId }) => objectId);
  const { rows } = await withClient(databaseUrlOf(dataDir), (client) =>
    client.query("select order_id from sales_order where order_id = any($1)", [unanswered]),
  );
  assert.deepEqual(rows, [], "whatever was taken in was answered too");
  await server.stop("SIGINT");
});

test("what a document that is being stored is promised is kept: a stop waits for the running requests", async () => {
  const server = await startProcess(dataDir);
  const items = Array.from(
    { length: 10_000 },
    (_, i) => `<item><sku>BIG-${i}</sku><name>${"x".repeat(60)}</name></item>`,
  );
  const xml = `<itemMaster><clientId>DEMO</clientId><date>2026-01-01T00:00:00Z</date>${items.join("")}</itemMaster>`;
  const taken = Promise.withResolvers<void>();
  const running = sendFeed(server, { type: "CAT", xml }, "", taken.resolve);
  await Promise.race([taken.promise, running]);
  await sleep(100);
  const [answer, { code, ms }] = await Promise.all([running, server.stop("SIGTERM")]);
  assert(answer.isAccepted, answer.body);
  assert.equal(code, 0, server.output());
  assert(ms <= stopMsMax * stretch());
});

test("Ctrl-C during the start leaves nothing behind, at whatever moment it comes", async (t) => {
  for (const afterMs of [500, 1_400]) {
    const emptyDir = makeDataDir();
    const starting = spawnProcess(emptyDir);
    await sleep(afterMs);
    const { code, signal, ms } = await starting.stop("SIGINT", "SIGINT");
    t.diagnostic(`after ${afterMs} ms: ended in ${Math.round(ms)} ms with ${signal ?? code}`);
    await until("PostgreSQL to be gone", async () => postgresOf(emptyDir).all.length === 0);
    assert(code === 0 || signal === "SIGINT", starting.output());
  }
});

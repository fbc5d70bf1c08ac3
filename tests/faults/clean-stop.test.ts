// Ctrl-C stops everything within 5 s and leaves no process. The next start is warm within 5 s and has all data
// (operations.md §1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { stretchMax, watchMachine } from "../support/app/machine.ts";
import {
  databaseUrlOf,
  type Exit,
  faultLine,
  makeDataDir,
  postgresOf,
  type ServerProcess,
  spawnProcess,
  startProcess,
} from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { catalogue, orderXml, sendFeed } from "./load/sender.ts";
import { checkDatabase, drained, type Sent, withClient } from "./oracles/oracle.ts";

const stopMsMax = 5_000;
const warmStartMsMax = 5_000;
/** A document that gets a 503 after this time may have been stored, because the database did not answer in time. */
const outcomeKnownMs = 4_000;

const dataDir = makeDataDir();
const stretch = watchMachine();
let number = 0;
const unknown = new Set<string>();

/** Returns the result, and how much slower than an idle machine this machine was during the work. */
async function watched<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly stretched: number }> {
  let stretched = stretch();
  // The factor covers the last half minute, so it is sampled during the whole work.
  const looking = setInterval(() => {
    stretched = Math.max(stretched, stretch());
  }, 50);
  try {
    const value = await work();
    return { value, stretched: stretched < stretchMax ? stretched : Number.POSITIVE_INFINITY };
  } finally {
    clearInterval(looking);
  }
}

/** Time limit of running requests before their connections are cut. */
const requestMsMax = 3_500;

/**
 * Whether the five seconds were not enough, so that requests were cut off and the program ended itself. On a slow
 * machine this proves nothing: unanswered documents may have been stored.
 */
const hadNoTime = ({ value: { ms }, stretched }: { value: Exit; stretched: number }): boolean =>
  stretched > 1 && ms > requestMsMax;

/** Sends documents until the server no longer accepts connections. Every request that was begun must be answered. */
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
        if (answer.status !== 200 && answer.ms > outcomeKnownMs) unknown.add(objectId);
      } catch (error) {
        // The connection was refused, or an idle connection was closed just as it was reused.
        assert.match(String((error as NodeJS.ErrnoException).code), /^(ECONNREFUSED|ECONNRESET|EPIPE)$/);
        return;
      }
    }
  });
  await Promise.all(senders);
}

test("a server under load is stopped by Ctrl-C within 5 s, leaves no process, and starts warm with its data", {
  timeout: 400_000,
}, async (t) => {
  const sent: Sent[] = [];
  let judged = 0;
  // npm forwards the Ctrl-C that the terminal also sends, so each signal comes twice.
  for (const signals of [["SIGINT", "SIGINT"], ["SIGTERM", "SIGTERM"], ["SIGINT"]] as const) {
    const { value: server, stretched } = await watched(() => startProcess(dataDir));
    const isWarm = number > 0;
    if (isWarm)
      assert(server.readyMs <= warmStartMsMax * stretched, `a warm start took ${Math.round(server.readyMs)} ms`);
    else assert((await sendFeed(server, catalogue)).isAccepted);
    await drained(databaseUrlOf(dataDir));
    await checkDatabase(databaseUrlOf(dataDir), sent);
    const before = sent.length;
    const sending = sendUntilGone(server, sent);
    sending.catch(() => {});
    const answeredNow = () => sent.slice(before).filter(({ answer }) => answer).length;
    await sleep(400);
    await until("the load to be under way", async () => answeredNow() > 8);
    const stop = await watched(() => server.stop(...signals));
    const { code, ms } = stop.value;
    if (hadNoTime(stop)) {
      await sending.catch(() => {});
      for (const { answer, objectId } of sent.slice(before)) if (!answer) unknown.add(objectId);
      t.diagnostic(`${signals.join()}: the machine was too slow for a stop in time`);
      continue;
    }
    judged++;
    await sending;
    const answered = answeredNow();
    t.diagnostic(
      `${isWarm ? "warm" : "first"} start ready in ${Math.round(server.readyMs)} ms; ${answered} of ${sent.length - before} documents ` +
        `answered; ${signals.join()} ended it in ${Math.round(ms)} ms`,
    );
    assert.equal(code, 0, server.output());
    assert(ms <= stopMsMax * stop.stretched, `the stop took ${Math.round(ms)} ms`);
    assert.match(server.output(), /"msg":"stopped"/);
    const [serving = "", stopping = ""] = server.output().split('"msg":"stopping"');
    assert.doesNotMatch(serving, faultLine);
    assert.doesNotMatch(stopping, /"level":"error"/);
    assert.deepEqual(postgresOf(dataDir), { postmaster: undefined, all: [] }, "PostgreSQL is gone too");
  }
  assert(judged > 0, "no stop had its time");
  const server = await startProcess(dataDir);
  await drained(databaseUrlOf(dataDir));
  await checkDatabase(databaseUrlOf(dataDir), sent);
  const unanswered = sent.flatMap(({ answer, objectId }) => (answer || unknown.has(objectId) ? [] : [objectId]));
  const { rows } = await withClient(databaseUrlOf(dataDir), (client) =>
    client.query("select order_id from sales_order where order_id = any($1)", [unanswered]),
  );
  assert.deepEqual(rows, [], "whatever was taken in was answered too");
  await server.stop("SIGINT");
});

test("a stop waits for running requests, and stores their documents", async () => {
  // A busy machine may need more than the five seconds of a stop for many items.
  for (const length of [10_000, 5_000, 2_600, 2_600, 2_600]) if (await outlivesStop(length)) return;
  assert.fail("no stop had its time");
});

/**
 * Stops while a catalogue of this many items, large enough to be parsed by a worker thread, is being stored. Returns
 * false if the time was not enough.
 */
async function outlivesStop(length: number): Promise<boolean> {
  const server = await startProcess(dataDir);
  const items = Array.from({ length }, (_, i) => `<item><sku>BIG-${i}</sku><name>${"x".repeat(60)}</name></item>`);
  const xml = `<itemMaster><clientId>DEMO</clientId><date>2026-01-01T00:00:00Z</date>${items.join("")}</itemMaster>`;
  const taken = Promise.withResolvers<void>();
  const running = sendFeed(server, { type: "CAT", xml }, "", taken.resolve);
  await Promise.race([taken.promise, running]);
  await sleep(100);
  running.catch(() => {});
  const stop = await watched(() => server.stop("SIGTERM"));
  if (hadNoTime(stop)) return false;
  const answer = await running;
  assert(answer.isAccepted, answer.body);
  assert.equal(stop.value.code, 0, server.output());
  assert(stop.value.ms <= stopMsMax * stop.stretched);
  return true;
}

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

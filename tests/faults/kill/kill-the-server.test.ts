// kill -9 during a stream of documents loses no acknowledged document and leaves no partial one (feeds.md §1,
// Durability). An oracle compares the database with the senders' responses after every round. CROSSDOCK_TEST_ROUNDS
// makes more rounds, CROSSDOCK_TEST_SEED repeats a run's choices (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  databaseUrlOf,
  endProcess,
  makeDataDir,
  postgresOf,
  type ServerProcess,
  startProcess,
} from "../../support/app/process.ts";
import { until, untilTaken } from "../../support/app/until.ts";
import { scrape, sumOf } from "../../support/http/scrape.ts";
import { catalogue, orderXml, purchaseOrderXml, seededRandom, sendFeed, testSeed } from "../load/sender.ts";
import { checkDatabase, drained, isSettled, type Sent, withClient } from "../oracles/oracle.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 5);
const senders = 16;
/** First in this order, so that a short run covers all of them; then at random. */
const victims = ["server", "both", "postgres"] as const;

test(`after kill -9 every acknowledged document has one effect and no other has half of one (${rounds} rounds)`, {
  timeout: 120_000 + rounds * 90_000,
}, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const dataDir = makeDataDir();
  let server = await startProcess(dataDir);
  t.diagnostic(`first start ready in ${Math.round(server.readyMs)} ms`);
  await until("the items to be there", async () => (await sendFeed(server, catalogue)).isAccepted);
  const sent: Sent[] = [];
  let number = 0;

  function newDocument(): Sent {
    const kind = random();
    const lines = 1 + Math.floor(random() * 5);
    const objectId = `${kind < 0.15 ? "PO" : "NO"}-${++number}`;
    const key = random() < 0.4 ? `key-${number}` : undefined;
    if (kind < 0.15) return { type: "PO", objectId, lines, key, xml: purchaseOrderXml(objectId, lines) };
    if (kind < 0.25)
      return { type: "NO", objectId, lines, key, xml: orderXml(objectId, lines, "NO-SUCH-SKU"), isFaulty: true };
    return { type: "NO", objectId, lines, key, xml: orderXml(objectId, lines) };
  }

  for (let round = 0; round < rounds; round++) {
    const victim = victims[
      round < victims.length ? round : Math.floor(random() * victims.length)
    ] as (typeof victims)[number];
    const killAfterMs = 100 + Math.floor(random() * 500);
    const unanswered = sent.filter((it) => !isSettled(it));
    let isOver = false;
    let answers = 0;

    /**
     * Sends one document after the other while the server accepts them; now and then, repeats one without a response.
     */
    async function keepSending(): Promise<void> {
      while (!isOver) {
        const again = random() < 0.3 ? unanswered.pop() : undefined;
        const document = again ?? newDocument();
        if (!again) sent.push(document);
        try {
          await sendAndNote(server, document);
          if (isSettled(document)) answers++;
          else await sleep(100);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          // The connection broke without a response; the oracle finds out whether the document is stored.
          await sleep(20);
        }
      }
    }

    const sending = Array.from({ length: senders }, keepSending);
    await sleep(killAfterMs);
    // On a busy machine, the first response may take longer.
    await until("an answer before the kill", async () => answers > 0);
    const { postmaster } = postgresOf(dataDir);
    assert(postmaster, "the embedded PostgreSQL runs");
    if (victim !== "server") endProcess(postmaster);
    if (victim !== "postgres") await server.kill();
    // The running server restarts PostgreSQL, while documents continue to arrive.
    else {
      await sleep(1_500);
      await until(
        "PostgreSQL to be back",
        () => withClient(databaseUrlOf(dataDir), (client) => client.query("select")).catch(() => undefined),
        100_000,
      );
    }
    isOver = true;
    await Promise.all(sending);
    // A document that got a 503, because the database did not answer in time, may still be in its commit.
    if (victim === "postgres") {
      await until("nothing to be under way", async () => {
        return sumOf(await scrape(server.url), "crossdock_feed_queue_documents") === 0;
      });
    }
    if (victim === "server") assert.equal(postgresOf(dataDir).postmaster, postmaster, "PostgreSQL outlives the server");
    if (victim !== "postgres") server = await startProcess(dataDir);
    assert(server.isRunning());
    const drainMs = await drained(databaseUrlOf(dataDir));
    const states = await checkDatabase(databaseUrlOf(dataDir), sent);
    const open = sent.filter((it) => !isSettled(it)).length;
    t.diagnostic(
      `round ${round + 1}: ${victim} killed after ${killAfterMs} ms and ${answers} answers; ready ${Math.round(server.readyMs)} ms, ` +
        `published after ${Math.round(drainMs)} ms, ${open} without an answer; ${JSON.stringify(states)}`,
    );
  }

  // Documents without a response are sent again, which settles them.
  const open = sent.filter((it) => !isSettled(it));
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let document = open.pop(); document; document = open.pop()) {
        await until(`${document.objectId} to be settled by its resend`, async () => {
          await sendAndNote(server, document);
          return isSettled(document);
        });
      }
    }),
  );
  // With a key that identifies the document, a response never changes.
  for (const document of sent.filter(({ key, answer }) => key !== undefined && answer?.isAccepted).slice(-50)) {
    const again = await untilTaken(() => sendFeed(server, document));
    assert.equal(again.body, document.answer?.body);
    assert.equal(again.headers["idempotent-replayed"], "true");
  }
  await drained(databaseUrlOf(dataDir));
  await checkDatabase(databaseUrlOf(dataDir), sent);
  const { code } = await server.stop("SIGINT");
  assert.equal(code, 0);
  assert.deepEqual(postgresOf(dataDir).all, []);
});

/** Sends a document and records the response if it settles the document. */
async function sendAndNote(server: ServerProcess, document: Sent): Promise<void> {
  const answer = await sendFeed(server, document);
  if (answer.status === 503) {
    assert.match(answer.body, /\[UNAVAILABLE\]/);
    return;
  }
  // The previous request is still in progress: the sender tries again later.
  if (answer.status === 409) return;
  assert.equal(answer.status, 200, answer.body);
  if (!answer.isAccepted && !document.isFaulty) {
    // The first request was stored, but its response was lost. The rejection names its token and confirms identical
    // bytes.
    assert.equal(document.key, undefined, `the key answers for the document: ${answer.body}`);
    const [, token] =
      /\[DUPLICATE\] .* received as document (\S+) at \S+; its bytes are identical/.exec(answer.body) ?? [];
    assert(token, `a resend is accepted or a duplicate with identical bytes: ${answer.body}`);
    document.originToken = token;
    return;
  }
  document.answer = answer;
}

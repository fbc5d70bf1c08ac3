// PostgreSQL is unavailable in every way: senders get a 503 within 5 s, nothing partial is stored, and service resumes
// within 5 s of its return (issue "Feed core", Bad input, faults).
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { brands } from "#/sandbox/demo/brands.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { makeDataDir, postgresOf, spawnProcess, startProcess, urlIn } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { databaseUrl } from "../support/postgres/database.ts";
import { type Answer, bearerOf, call, catalogue, orderXml, sendFeed } from "./load/sender.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";
import { checkDatabase, drained, isSettled, type Sent, withClient } from "./oracles/oracle.ts";

/** Limits of the specification on an idle machine, in milliseconds. */
const answerMsMax = 5_000;
const resumeMsMax = 5_000;
const awayMsMin = 3_500;
/** Service has resumed after this time without a 503. */
const calmMs = 2_000;

const stretch = watchMachine();
const secret = { CROSSDOCK_SECRET: "a master key for tests, long enough" };
const storeDir = makeDataDir();
// At most four whole servers use it, each with 70 connections on a slow machine, and some further connections.
const postgres = await startEmbedded({ dataDir: storeDir, settings: { fsync: "off", max_connections: "400" } });
const directUrl = await makeDatabase("away");
const proxy = await startStoreProxy(directUrl);
const server = await startProcess(makeDataDir(), { DATABASE_URL: proxy.url, ...secret });
atEnd(async () => {
  await server.kill();
  await proxy.close();
  await postgres.stop();
});
const bearer = await bearerOf(server);
const sent: Sent[] = [];
await until("the items to be there", async () => (await sendFeed(server, catalogue)).isAccepted);

async function makeDatabase(name: string): Promise<string> {
  await withClient(postgres.url, (client) => client.query(`create database ${name}`));
  return databaseUrl(postgres.url, name);
}

let number = 0;
function newOrder(isKeyed = ++number % 2 === 0): Sent {
  const objectId = `AWAY-${++number}`;
  return { type: "NO", objectId, lines: 3, xml: orderXml(objectId, 3), key: isKeyed ? `key-${number}` : undefined };
}

interface Attempt {
  readonly document: Sent;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly answer: Answer;
}

async function attempt(document: Sent): Promise<Attempt> {
  sent.push(document);
  const beganMs = performance.now();
  const answer = await sendFeed(server, document).catch((cause: Error) => {
    const end = server.isRunning() ? "" : `; the server has ended:\n${server.output().slice(-3_000)}`;
    throw new Error(`a sender lost its connection (${cause.message})${end}`, { cause });
  });
  if (answer.isAccepted) document.answer = answer;
  return { document, beganMs, endedMs: performance.now(), answer };
}

interface Load {
  /** Attempts so far, in the order of their responses. */
  readonly attempts: readonly Attempt[];
  end(): Promise<void>;
}

/** Senders that send one order after the other until they are ended. */
function startLoad(senders: number): Load {
  let isOver = false;
  const attempts: Attempt[] = [];
  const sending = Array.from({ length: senders }, async () => {
    while (!isOver) {
      const made = await attempt(newOrder());
      attempts.push(made);
      await sleep(made.answer.isAccepted ? 25 : 100);
    }
  });
  // A sender's error is reported when the load is ended.
  for (const sender of sending) sender.catch(() => {});
  return {
    attempts,
    async end() {
      isOver = true;
      await Promise.all(sending);
    },
  };
}

function assertUnavailable(answer: Answer, what: string): void {
  assert.equal(answer.status, 503, `${what}: ${answer.body}`);
  assert.match(String(answer.headers["retry-after"]), /^[1-9]\d*$/, `${what} says when to come again`);
  assert(answer.ms <= answerMsMax * stretch(), `${what} was answered after ${Math.round(answer.ms)} ms`);
}

function assertFeedUnavailable(answer: Answer, what: string): void {
  assertUnavailable(answer, what);
  assert.match(String(answer.headers["content-type"]), /^application\/xml/);
  assert.match(answer.body, /<success>false<\/success>.*<error>\[UNAVAILABLE\] /s);
  assert.equal(answer.headers["x-correlation-token"], answer.token);
}

/**
 * The store becomes unavailable under load for a while and returns. Checks the responses meanwhile, and how soon
 * service resumes.
 * @returns the documents that were sent during the outage
 */
async function outage(
  what: string,
  diagnostic: (line: string) => void,
  mode: { leave(): void | Promise<void>; comeBack(): void | Promise<void> },
): Promise<readonly Attempt[]> {
  const load = startLoad(8);
  const { attempts } = load;
  await sleep(300);
  await mode.leave();
  const leftMs = performance.now();
  await sleep(50);
  const list = `${server.url}/v1/orderService/order/list?limit=1`;
  const get = `${server.url}/v1/orderService/order/get/AWAY-1`;
  // The first ones find connections that seem open; the later ones come when the server knows about the outage.
  const answers = Promise.all(
    [sleep(0), sleep(1_500)].map(async (wait) => {
      await wait;
      const [document, listed, got, alive] = await Promise.all([
        attempt(newOrder(true)),
        call(list, { headers: bearer }),
        call(get, { headers: bearer }),
        call(`${server.url}/healthz`),
      ]);
      assertFeedUnavailable(document.answer, `${what}: a feed`);
      for (const answer of [listed, got]) {
        assertUnavailable(answer, `${what}: REST`);
        assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
      }
      assert.equal(alive.status, 200);
    }),
  );
  answers.catch(() => {});
  const notReady = until(
    `${what}: /readyz to say no`,
    async () => {
      const answer = await call(`${server.url}/readyz`);
      return answer.status === 503 ? answer : undefined;
    },
    answerMsMax * stretch(),
  );
  notReady.catch(() => {});
  await answers;
  assert(server.isRunning(), server.output().slice(-3_000));
  assertUnavailable(await notReady, `${what}: /readyz`);
  await sleep(Math.max(0, leftMs + awayMsMin - performance.now()));

  await mode.comeBack();
  const backMs = performance.now();
  const isReady = async () => (await call(`${server.url}/readyz`)).status === 200 || undefined;
  await until(`${what}: /readyz to say yes`, isReady, resumeMsMax * stretch());
  const readyMs = performance.now() - backMs;
  const isListed = async () => (await call(list, { headers: bearer })).status === 200 || undefined;
  await until(`${what}: REST to resume`, isListed, Math.max(1_000, resumeMsMax * stretch() - readyMs));
  const restMs = performance.now() - backMs;
  await until(
    `${what}: a time without a refusal`,
    async () => {
      const refusedMs = attempts.findLast(({ answer }) => !answer.isAccepted)?.endedMs ?? 0;
      return performance.now() - Math.max(backMs, refusedMs) > calmMs;
    },
    2 * resumeMsMax * stretch(),
  );
  await load.end();

  const meanwhile = attempts.filter(({ beganMs, endedMs }) => beganMs > leftMs && endedMs < backMs);
  assert(meanwhile.length >= 8, `${what}: the load went on`);
  for (const { answer } of meanwhile) assertFeedUnavailable(answer, `${what}: a feed under load`);
  for (const { answer } of attempts)
    if (!answer.isAccepted) assertFeedUnavailable(answer, `${what}: a feed at the edge`);
  const since = attempts.filter(({ endedMs }) => endedMs > backMs);
  const resumed = since.find(({ answer }) => answer.isAccepted);
  assert(resumed, `${what}: documents are accepted again`);
  const refused = since.filter(({ answer, beganMs }) => !answer.isAccepted && beganMs > backMs);
  const lastRefusedMs = Math.max(0, ...refused.map(({ beganMs }) => beganMs - backMs));
  const slowestMs = Math.max(...attempts.filter(({ answer }) => !answer.isAccepted).map(({ answer }) => answer.ms));
  diagnostic(
    `${what}: ${meanwhile.length} documents answered 503 meanwhile, the slowest after ${Math.round(slowestMs)} ms; after the return ` +
      `ready in ${Math.round(readyMs)} ms, REST in ${Math.round(restMs)} ms, first ACK in ${Math.round(resumed.endedMs - backMs)} ms, ` +
      `last document refused was sent at ${Math.round(lastRefusedMs)} ms`,
  );
  assert(resumed.endedMs - backMs <= resumeMsMax * stretch(), `${what}: the first ACK came in time`);
  assert(lastRefusedMs <= resumeMsMax * stretch(), `${what}: nothing is refused any more`);
  assert(server.isRunning(), server.output());
  return meanwhile;
}

/** Repeats documents without a response, which settles them, and lets the oracle check everything. */
async function settleAll(): Promise<void> {
  for (const document of sent.filter((entry) => !isSettled(entry))) {
    // The last cut may have been that of a health probe: the next one comes a second later.
    const answer = await until("an answer other than 503", async () => {
      const answer = await sendFeed(server, document);
      return answer.status === 503 ? undefined : answer;
    });
    assert.equal(answer.status, 200, answer.body);
    if (answer.isAccepted) document.answer = answer;
    else {
      assert.equal(document.key, undefined, `a key settles its document: ${answer.body}`);
      const origin = /\[DUPLICATE\] .* received as document (\S+) at \S+; its bytes are identical/.exec(
        answer.body,
      )?.[1];
      assert(origin, answer.body);
      document.originToken = origin;
    }
  }
  await drained(directUrl);
  await checkDatabase(directUrl, sent);
}

test("a PostgreSQL that refuses connections", async (t) => {
  const meanwhile = await outage("refusing", (line) => t.diagnostic(line), {
    leave: () => proxy.refuse(),
    comeBack: () => proxy.back(),
  });
  const ids = meanwhile.map(({ document }) => document.objectId);
  const { rows } = await withClient(directUrl, (client) =>
    client.query("select order_id from sales_order where order_id = any($1)", [ids]),
  );
  assert.deepEqual(rows, [], "nothing is kept of what was answered 503 while the store was away");
  await settleAll();
});

test("a network that drops all packets and the open connections", async (t) => {
  await outage("silent", (line) => t.diagnostic(line), { leave: () => proxy.hang(), comeBack: () => proxy.back() });
  await settleAll();
});

test("a suspended PostgreSQL", async (t) => {
  let frozen: number[] = [];
  await outage("standing still", (line) => t.diagnostic(line), {
    leave() {
      // The postmaster is stopped first; otherwise it starts further processes, which continue.
      const { postmaster } = postgresOf(storeDir);
      assert(postmaster, "PostgreSQL runs");
      signal(postmaster, "SIGSTOP");
      frozen = [...postgresOf(storeDir).all.filter((pid) => pid !== postmaster), postmaster];
      for (const pid of frozen) signal(pid, "SIGSTOP");
    },
    comeBack() {
      for (const pid of frozen) signal(pid, "SIGCONT");
    },
  });
  await settleAll();
});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process ended by itself, as PostgreSQL's workers do.
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

test("connections that are cut under load cost a 503 at the most", async (t) => {
  const load = startLoad(8);
  for (let i = 0; i < 10; i++) {
    await sleep(150);
    if (i % 2 === 0) proxy.cut();
    else await terminateBackends();
  }
  const { attempts } = load;
  const cutCount = attempts.length;
  await until("eight in a row to be accepted behind the last cut", async () => {
    const last = attempts.slice(cutCount).slice(-8);
    return (last.length === 8 && last.every(({ answer }) => answer.isAccepted)) || undefined;
  });
  await load.end();
  const statuses = attempts.map(({ answer }) => answer.status);
  t.diagnostic(`${statuses.length} documents, ${statuses.filter((status) => status === 503).length} answered 503`);
  for (const { answer } of attempts) if (!answer.isAccepted) assertFeedUnavailable(answer, "a feed under load");
  assert(
    statuses.slice(-8).every((status) => status === 200),
    "the last ones are accepted",
  );
  assert(server.isRunning(), server.output());
  await settleAll();
});

/** Terminates the sessions of the test's database except its own. */
async function terminateBackends(): Promise<void> {
  await withClient(directUrl, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    ),
  );
}

for (const when of ["delivered", "lost"] as const) {
  test(`a commit of unknown outcome (${when}) answers its result, else 503, and a repeat with its key decides`, async () => {
    for (const isKeyed of [true, false]) {
      const document = newOrder(isKeyed);
      proxy.cutAtCommit(when);
      const { answer } = await attempt(document);
      await proxy.back();
      if (when === "lost" || !answer.isAccepted) assertFeedUnavailable(answer, "a feed whose commit was cut");
      // PostgreSQL may still be committing, or the server may still consider it unavailable: both are temporary errors.
      const again = await until("an answer that says what became of it", async () => {
        const answer = await sendFeed(server, document);
        return [409, 503].includes(answer.status) ? undefined : answer;
      });
      assert.equal(again.status, 200, again.body);
      if (isKeyed || when === "lost") {
        assert(again.isAccepted, again.body);
        assert.equal(again.headers["idempotent-replayed"], when === "delivered" ? "true" : undefined);
        document.answer = again;
      } else {
        assert.match(again.body, /\[DUPLICATE\] .*; its bytes are identical/);
        document.originToken = /received as document (\S+)/.exec(again.body)?.[1] as string;
      }
    }
    await settleAll();
  });
}

test("several nodes that start at once on an empty database migrate and seed it once", {
  timeout: 240_000,
}, async (t) => {
  const url = await makeDatabase("at_once");
  const dataDirs = Array.from({ length: 3 }, () => makeDataDir());
  const starting = dataDirs.map((dataDir) => spawnProcess(dataDir, { DATABASE_URL: url, ...secret }));
  // Only one node has created the demo client, and the file with its credentials.
  const nodes = await Promise.all(
    starting.map((node) =>
      until(
        "a node to be ready",
        async () => {
          assert.doesNotMatch(node.output(), /cannot start/);
          return urlIn(node.output());
        },
        150_000,
      ),
    ),
  );
  for (const node of nodes) await until("it to be ready", async () => (await call(`${node}/readyz`)).status === 200);
  const applied = starting.map((node) => (node.output().match(/"msg":"the schema was migrated"/g) ?? []).length);
  assert.deepEqual(applied.sort(), [0, 0, 1]);
  assert.equal(dataDirs.filter((dataDir) => existsSync(path.join(dataDir, "demo-credentials.json"))).length, 1);
  const { rows } = await withClient(url, (client) =>
    client.query(`select (select count(*)::int from client) as clients, (select count(*)::int from sales_order) as orders,
      (select count(*)::int from feed_document where state = 'REJECTED') as rejected,
      (select count(*)::int from schema_migration) as migrations`),
  );
  assert.deepEqual(
    { ...rows[0], migrations: rows[0].migrations > 0 },
    { clients: brands.length, orders: 1, rejected: 0, migrations: true },
  );
  const exits = await Promise.all(starting.map((node) => node.stop("SIGTERM")));
  assert.deepEqual(
    exits.map(({ code }) => code),
    [0, 0, 0],
  );
  t.diagnostic(`stopped within ${Math.round(Math.max(...exits.map(({ ms }) => ms)))} ms`);
});

test("a server stops in time although its database is silent", async (t) => {
  const load = startLoad(2);
  await sleep(200);
  proxy.hang();
  await sleep(500);
  const { code, ms } = await server.stop("SIGTERM");
  await load.end().catch(() => {});
  await proxy.back();
  t.diagnostic(`ended with code ${code} after ${Math.round(ms)} ms`);
  assert(ms < 5_500 * stretch(), "it ends within 5 s, and some time for the process to go");
  if (code !== 0) assert.match(server.output(), /"msg":"a part did not stop in time"/);
});

test("an unavailable database ends the start with a reason", async () => {
  await proxy.refuse();
  const node = spawnProcess(makeDataDir(), { DATABASE_URL: proxy.url, ...secret });
  const { code } = await node.stop();
  assert.equal(code, 1);
  assert.match(node.output(), /^Crossdock cannot start: .+/m);
  await proxy.back();
});

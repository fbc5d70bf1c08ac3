// Relays that compete, stall and are killed: every event is published exactly once, at positions without a gap
// (ARCHITECTURE.md; feeds.md §1).
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { createOutboxWriter, type OutboxWriter } from "#/store/outbox/append.ts";
import { type Consumer, type Relay, startRelay } from "#/store/outbox/relay.ts";
import { leaveOut } from "#/store/outbox/repository.ts";
import { watchMachine } from "../../support/app/machine.ts";
import { type Program, startProgram } from "../../support/app/program.ts";
import { until } from "../../support/app/until.ts";
import { insertClient } from "../../support/builders/client.ts";
import { patient, testDatabase } from "../../support/postgres/database.ts";
import { seededRandom, testSeed } from "../load/sender.ts";
import { withClient } from "../oracles/oracle.ts";
import { createRecorder, recordedTable } from "../oracles/relay-recorder.ts";

const relays = new Set<Relay>();
afterEach(async () => {
  await Promise.all([...relays].map((relay) => relay.stop()));
  relays.clear();
});

const { database, url } = await testDatabase();
const ids = createIds();
const stretch = watchMachine();
await withClient(url, (client) => client.query(recordedTable));

let clientId = "";
let clients = 0;
beforeEach(async () => {
  clientId = `RELAY${++clients}`;
  await insertClient(database, { clientId });
});

const program = fileURLToPath(new URL("../nodes/relay-process.ts", import.meta.url));

const startChild = (leaseMs: number, mode: "work" | "stall") =>
  startProgram([process.execPath, program, url, String(leaseMs), mode]);

const says = (child: Program, word: string) =>
  until(
    () => `${word} in ${child.output()}`,
    () => child.stdout().includes(word),
  );

function startLocal(consumers: readonly Consumer[], options: { leaseMs?: number; pollMs?: number } = {}): Relay {
  const { leaseMs = 500, pollMs = 50 } = options;
  const relay = startRelay({
    database,
    clock: systemClock,
    ids,
    consumers,
    leaseMs,
    pollMs,
    onError: () => {},
  });
  relays.add(relay);
  return relay;
}

/** For a relay that must complete at its first attempt, however slow the machine is. */
const longLease = { leaseMs: 60_000 };

function append(
  writer: OutboxWriter,
  objectIds: readonly string[],
  client = clientId,
  into: Database = database,
): Promise<void> {
  return into.transaction(async (tx) => {
    const drafts = objectIds.map((objectId) => ({ topic: "test:made", objectType: "test", objectId, data: {} }));
    writer.append(tx.of(client), new Date().toISOString(), drafts);
    // A relay without processor time holds the marks that long.
  }, patient);
}

interface State {
  readonly pending: number;
  readonly failed: number;
  /** Topics and object ids in position order. */
  readonly events: readonly string[];
  readonly positions: readonly number[];
  readonly handled: readonly string[];
}

function stateOf(client = clientId): Promise<State> {
  return withClient(url, async (connection) => {
    const { rows } = await connection.query(
      `select (select count(*) from outbox where client_id = $1 and state = 'PENDING')::int as pending,
        (select count(*) from outbox where client_id = $1 and state = 'FAILED')::int as failed,
        (select coalesce(array_agg(topic || ' ' || object_id order by position), '{}') from event where client_id = $1) as events,
        (select coalesce(array_agg(position::int order by position), '{}') from event where client_id = $1) as positions,
        (select coalesce(array_agg(object_id), '{}') from handled where client_id = $1) as handled`,
      [client],
    );
    return rows[0] as State;
  });
}

function published(client = clientId, msMax = 60_000): Promise<State> {
  return until(
    "everything to be published",
    async () => {
      const state = await stateOf(client);
      return state.pending === 0 ? state : undefined;
    },
    msMax,
  );
}

function assertExactlyOnce(state: State, objectIds: readonly string[]): void {
  const sorted = [...objectIds].sort();
  const of = (topic: string) =>
    state.events.filter((event) => event.startsWith(`${topic} `)).map((event) => event.slice(topic.length + 1));
  assert.deepEqual(of("test:made").sort(), sorted, "each event is published once");
  assert.deepEqual(of("test:answered").sort(), sorted, "and answered once");
  assert.deepEqual([...state.handled].sort(), sorted, "and has its effect once");
  assert.deepEqual(
    state.positions,
    state.positions.map((_, i) => i + 1),
    "positions run from 1 without a gap",
  );
  assert.equal(state.failed, 0);
}

test("relays that are killed at random publish every event exactly once", async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const other = `${clientId}B`;
  await insertClient(database, { clientId: other });
  const committed = new Map<string, string[]>([
    [clientId, []],
    [other, []],
  ]);
  let number = 0;
  let isOver = false;
  const producing = Array.from({ length: 4 }, async () => {
    const writer = createOutboxWriter(ids);
    while (!isOver) {
      const client = random() < 0.5 ? clientId : other;
      const objectIds = Array.from({ length: 1 + Math.floor(random() * 5) }, () => String(++number));
      if (random() < 0.1) {
        // A rolled-back row must leave no trace.
        const rollback = database.transaction(async (tx) => {
          writer.append(tx.of(client), new Date().toISOString(), [
            { topic: "test:made", objectType: "test", objectId: "never", data: {} },
          ]);
          throw new Error("rolled back");
        }, patient);
        await assert.rejects(rollback, /rolled back/);
      } else {
        await append(writer, objectIds, client);
        committed.get(client)?.push(...objectIds);
      }
      await sleep(random() * 10);
    }
  });
  const workers = Array.from({ length: 3 }, () => startChild(500, "work"));
  await Promise.all(workers.map((worker) => says(worker, "started")));
  let kills = 0;
  // A slow machine takes longer to reach enough rows and kills.
  for (const endMs = performance.now() + 4_000; performance.now() < endMs || number < 200 || kills < 8; kills++) {
    await sleep(50 + random() * 200);
    const victim = Math.floor(random() * workers.length);
    await workers[victim]?.kill();
    workers[victim] = startChild(500, "work");
  }
  isOver = true;
  await Promise.all(producing);
  let events = 0;
  for (const [client, objectIds] of committed) {
    const state = await published(client);
    assertExactlyOnce(state, objectIds);
    events += objectIds.length;
  }
  await Promise.all(workers.map((worker) => worker.kill()));
  t.diagnostic(`${events} events, ${kills} relays killed`);
  assert(events > 100 && kills > 5);
});

test("the lane of a relay that is killed in mid-batch is taken over within a few seconds", async (t) => {
  const writer = createOutboxWriter(ids);
  await append(writer, ["1", "2"]);
  const victim = startChild(1_000, "stall");
  await says(victim, "stalled");
  const beganMs = performance.now();
  await victim.kill();
  startLocal([createRecorder()], { leaseMs: 1_000 });
  assertExactlyOnce(await published(), ["1", "2"]);
  const ms = performance.now() - beganMs;
  t.diagnostic(`with a lease of 1000 ms published ${Math.round(ms)} ms after the kill`);
  assert(ms < 10_000 * stretch());
});

test("a relay that stalls past its lease settles nothing", async () => {
  const writer = createOutboxWriter(ids);
  await append(writer, ["1", "2"]);
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hasStalled = false;
  const recorder = createRecorder();
  const stalling = startLocal(
    [
      {
        async consume(tx, at, rows) {
          const drafts = await recorder.consume(tx, at, rows);
          if (!hasStalled) {
            hasStalled = true;
            await gate;
          }
          return drafts;
        },
      },
    ],
    { leaseMs: 300 },
  );
  try {
    await until("the relay to stall", async () => hasStalled || undefined);
    startLocal([recorder], { leaseMs: 300 });
    assertExactlyOnce(await published(), ["1", "2"]);
    // The locks of the stalled relay do not delay documents that arrive meanwhile.
    await append(createOutboxWriter(ids), ["3"]);
    await published();
  } finally {
    goOn();
  }
  await stalling.stop();
  assertExactlyOnce(await stateOf(), ["1", "2", "3"]);
  await append(writer, ["4"]);
  assertExactlyOnce(await published(), ["1", "2", "3", "4"]);
});

test("a relay in mid-batch when a restore leaves positions out gives none of them", async () => {
  const begun = Promise.withResolvers<void>();
  const leftOut = Promise.withResolvers<void>();
  startLocal([
    {
      async consume() {
        begun.resolve();
        await leftOut.promise;
        return [];
      },
    },
  ]);
  await append(createOutboxWriter(ids), ["A"]);
  await begun.promise;
  await leaveOut(database.of(clientId), { positions: 1_000, sequences: 1_000 });
  leftOut.resolve();
  assert.deepEqual((await published()).positions, [1_001]);
  const { rows } = await withClient(url, (client) =>
    client.query("select last_position::int, sequence_base::int from outbox_lane where client_id = $1", [clientId]),
  );
  assert.deepEqual(rows, [{ last_position: 1_001, sequence_base: 1_000 }]);
});

test("a lost notice costs the time to the next poll, a notice that arrives none", async (t) => {
  const writer = createOutboxWriter(ids);
  const polling = startLocal([createRecorder()], { pollMs: 400 });
  let beganMs = performance.now();
  await append(writer, ["1"]);
  assertExactlyOnce(await published(), ["1"]);
  const polledMs = performance.now() - beganMs;
  await polling.stop();
  const woken = startLocal([createRecorder()], { pollMs: 60_000 });
  await sleep(200);
  beganMs = performance.now();
  await append(writer, ["2"]);
  woken.wake();
  assertExactlyOnce(await published(), ["1", "2"]);
  const wokenMs = performance.now() - beganMs;
  t.diagnostic(
    `published ${Math.round(polledMs)} ms after the commit by the poll each 400 ms, ${Math.round(wokenMs)} ms when woken`,
  );
  assert(Math.max(polledMs, wokenMs) < 10_000 * stretch());
});

test("a committed transaction names the client of its events, a rolled-back one none", async () => {
  const named: string[] = [];
  const writer = createOutboxWriter(ids, { onCommit: (client) => named.push(client) });
  const rollback = database.transaction(async (tx) => {
    writer.append(tx.of(clientId), new Date().toISOString(), [
      { topic: "test:made", objectType: "test", objectId: "never", data: {} },
    ]);
    throw new Error("rolled back");
  });
  await assert.rejects(rollback, /rolled back/);
  await database.transaction(async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), []));
  assert.deepEqual(named, []);
  await append(writer, ["1"]);
  assert.deepEqual(named, [clientId]);
  const relay = startLocal([createRecorder()], { pollMs: 60_000 });
  await published();
  await append(writer, ["2"]);
  relay.wake(named.at(-1));
  assertExactlyOnce(await published(), ["1", "2"]);
});

test("an event that cannot be handled is given up after three attempts, and blocks no other", async () => {
  const writer = createOutboxWriter(ids);
  const recorder = createRecorder();
  await append(writer, ["1", "poison", "2"]);
  startLocal(
    [
      {
        async consume(tx, at, rows) {
          if (rows.some(({ objectId }) => objectId === "poison")) throw new Error("not to be handled");
          return recorder.consume(tx, at, rows);
        },
        giveUp: async (_tx, _at, row) => [
          { topic: "test:givenUp", objectType: "test", objectId: row.objectId, data: {} },
        ],
      },
    ],
    longLease,
  );
  const state = await published();
  await append(writer, ["3"]);
  assert.deepEqual((await published()).events, [
    "test:made 1",
    "test:answered 1",
    "test:givenUp poison",
    "test:made 2",
    "test:answered 2",
    "test:made 3",
    "test:answered 3",
  ]);
  assert.equal(state.failed, 1);
  const { positions } = await stateOf();
  assert.deepEqual(positions, [1, 2, 3, 4, 5, 6, 7]);
  const { rows } = await withClient(url, (client) =>
    client.query("select attempts, last_error from outbox where client_id = $1", [clientId]),
  );
  assert.deepEqual(rows, [{ attempts: 3, last_error: "not to be handled" }]);
});

test("an event that waits for a lock is retried until it succeeds", async () => {
  const writer = createOutboxWriter(ids);
  const recorder = createRecorder();
  await append(writer, ["1"]);
  let attempts = 0;
  startLocal(
    [
      {
        async consume(tx, at, rows) {
          if (++attempts <= 6)
            throw Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
          return recorder.consume(tx, at, rows);
        },
      },
    ],
    longLease,
  );
  assertExactlyOnce(await published(), ["1"]);
  assert.equal(attempts, 7);
});

test("a caused event of an object comes after its earlier events, also those committed meanwhile", async () => {
  const writer = createOutboxWriter(ids);
  const other = createOutboxWriter(ids);
  await append(writer, ["1", "2"]);
  let hasHappened = false;
  const seen: string[] = [];
  startLocal(
    [
      {
        async consume(_tx, _at, rows) {
          const made = rows.filter(({ topic }) => topic === "test:made");
          // Simulates a consumer that waits for an object's lock held by another transaction.
          if (!hasHappened) await append(other, ["2"]);
          hasHappened = true;
          return made.map(({ objectId }) => ({
            topic: "test:answered",
            objectType: "test",
            objectId,
            data: {},
          }));
        },
      },
      {
        async consume(_tx, _at, rows) {
          seen.push(...rows.map(({ topic, objectId }) => `${topic} ${objectId}`));
          return [];
        },
      },
    ],
    longLease,
  );
  const { events, positions } = await published();
  assert.deepEqual(events, [
    "test:made 1",
    "test:made 2",
    "test:answered 1",
    "test:made 2",
    "test:answered 2",
    "test:answered 2",
  ]);
  assert.deepEqual(positions, [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(seen, events, "each is handed to the consumers behind once, in that order");
});

test("a caused event waits for the rows before it where too many bundles wait to be read for its object", async () => {
  const writer = createOutboxWriter(ids);
  const other = createOutboxWriter(ids);
  const others = Array.from({ length: 101 }, (_, i) => `other ${i}`);
  await append(writer, ["1"]);
  let hasHappened = false;
  startLocal(
    [
      {
        async consume(_tx, _at, rows) {
          if (!hasHappened) for (const objectId of others) await append(other, [objectId]);
          hasHappened = true;
          const first = rows.filter(({ topic, objectId }) => topic === "test:made" && objectId === "1");
          return first.map(({ objectId }) => ({ topic: "test:answered", objectType: "test", objectId, data: {} }));
        },
      },
    ],
    longLease,
  );
  const { events } = await published();
  assert.deepEqual(events, ["test:made 1", ...others.map((objectId) => `test:made ${objectId}`), "test:answered 1"]);
});

test("rows that a process of the release before has written are published among the bundles, in their order", async (t) => {
  const rollingOut = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock test", writesPacked: false });
  t.after(() => rollingOut.close());
  const writer = createOutboxWriter(ids);
  await append(writer, ["1", "2"]);
  await append(writer, ["3", "4"], clientId, rollingOut);
  await append(writer, ["5"]);
  const { rows } = await withClient(url, (client) =>
    client.query("select object_id, events from outbox where client_id = $1 order by outbox_id", [clientId]),
  );
  assert.deepEqual(
    rows.map((row) => `${row.object_id || "bundle"} ${row.events}`),
    ["bundle 2", "3 1", "4 1", "bundle 1"],
  );
  startLocal([createRecorder()]);
  const state = await published();
  assertExactlyOnce(state, ["1", "2", "3", "4", "5"]);
  assert.deepEqual(
    state.events.filter((event) => event.startsWith("test:made")),
    ["1", "2", "3", "4", "5"].map((objectId) => `test:made ${objectId}`),
  );
});

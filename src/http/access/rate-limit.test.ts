import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createRateLimiter, limitOf, type RateLimiter, rateLimitHeaders } from "#/http/access/rate-limit.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { openDatabase } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const warnings: string[] = [];
const log = createLogger({ level: "info", format: "json", destination: { write: (line) => void warnings.push(line) } });

function limiterWith(options: Partial<Parameters<typeof createRateLimiter>[0]> = {}): RateLimiter {
  const limiter = createRateLimiter({ database, clock: systemClock, log, ...options });
  after(() => limiter.close());
  return limiter;
}

/** A clock that only moves when the test moves it. */
function handClock(startMs = Date.UTC(2026, 10, 20)) {
  let nowMs = startMs;
  return { now: () => nowMs, move: (ms: number) => (nowMs += ms) };
}

const never = 2 ** 31 - 1;

function takeMany(limiter: RateLimiter, key: string, count: number, limit = { perSecond: 100, burst: 200 }): number {
  return Array.from({ length: count }, () => limiter.take(key, limit)).filter(({ isAllowed }) => isAllowed).length;
}

test("an idle key has its burst, then its rate, and gets Retry-After", () => {
  const clock = handClock();
  const limiter = limiterWith({ clock, flushMs: never });
  assert.equal(takeMany(limiter, "a", 250), 200);
  const refused = limiter.take("a", { perSecond: 100, burst: 200 });
  assert.deepEqual(refused, {
    isAllowed: false,
    limit: { perSecond: 100, burst: 200 },
    remaining: 0,
    resetSeconds: 2,
    retryAfterSeconds: 1,
  });
  clock.move(1_000);
  assert.equal(takeMany(limiter, "a", 250), 100);
  assert.equal(takeMany(limiter, "b", 250), 200);
  clock.move(60_000);
  assert.equal(takeMany(limiter, "a", 250), 200);
});

test("additional work is charged, and a key waits at most for the duration of a burst", () => {
  const clock = handClock();
  const limiter = limiterWith({ clock, flushMs: never });
  const limit = { perSecond: 100, burst: 200 };
  assert.ok(limiter.take("work", limit).isAllowed);
  limiter.charge("work", limit, 150);
  assert.equal(takeMany(limiter, "work", 100), 49);
  limiter.charge("work", limit, 5_000);
  clock.move(2_000);
  assert.equal(takeMany(limiter, "work", 1), 0);
  clock.move(1_000);
  assert.equal(takeMany(limiter, "work", 200), 100);
});

test("the headers are those of the draft", () => {
  const clock = handClock();
  const limiter = limiterWith({ clock, flushMs: never });
  const limit = limitOf({ perSecond: 2 });
  assert.notEqual(limit, "off");
  if (limit === "off") return;
  assert.deepEqual(rateLimitHeaders(limiter.take("h", limit)), {
    "RateLimit-Policy": '"default";q=2;w=1, "burst";q=4;w=2',
    RateLimit: '"default";r=3;t=1',
  });
  takeMany(limiter, "h", 3, limit);
  assert.deepEqual(rateLimitHeaders(limiter.take("h", limit)), {
    "RateLimit-Policy": '"default";q=2;w=1, "burst";q=4;w=2',
    RateLimit: '"default";r=0;t=2',
    "Retry-After": "1",
  });
  assert.equal(limitOf("off"), "off");
});

test("usage on one node reduces the rate on the other", async () => {
  const clock = handClock();
  const [left, right] = [limiterWith({ clock, flushMs: never }), limiterWith({ clock, flushMs: never })];
  takeMany(left, "shared", 150);
  takeMany(right, "shared", 1);
  await left.flush();
  await right.flush();
  await left.flush();
  assert.equal(takeMany(right, "shared", 250), 49);
  await right.flush();
  await left.flush();
  assert.equal(takeMany(left, "shared", 250), 0);
});

test("a node with a new key takes over its recent usage, and no older usage", async () => {
  const clock = handClock();
  const first = limiterWith({ clock, flushMs: never });
  takeMany(first, "joined", 200);
  await first.flush();
  const second = limiterWith({ clock, flushMs: never });
  takeMany(second, "joined", 1);
  await second.flush();
  assert.equal(takeMany(second, "joined", 10), 0);
  clock.move(30_000);
  const third = limiterWith({ clock, flushMs: never });
  takeMany(third, "joined", 1);
  await third.flush();
  assert.equal(takeMany(third, "joined", 250), 199);
});

test("a key that comes back after a rest is not charged again for usage of which it has recovered", async () => {
  const clock = handClock();
  const limit = { perSecond: 1, burst: 60 };
  const nodes = [limiterWith({ clock, flushMs: never }), limiterWith({ clock, flushMs: never })] as const;
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      clock.move(5_000);
      for (const node of nodes) await node.flush();
    }
  };
  // An office in the course of an hour.
  for (let i = 0; i < 150; i++) {
    assert.ok(nodes[0].take("office", limit).isAllowed);
    await nodes[0].flush();
    clock.move(20_000);
  }
  for (const idleMs of [15_000, 55_000]) {
    await pass(idleMs);
    for (let i = 0; i < 5; i++) {
      assert.ok(nodes[0].take("office", limit).isAllowed, `attempt ${i} after ${idleMs} ms`);
      await nodes[0].flush();
    }
  }
  // A node that meets the key now charges the last burst at most, less what came back.
  await pass(30_000);
  assert.ok(nodes[1].take("office", limit).isAllowed);
  await nodes[1].flush();
  assert.ok(takeMany(nodes[1], "office", 60, limit) >= 28);
  // The use of another node counts meanwhile all the same.
  await nodes[1].flush();
  await pass(15_000);
  assert.ok(takeMany(nodes[0], "office", 60, limit) <= 45);
});

test("two nodes together stay within 20 % of the rate", async () => {
  const limit = { perSecond: 100, burst: 20 };
  // The test advances the time, not the machine, so that the nodes exchange their usage as often as in operation.
  const clock = handClock();
  const nodes = [limiterWith({ clock, flushMs: never }), limiterWith({ clock, flushMs: never })];
  let allowed = 0;
  for (let ms = 10; ms <= 4_000; ms += 10) {
    for (const node of nodes) allowed += takeMany(node, "pair", 10, limit);
    clock.move(10);
    if (ms % 250 === 0) for (const node of nodes) await node.flush();
  }
  const rate = (allowed - limit.burst) / 4;
  assert.ok(rate >= 80 && rate <= 120, `${rate} a second`);
});

test("a node reports its own usage to the database repeatedly", async () => {
  const limiter = limiterWith({ clock: handClock() });
  for (const used of [1, 2]) {
    takeMany(limiter, "told", 1);
    const isStored = async () => {
      const rows = await database.query<{ used: number }>(
        sql`select used from rate_limit_use where key = ${"told"} limit 1`,
      );
      return rows[0]?.used === used;
    };
    for (const endMs = performance.now() + 30_000; !(await isStored()); await sleep(20)) {
      assert.ok(performance.now() < endMs, `${used} is in the store`);
    }
  }
});

test("without the database each node limits by itself, and no usage is lost", async () => {
  const clock = handClock();
  const away = openDatabase({
    url: "postgres://nobody@127.0.0.1:1/nothing",
    connectionsMax: 1,
    applicationName: "test",
    connectTimeoutMs: 200,
  });
  after(() => away.close());
  let current = away;
  const switching = {
    ...database,
    query: (statement: Parameters<typeof database.query>[0]) => current.query(statement),
  };
  const limiter = limiterWith({ clock, flushMs: never, database: switching as typeof database });
  assert.equal(takeMany(limiter, "alone", 30), 30);
  await limiter.flush();
  await limiter.flush();
  assert.equal(takeMany(limiter, "alone", 250), 170);
  assert.equal(warnings.filter((line) => line.includes("cannot be shared")).length, 1);
  current = database;
  await limiter.flush();
  const rows = await database.query<{ used: number }>(
    sql`select used from rate_limit_use where key = ${"alone"} limit 1`,
  );
  assert.equal(rows[0]?.used, 200);
});

test("an idle key is dropped, and its row purged", async () => {
  const clock = handClock(Date.now());
  const limiter = limiterWith({ clock, flushMs: never });
  takeMany(limiter, "old", 1);
  await limiter.flush();
  clock.move(2 * 3_600_000);
  await limiter.flush();
  const rows = await database.query(sql`select key from rate_limit_use where key = ${"old"} limit 1`);
  assert.deepEqual(rows, []);
  assert.equal(takeMany(limiter, "old", 250), 200);
});

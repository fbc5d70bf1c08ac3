import assert from "node:assert/strict";
import { test } from "node:test";
import { createStoreGauges } from "#/app/telemetry/store-gauges.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { patient, restsLong, testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
const logged: string[] = [];
const log = createLogger({
  level: "info",
  format: "json",
  destination: { write: (line: string) => void logged.push(line) },
});

function gauges(more: { readonly freshMs?: number; readonly isStoreDown?: () => boolean } = {}) {
  const made = createStoreGauges({ url, log, clock: systemClock, isStoreDown: () => false, ...more });
  atEnd(() => made.close());
  return made;
}

/** The first query may take longer than a scrape waits for it. */
async function looked(store: ReturnType<typeof gauges>) {
  for (const endMs = performance.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
    const registry = await store.read();
    if (registry) return registry;
    assert.ok(performance.now() < endMs, "the store is looked at");
  }
}

const statementOf = (text: string) => ({ text, values: [], name: "", isTenant: false });
/** Queries that no scrape has waited for may still run and hold the tables that this locks. */
const statement = (text: string) => database.transaction((tx) => tx.query(statementOf(text)), patient);

test("concurrent requests, and requests within ten seconds, read the database once", async () => {
  const store = gauges();
  const all = await Promise.all(Array.from({ length: 50 }, () => store.read()));
  const first = await looked(store);
  // On a slow machine, every scrape returns before the first query ends, and all get undefined.
  assert.ok(all.every((count) => count === first) || all.every((count) => count === undefined));
  assert.equal(await store.read(), first);
});

test("older values are read again", async () => {
  const store = gauges({ freshMs: 1 });
  const first = await looked(store);
  for (const endMs = performance.now() + 30_000; (await store.read()) === first; ) {
    assert.ok(performance.now() < endMs, "there is no new look");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test("an unavailable database is not queried", async () => {
  let isDown = false;
  const store = gauges({ isStoreDown: () => isDown });
  assert.ok(await looked(store));
  isDown = true;
  assert.equal(await store.read(), undefined);
});

test("a slow database keeps no scrape waiting: it gets the previous values, and then the new ones", async () => {
  const store = gauges({ freshMs: 1 });
  await looked(store);
  await new Promise((resolve) => setTimeout(resolve, 5));
  let metrics: Awaited<ReturnType<typeof store.read>>;
  await database.transaction(async (tx) => {
    tx.send(restsLong);
    await tx.query(statementOf("lock table outbox in access exclusive mode"));
    // A scrape that waits for the lock takes a second each time; a delay of the machine does not recur each time.
    let quickestMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 10 && quickestMs >= 900; i++) {
      const startedMs = performance.now();
      metrics = await store.read();
      quickestMs = Math.min(quickestMs, performance.now() - startedMs);
      assert.ok(metrics, "no new reading: the previous values");
    }
    assert.ok(quickestMs < 900);
  }, patient);
  for (const endMs = performance.now() + 30_000; (await store.read()) === metrics; ) {
    assert.ok(performance.now() < endMs, "the new values");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test("where the exceptions cannot be counted the other gauges are exported, and the reason is logged once", async () => {
  await statement("alter table exception_annotation rename to exception_annotation_away");
  try {
    const store = gauges({ freshMs: 1 });
    for (let i = 0; i < 3; i++) {
      const metrics = (await looked(store)).getMetricsAsArray().map(({ name }) => name);
      assert.ok(metrics.includes("crossdock_outbox_unpublished_events"));
      assert.ok(!metrics.includes("crossdock_exceptions_open"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(logged.filter((line) => line.includes("could not be read for exceptions")).length, 1);
  } finally {
    await statement("alter table exception_annotation_away rename to exception_annotation");
  }
});

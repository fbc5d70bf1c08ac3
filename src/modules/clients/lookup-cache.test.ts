import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookupCache } from "#/modules/clients/lookup-cache.ts";

interface Probe {
  nowMs: number;
  readonly loads: string[];
  /** Key → value in the store. */
  readonly store: Map<string, string>;
}

function makeCache(entriesMax = 100) {
  const probe: Probe = { nowMs: 0, loads: [], store: new Map([["a", "A"]]) };
  const cache = createLookupCache<string | undefined>({
    clock: { now: () => probe.nowMs },
    load: async (key) => {
      probe.loads.push(key);
      const value = probe.store.get(key);
      await new Promise(setImmediate);
      if (value === "broken") throw new Error("the store is away");
      return value;
    },
    isFound: (value) => value !== undefined,
    foundTtlMs: 30_000,
    missingTtlMs: 2_000,
    entriesMax,
  });
  return { cache, probe };
}

test("look-ups of one key at the same time share one query, later ones need none until it is too old", async () => {
  const { cache, probe } = makeCache();
  assert.deepEqual(await Promise.all([cache.get("a"), cache.get("a"), cache.get("a")]), ["A", "A", "A"]);
  probe.nowMs = 29_999;
  assert.equal(await cache.get("a"), "A");
  assert.deepEqual(probe.loads, ["a"]);
  probe.nowMs = 30_000;
  probe.store.set("a", "A2");
  assert.equal(await cache.get("a"), "A2");
  assert.deepEqual(probe.loads, ["a", "a"]);
});

test("a missing key is looked up again after two seconds", async () => {
  const { cache, probe } = makeCache();
  assert.equal(await cache.get("b"), undefined);
  probe.store.set("b", "B");
  probe.nowMs = 1_999;
  assert.equal(await cache.get("b"), undefined);
  probe.nowMs = 2_000;
  assert.equal(await cache.get("b"), "B");
  assert.deepEqual(probe.loads, ["b", "b"]);
});

test("many invented keys do not evict real ones, and the cache of both is bounded", async () => {
  const { cache, probe } = makeCache(10);
  await cache.get("a");
  for (let i = 0; i < 1_000; i++) await cache.get(`made up ${i}`);
  await cache.get("made up 999");
  await cache.get("a");
  assert.equal(probe.loads.length, 1_001);
  await cache.get("made up 0");
  assert.equal(probe.loads.length, 1_002);
});

test("the entry that was used longest ago makes room", async () => {
  const { cache, probe } = makeCache(2);
  for (const key of ["b", "c"]) probe.store.set(key, key);
  for (const key of ["a", "b", "a", "c", "a"]) await cache.get(key);
  assert.deepEqual(probe.loads, ["a", "b", "c"]);
  await cache.get("b");
  assert.deepEqual(probe.loads, ["a", "b", "c", "b"]);
});

test("clearing also drops running look-ups, so that no answer outlives a change", async () => {
  const { cache, probe } = makeCache();
  const before = cache.get("a");
  probe.store.set("a", "changed");
  cache.clear();
  const after = cache.get("a");
  assert.deepEqual(await Promise.all([before, after]), ["A", "changed"]);
  assert.equal(await cache.get("a"), "changed");
  assert.equal(probe.loads.length, 2);
});

test("a failed look-up fails those who wait for it and is not kept", async () => {
  const { cache, probe } = makeCache();
  probe.store.set("a", "broken");
  await assert.rejects(Promise.all([cache.get("a"), cache.get("a")]), /away/);
  probe.store.set("a", "A");
  assert.equal(await cache.get("a"), "A");
});

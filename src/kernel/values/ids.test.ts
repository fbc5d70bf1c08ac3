import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds, idAfter, idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";

const nowMs = Date.parse("2026-11-20T10:00:00Z");

test("ids carry their moment, and never go back, even when the clock does", () => {
  const ids = createIds();
  const first = ids.next(nowMs);
  assert.ok(isUuidV7(first));
  assert.equal(timeOfId(first), nowMs);
  const later = Array.from({ length: 10_000 }, (_, i) => ids.next(nowMs - (i % 3)));
  const all = [first, ...later];
  assert.deepEqual([...all].sort(), all);
  assert.equal(new Set(all).size, all.length);
});

test("concurrent generators in one process never give the same id", () => {
  const makers = [createIds(), createIds(), createIds()];
  const all = Array.from({ length: 3_000 }, () => makers.map((ids) => ids.next(nowMs))).flat();
  assert.equal(new Set(all).size, all.length);
});

test("an id has the time of its creation, not of the start of the work", () => {
  let now = nowMs;
  const ids = createIds({ now: () => now });
  const first = ids.next(nowMs - 5_000);
  assert.equal(timeOfId(first), nowMs);
  now += 3;
  const other = createIds({ now: () => now }).next(nowMs - 4_000);
  assert.equal(timeOfId(other), nowMs + 3);
  assert.ok(other > first, "another node's, made later, comes behind");
  assert.equal(timeOfId(ids.next(nowMs + 10)), nowMs + 10);
});

test("the id after an id carries over its parts", () => {
  assert.equal(idAfter("019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"), "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12");
  assert.equal(idAfter("019aa0f2-7f53-7c0a-9c3e-ffffffffffff"), "019aa0f2-7f53-7c0a-9c3f-000000000000");
  assert.equal(idAfter("00000000-ffff-ffff-ffff-ffffffffffff"), "00000001-0000-0000-0000-000000000000");
});

test("a bound before 1970 is the smallest id", () => {
  assert.equal(idBoundary(Date.parse("1000-01-01T00:00:00Z")), idBoundary(0));
  assert.ok(idBoundary(-1) < createIds().next(1));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { abcClassesOf, dueForAbcCount } from "#/modules/inventory/index.ts";

test("A has the first 80 % of the picks, B the next 15 %, and C the rest", () => {
  const classes = abcClassesOf(
    new Map([
      ["SLOW", 5],
      ["FAST", 50],
      ["NEXT", 30],
      ["MIDDLE", 15],
      ["NEVER", 0],
    ]),
  );
  assert.deepEqual(Object.fromEntries(classes), { FAST: "A", NEXT: "A", MIDDLE: "B", SLOW: "C", NEVER: "C" });
  assert.deepEqual(Object.fromEntries(abcClassesOf(new Map([["ONLY", 1]]))), { ONLY: "A" });
  assert.deepEqual([...abcClassesOf(new Map())], []);
});

const atMs = Date.parse("2026-07-01T02:00:00Z");
const ago = (days: number) => new Date(atMs - days * dayMs).toISOString();

test("each class has its interval, and a SKU with an open count is left out", () => {
  const classes = new Map([
    ["A1", "A"],
    ["A2", "A"],
    ["B1", "B"],
    ["B2", "B"],
  ] as const);
  const counted = (days: readonly [string, number][]) => new Map(days.map(([sku, age]) => [sku, ago(age)]));
  const due = (days: [string, number][], open: string[] = [], limit = 10) =>
    dueForAbcCount(counted(days), classes, (sku) => open.includes(sku), atMs, limit);
  const young: [string, number][] = [
    ["A1", 29],
    ["B1", 89],
    ["C1", 364],
  ];
  const old: [string, number][] = [
    ["A1", 30],
    ["B1", 90],
    ["C1", 365],
  ];
  assert.deepEqual(due(young), []);
  assert.deepEqual(due(old), ["A1", "B1", "C1"]);
  assert.deepEqual(due(old, ["B1"]), ["A1", "C1"]);
  assert.deepEqual(due(old, [], 1), ["A1"]);
  assert.deepEqual(due(old, [], -1), []);
});

test("stock that was first seen in one night is counted over an interval, the longest uncounted first", () => {
  const skus = Array.from({ length: 100 }, (_, i) => `S${i}`);
  const classes = new Map(skus.map((sku) => [sku, "A"] as const));
  const countedAt = new Map(skus.map((sku, i) => [sku, ago(30 + (i % 50))]));
  const due = dueForAbcCount(countedAt, classes, () => false, atMs, 1_000);
  assert.deepEqual(due.toSorted(), ["S48", "S49", "S98", "S99"]);
});

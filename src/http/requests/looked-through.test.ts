import assert from "node:assert/strict";
import { test } from "node:test";
import { type LookedThrough, lookedAtOnce, lookThrough, lookThroughParts, partsOf } from "./looked-through.ts";

/** A list of the numbers from 0 on, of which those match that are divisible by `step`. */
function looking({ size, step, isIndexed }: { size: number; step: number; isIndexed: boolean }) {
  const looked: number[] = [];
  const list = async (after = -1, reach = size - 1, limit = 0) => {
    looked.push(reach - after);
    const numbers = Array.from({ length: reach - after }, (_, i) => after + 1 + i);
    return numbers.filter((number) => number % step === 0).slice(0, limit);
  };
  const findReach = async (after = -1, most: number) => (after + most < size ? after + most : undefined);
  const source = { list, findReach: isIndexed ? undefined : findReach, placeOf: (row: number) => row };
  return { asked: source, looked };
}

test("a page with an indexed filter is read with one statement", async () => {
  const { asked, looked } = looking({ size: 100_000, step: 2, isIndexed: true });
  assert.deepEqual(await lookThrough({ ...asked, after: undefined, limit: 2 }), { rows: [0, 2], reach: 2 });
  assert.deepEqual(await lookThrough({ ...asked, after: 99_995, limit: 2 }), {
    rows: [99_996, 99_998],
    reach: undefined,
  });
  assert.equal(looked.length, 2);
});

test("rare matches are searched in ranges, and the page ends after a bounded number of rows", async () => {
  const { asked, looked } = looking({ size: 1_000_000, step: 100_000, isIndexed: false });
  const first = await lookThrough({ ...asked, after: undefined, limit: 50 });
  assert.deepEqual(first.rows, [0, 100_000, 200_000]);
  assert.equal(first.reach, 12 * lookedAtOnce - 1);
  assert.ok(looked.every((rows) => rows === lookedAtOnce));
  const rows = [...first.rows];
  for (let at: number | undefined = first.reach; at !== undefined; ) {
    const page: LookedThrough<number, number> = await lookThrough<number, number>({ ...asked, after: at, limit: 50 });
    rows.push(...page.rows);
    at = page.reach;
  }
  assert.deepEqual(
    rows,
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n * 100_000),
  );
});

test("a list over few clients is read client by client, over many together", () => {
  assert.deepEqual(partsOf(null), [null]);
  assert.deepEqual(partsOf([]), []);
  assert.deepEqual(partsOf(["A", "B"]), [["A"], ["B"]]);
  const many = Array.from({ length: 21 }, (_, i) => `C${i}`);
  assert.deepEqual(partsOf(many), [many]);
});

const isBefore = (left: number, right: number) => left < right;

test("parts are merged in the order of the list", async () => {
  const even = looking({ size: 100, step: 2, isIndexed: true }).asked;
  const third = looking({ size: 100, step: 3, isIndexed: true }).asked;
  const parts = (after: number | undefined) => [even, third].map((source) => ({ ...source, after, limit: 4 }));
  assert.deepEqual(await lookThroughParts(parts(undefined), isBefore), { rows: [0, 0, 2, 3], reach: 3 });
  assert.deepEqual(await lookThroughParts(parts(95), isBefore), { rows: [96, 96, 98, 99], reach: undefined });
  assert.deepEqual(await lookThroughParts([], isBefore), { rows: [], reach: undefined });
});

test("parts share the scan limit of a page, which ends where the first of them ends", async () => {
  const rare = looking({ size: 1_000_000, step: 100_000, isIndexed: false });
  const part = { ...rare.asked, after: undefined, limit: 50 };
  const page = await lookThroughParts([part, { ...part, after: 7 }, part], isBefore);
  assert.equal(rare.looked.length, 3 * 4);
  assert.deepEqual(page, { rows: [0, 0], reach: 4 * lookedAtOnce - 1 });
});

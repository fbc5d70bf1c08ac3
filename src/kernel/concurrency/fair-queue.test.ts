import assert from "node:assert/strict";
import { test } from "node:test";
import { createFairQueue } from "#/kernel/concurrency/fair-queue.ts";

function taken(queue: { shift(): string | undefined }): string[] {
  const all: string[] = [];
  for (let value = queue.shift(); value !== undefined; value = queue.shift()) all.push(value);
  return all;
}

test("owners are served in turn, each in its own order, and a new owner is next", () => {
  const queue = createFairQueue<string>();
  for (const value of ["a1", "a2", "a3", "a4"]) queue.push("a", value);
  assert.equal(queue.shift(), "a1");
  queue.push("b", "b1");
  queue.push("c", "c1");
  queue.push("b", "b2");
  assert.equal(queue.length, 6);
  assert.deepEqual(taken(queue), ["b1", "a2", "c1", "b2", "a3", "a4"]);
  assert.equal(queue.length, 0);
});

test("removed entries are dropped, and the others keep their turns", () => {
  const queue = createFairQueue<string>();
  for (const value of ["a1", "a2", "b1", "c1", "c2"]) queue.push(value.charAt(0), value);
  queue.keep((value) => value !== "b1" && value !== "c1");
  assert.equal(queue.length, 3);
  assert.deepEqual(taken(queue), ["a1", "c2", "a2"]);
});

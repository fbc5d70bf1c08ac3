import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSpanQueue } from "#/app/telemetry/otlp-spans.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

async function counted(): Promise<Record<string, number>> {
  const { values } = await metrics.telemetryDropped.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.reason), value]));
}

test("spans go out in their order, a batch at a time, one batch after the other", async () => {
  const batches: number[][] = [];
  let together = 0;
  const queue = createSpanQueue<number>({
    async send(spans) {
      assert.equal(++together, 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      together--;
      batches.push([...spans]);
      return true;
    },
  });
  for (const i of numbers(1_200)) queue.add(i);
  await queue.close(30_000);
  assert.deepEqual(batches.flat(), numbers(1_200));
  assert.ok(batches.every(({ length }) => length <= 512));
});

test("new spans are dropped and counted while the queue is full; older ones are kept", async () => {
  const before = await counted();
  const sent: number[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const queue = createSpanQueue<number>({
    spansMax: 100,
    everyMs: 1,
    async send(spans) {
      await gate;
      sent.push(...spans);
      return true;
    },
  });
  queue.add(-1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const i of numbers(150)) queue.add(i);
  open();
  await queue.close(30_000);
  assert.deepEqual(sent, [-1, ...numbers(100)]);
  assert.equal((await counted()).queue_full, (before.queue_full ?? 0) + 50);
});

test("a refused batch is dropped and counted, and the next one is sent", async () => {
  const before = await counted();
  const results = [false, true];
  const queue = createSpanQueue<number>({ everyMs: 10_000, send: async () => results.shift() ?? true });
  for (const i of numbers(600)) queue.add(i);
  await queue.close(30_000);
  assert.equal((await counted()).not_taken, (before.not_taken ?? 0) + 512);
});

test("a batch that cannot be serialised is dropped and counted, without further effect", async () => {
  const before = await counted();
  const queue = createSpanQueue<number>({ everyMs: 1, send: () => Promise.reject(new RangeError("no such time")) });
  for (const i of numbers(600)) queue.add(i);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await queue.close(30_000);
  assert.equal((await counted()).not_taken, (before.not_taken ?? 0) + 600);
});

test("a queue closes in time although its spans are refused", async () => {
  const before = await counted();
  const queue = createSpanQueue<number>({ everyMs: 1, send: () => new Promise(() => {}) });
  for (const i of numbers(700)) queue.add(i);
  // Of two timers, the one due first fires first, however long both were delayed.
  const late = sleep(5_000, "late", { ref: false });
  assert.equal(await Promise.race([queue.close(50), late]), undefined);
  assert.equal((await counted()).not_taken, (before.not_taken ?? 0) + 700);
});

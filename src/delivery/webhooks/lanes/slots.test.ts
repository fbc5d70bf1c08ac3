import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { createSlots } from "#/delivery/webhooks/lanes/dispatcher.ts";

test("retries take at most half of the slots", async () => {
  const slots = createSlots(4);
  const taken: string[] = [];
  const take = (kind: "FIRST" | "AGAIN") =>
    slots.take(kind).then((giveBack) => {
      taken.push(kind);
      return giveBack;
    });
  const again = [take("AGAIN"), take("AGAIN"), take("AGAIN")];
  await tick();
  assert.deepEqual(taken, ["AGAIN", "AGAIN"]);
  const first = [take("FIRST"), take("FIRST"), take("FIRST")];
  await tick();
  assert.deepEqual(taken, ["AGAIN", "AGAIN", "FIRST", "FIRST"]);
  (await first[0])?.();
  await tick();
  assert.deepEqual(taken.slice(4), ["FIRST"], "a place that a first try gave back goes to a first try");
  (await again[0])?.();
  await tick();
  assert.deepEqual(taken.slice(5), ["AGAIN"]);
});

test("a slot for first attempts stays free for them", async () => {
  const slots = createSlots(2);
  await slots.take("AGAIN");
  let isTaken = false;
  void slots.take("AGAIN").then(() => {
    isTaken = true;
  });
  await tick();
  assert.equal(isTaken, false);
  await slots.take("FIRST");
});

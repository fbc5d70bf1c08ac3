import assert from "node:assert/strict";
import { test } from "node:test";
import { createTicker } from "#/kernel/concurrency/ticker.ts";

test("a ticker runs while it has something to look after, and again from the next start", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let [ticks, left] = [0, 2];
  const ticker = createTicker(100, () => {
    ticks++;
    return --left > 0;
  });
  context.mock.timers.tick(1_000);
  assert.equal(ticks, 0);
  ticker.start();
  ticker.start();
  context.mock.timers.tick(1_000);
  assert.equal(ticks, 2);
  left = 5;
  ticker.start();
  context.mock.timers.tick(100);
  ticker.stop();
  context.mock.timers.tick(1_000);
  assert.equal(ticks, 3);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampler } from "#/app/telemetry/otlp.ts";
import { createIds } from "#/kernel/values/ids.ts";

const ids = createIds();
const tokens = Array.from({ length: 20_000 }, () => ids.next(Date.now()));

test("sampling keeps the configured ratio of the tokens of one second", () => {
  for (const ratio of [0, 0.01, 0.25, 0.9, 1]) {
    const kept = tokens.filter(createSampler(ratio)).length / tokens.length;
    assert.ok(Math.abs(kept - ratio) < 0.02, `${kept} of ${ratio}`);
  }
});

test("every process makes the same decision for a token, and a higher ratio keeps all of a lower one", () => {
  const few = tokens.filter(createSampler(0.1));
  assert.deepEqual(tokens.filter(createSampler(0.1)), few);
  assert.ok(few.every(createSampler(0.3)));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "../../scripts/progress.ts";

function world(isTTY: boolean) {
  const written: string[] = [];
  let ms = 0;
  const files = Array.from({ length: 20 }, (_, i) => [`f${i}`, i < 10 ? 9 : 1] as const);
  const output = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  const progress = createProgress(files, output, () => ms);
  return { progress, written, wait: (more: number) => (ms += more) };
}

test("a log has a line for each tenth of the work, with files, tests and the time left", () => {
  const { progress, written, wait } = world(false);
  for (let i = 0; i < 20; i++) {
    for (let n = 0; n < 100; n++) progress.pass();
    wait(1_000);
    progress.endFile(`f${i}`);
  }
  progress.end();
  assert.equal(written.length, 10);
  assert.equal(written[0], "18 % · 2 of 20 files · 200 tests passed · 9 s left\n");
  assert.equal(written.at(-1), "100 % · 20 of 20 files · 2,000 tests passed\n");
});

test("a terminal has one line, which a failure does not cut", () => {
  const { progress, written, wait } = world(true);
  progress.pass();
  wait(60_000);
  progress.endFile("f0");
  progress.fail("✖ f1: a test\nAssertionError");
  progress.end();
  assert.deepEqual(written, [
    "\r\x1b[K",
    "\n✖ f1: a test\nAssertionError\n",
    "\r\x1b[K9 % · 1 of 20 files · 1 tests passed, 1 failed · 10 min 7 s left",
    "\r\x1b[K",
  ]);
});

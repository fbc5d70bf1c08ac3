import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventCodes } from "#/kernel/event-codes.ts";
import { trackingWords } from "#/modules/carriers/tracking-words.ts";

test("docs/tracking.md has each built-in code of a tracking service, and each is a code of carriers", () => {
  const page = readFileSync(new URL("../../../docs/tracking.md", import.meta.url), "utf8");
  for (const [source, words] of Object.entries(trackingWords)) {
    const row = Object.entries(words).map(([word, code]) => `\`${word}\` ${code}`);
    assert.ok(page.includes(`| \`${source}\` | ${row.join(", ")} |`), source);
    for (const code of Object.values(words)) assert.ok(code > 100 && code in eventCodes, String(code));
  }
});

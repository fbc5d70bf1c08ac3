import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { feedCodes, finding, sentence } from "#/kernel/feed-codes.ts";

const page = new URL("../../docs/feeds.md", import.meta.url);
const begin = "<!-- feed codes: made from src/kernel/feed-codes.ts -->";
const end = "<!-- end of feed codes -->";

function table(): string {
  const rows = Object.entries(feedCodes).map(
    ([code, { status, means, cure }]) => `| \`[${code}]\` | ${status} | ${means} | ${cure} |`,
  );
  return [begin, "| Code | HTTP | Means | Cure |", "|---|---|---|---|", ...rows, end].join("\n");
}

test("the guide's table of codes is the one that the ACKs use (CROSSDOCK_TEST_UPDATE=1 writes it)", () => {
  const text = readFileSync(page, "utf8");
  const parts = new RegExp(`${begin}[^]*${end}`);
  assert.match(text, parts);
  const updated = text.replace(parts, () => table());
  if (process.env.CROSSDOCK_TEST_UPDATE) writeFileSync(page, updated);
  else assert.equal(text, updated);
});

test("a sentence starts with its code", () => {
  assert.equal(
    sentence(finding("STALE", "Order 1: Revision 2 is not above the stored Revision 3")),
    "[STALE] Order 1: Revision 2 is not above the stored Revision 3",
  );
});

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { createDocsSearch } from "#/app/agents/docs-search.ts";

const folder = mkdtempSync(path.join(tmpdir(), "crossdock-docs-"));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, "contract"));
writeFileSync(
  path.join(folder, "webhooks.md"),
  "# Webhooks\n\nA push has a signature.\n\n## Verify\n\nThe signature is an HMAC.\n",
);
writeFileSync(path.join(folder, "contract", "rest.md"), "# REST\n\nA token has a signature.\n");

test("sections are found by their words, a title before a text", async () => {
  const search = createDocsSearch(async () => folder);
  const found = await search("How do I verify a SIGNATURE?");
  assert.deepEqual(
    found.map(({ page, title }) => `${page} ${title}`),
    ["/docs/webhooks Verify", "/docs/webhooks Webhooks", "/docs/contract/rest REST"],
  );
  assert.equal(found[0]?.excerpt, "## Verify\n\nThe signature is an HMAC.\n");
  assert.deepEqual(await search("unheard of"), []);
});

test("documentation that is not built has no sections", async () => {
  assert.deepEqual(await createDocsSearch(async () => undefined)("signature"), []);
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { root } from "./source.ts";

/** Words for which the field has a term: notified, the caller, again, fix, no client. CONTRIBUTING.md has the rule. */
const dialect = /\b(?:told|tells of|whoever|anew|mend(?:s|ed)?|nobody|somebody|is to be)\b/i;

/** Comments that mean the word itself. */
const exceptions: readonly RegExp[] = [/as nobody\. \*\/$/, /user id of nobody\.$/, /@param told/];

const isComment = /^\s*(?:\/\/|\/?\*)/;

test("comments use the terms of the field", () => {
  const files = globSync(["{src,console/src,tests,bench,scripts,packages}/**/*.{ts,tsx}"], { cwd: root });
  const found = files
    .filter((file) => !/\/generated\/|node_modules/.test(file))
    .flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .flatMap((line, i) =>
          isComment.test(line) && dialect.test(line) ? [{ place: `${file}:${i + 1}`, line }] : [],
        ),
    )
    .filter(({ line }) => !line.includes("biome-ignore") && !exceptions.some((exception) => exception.test(line)));
  assert.ok(files.length > 1_000, `${files.length} files were read`);
  assert.equal(found.map(({ place, line }) => `${place}: ${line.trim()}`).join("\n"), "");
});

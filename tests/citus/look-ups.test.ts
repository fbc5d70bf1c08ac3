import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { lookUps } from "./look-ups.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the tests on Citus ask every look-up of background work", () => {
  const files = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const used = files.flatMap((file) =>
    Array.from(
      readFileSync(`${root}/${file}`, "utf8").matchAll(/(\w+)\(\s*(?:\w+\.)*database\.lookUps\b/g),
      ([, name]) => name as string,
    ),
  );
  assert.deepEqual([...new Set(used)].toSorted(), Object.keys(lookUps).toSorted());
});

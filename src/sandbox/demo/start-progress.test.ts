import assert from "node:assert/strict";
import { test } from "node:test";
import { startProgress } from "#/sandbox/demo/start-progress.ts";

test("the line of a start names the step and the next one, and is deleted at the end", () => {
  let written = "";
  const progress = startProgress(["database", "schema", "console"], {
    write: (text: string) => {
      written += text;
      return true;
    },
  });
  for (const step of ["database", "schema", "demo", "console"] as const) progress.begin(step);
  progress.end();
  assert.deepEqual(written.split("\r\x1b[K"), [
    "",
    "[1/3] starting PostgreSQL …; next: bringing the schema up to date",
    "[2/3] bringing the schema up to date …; next: building the console",
    "[3/3] building the console …",
    "",
  ]);
});

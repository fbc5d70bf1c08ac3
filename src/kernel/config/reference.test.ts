import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { configReference, configurationPage } from "#/kernel/config/reference.ts";
import { configVariableNames } from "#/kernel/config/variables.ts";

const page = new URL("../../../docs/configuration.md", import.meta.url);

test("docs/configuration.md equals the table of variables; CROSSDOCK_TEST_UPDATE=1 writes it", () => {
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(page, configurationPage());
  assert.equal(readFileSync(page, "utf8"), configurationPage());
});

test("the reference has one row of three cells for each variable", () => {
  assert.deepEqual(
    configReference().map((row) => row.split("|").length),
    configVariableNames.map(() => 5),
  );
  assert.equal(new Set(configVariableNames).size, configVariableNames.length);
});

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { configVariableNames, configVariables } from "#/kernel/config/variables.ts";

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

/** The variables as rows of a markdown table: variable, default, meaning. */
function configReference(): readonly string[] {
  return Object.values(configVariables).map(
    ({ name, standard, meaning, isSecret }) =>
      `| \`${name}\` | ${standard} | ${meaning}${isSecret ? " (secret)" : ""} |`,
  );
}

/** The complete text of docs/configuration.md; a test compares the file with it. */
function configurationPage(): string {
  return `# Configuration

Crossdock reads its environment once at start and checks it as a whole: every problem is listed at once, and the process
ends with exit code 1. Names starting \`CROSSDOCK_\` that are not listed here are refused; those starting \`CROSSDOCK_TEST_\`
are free.

- A \`.env\` file in the working directory fills in what the environment leaves out.
- Any value may be kept in a file: \`NAME_FILE\` holds its path, line breaks at its end do not count. Giving both \`NAME\` and
  \`NAME_FILE\` is refused.
- A blank value counts as none. Truth is \`true\`, \`1\`, \`on\` or \`yes\`, its opposite \`false\`, \`0\`, \`off\` or \`no\`.
- Values marked *secret* are never shown, not even in a complaint about them.

| Variable | Default | Meaning |
|---|---|---|
${configReference().join("\n")}

This page is generated from \`src/kernel/config/variables.ts\`.
`;
}

import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL(".", import.meta.url));
const file = path.join(sources, "enumerations.ts");
const operator = JSON.parse(readFileSync(path.join(sources, "../../schemas/openapi/operator.json"), "utf8")) as {
  components: { schemas: Record<string, { enum?: readonly string[] }> };
};

test("the lists of codes are those of the operator's OpenAPI document, as far as a screen uses them", () => {
  const used = globSync("**/*.{ts,tsx}", { cwd: sources }).flatMap((name) =>
    [...readFileSync(path.join(sources, name), "utf8").matchAll(/\benumerations\.([A-Z]\w+)/g)].map(
      ([, key = ""]) => key,
    ),
  );
  const lists = [...new Set(used)].sort().map((name) => {
    const codes = operator.components.schemas[name]?.enum ?? [];
    assert.ok(codes.length > 0, `${name} is an enumeration of the document`);
    return `  ${name}: [${codes.map((code) => JSON.stringify(code)).join(", ")}],`;
  });
  const text = [
    "// Generated from schemas/openapi/operator.json by enumerations.test.ts with CROSSDOCK_TEST_UPDATE=1.",
    "// biome-ignore format: a line for each list",
    "export const enumerations = {",
    ...lists,
    "} as const;",
    "",
  ].join("\n");
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(file, text);
  assert.equal(readFileSync(file, "utf8"), text);
});

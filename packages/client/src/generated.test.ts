import assert from "node:assert/strict";
import { appendFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureTypes } from "../scripts/generate.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const at = (file: string) => path.join(root, file);

await ensureTypes();

test("types of unchanged documents are not written again", async () => {
  assert.deepEqual(await ensureTypes(), []);
});

test("stale and missing types are written; types without a document are removed", async () => {
  const [other, missing, foreign] = ["facility", "item-master", "foreign"].map(
    (name) => `packages/client/src/generated/${name}.ts`,
  ) as [string, string, string];
  const before = readFileSync(at(other), "utf8");
  writeFileSync(at(other), before.replace(/from \w+;/, "from 0123456789abcdef;"));
  rmSync(at(missing));
  appendFileSync(at(foreign), "");
  assert.deepEqual(await ensureTypes(), [other, missing]);
  assert.equal(readFileSync(at(other), "utf8"), before);
  assert.deepEqual(globSync(foreign, { cwd: root }), []);
});

test("each document for clients has a service in the client; the operator document belongs to the console", async () => {
  const { serviceNames } = await import("./generated/services.ts");
  const documents = globSync("*.json", { cwd: at("schemas/openapi") });
  assert.equal(serviceNames.length, documents.length - 1);
  assert.ok(serviceNames.includes("orders") && serviceNames.includes("workOrders"));
  assert.match(readFileSync(at("console/src/generated/operator.ts"), "utf8"), /\/v1\/operatorService\//);
});

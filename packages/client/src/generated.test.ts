// The client's types are those of the committed documents.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateTypes, listTypes, readTypes, writeTypes } from "../scripts/generate.ts";

if (process.env.CROSSDOCK_TEST_UPDATE === "1") await writeTypes();
const wanted = await generateTypes();

test("the generated types are those of schemas/openapi; CROSSDOCK_TEST_UPDATE=1 writes them", () => {
  assert.deepEqual(listTypes(), [...wanted.keys()].sort());
  const stale = [...wanted].filter(([file, text]) => readTypes(file) !== text).map(([file]) => file);
  assert.deepEqual(stale, []);
});

test("a service without a document has no types, and each document has its service", async () => {
  const { serviceNames } = await import("./generated/services.ts");
  assert.equal(serviceNames.length, wanted.size - 1);
  assert.ok(serviceNames.includes("orders") && serviceNames.includes("workOrders"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedSamples } from "./exhibits.ts";
import { productLibrary, testJudge } from "./validators.ts";

testJudge(productLibrary);

test("refused samples show every code that one document can provoke", () => {
  const seen = new Set(refusedSamples().flatMap(({ codes }) => codes));
  const expected = ["XML", "XSD", "CLIENT", "FACILITY", "UNKNOWN_SKU", "EAN", "DUPLICATE", "UNKNOWN_ORDER", "POSTCODE"];
  assert.deepEqual(new Set([...expected, "COUNTRY", "NOT_FOUND", "STALE", "VALUE"]).difference(seen), new Set());
});

test("the acknowledgement of a refused sample names its feed type and at least one reason", () => {
  for (const { path, acknowledgement, codes } of refusedSamples()) {
    assert.ok(codes.length > 0, `${path} is refused for no reason`);
    assert.ok(acknowledgement.includes("<token>{token}</token><success>false</success>"), path);
    assert.ok(path.startsWith(`refused/${/<feedType>(\w+)</.exec(acknowledgement)?.[1]}-`), path);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeCases } from "./edge-cases.ts";
import { acknowledgementExhibits, type Exhibit, outboundExhibits, refusedSamples, sampleExhibits } from "./exhibits.ts";
import { outboundEdgeCases } from "./outbound-edge-cases.ts";
import { judges } from "./validators.ts";

const groups: readonly (readonly [what: string, exhibits: readonly Exhibit[]])[] = [
  ["the samples", sampleExhibits()],
  ["the expected acknowledgements", acknowledgementExhibits()],
  ["the outbound samples", outboundExhibits()],
  ["the edge cases", edgeCases()],
  ["the edge cases of outbound documents", outboundEdgeCases()],
];

for (const validator of judges) {
  const absence = validator.absence();
  if (absence !== undefined) {
    test(`${validator.name} is left out`, (context) => {
      context.diagnostic(`LEFT OUT: ${validator.name} judges no document, because ${absence}`);
      assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${absence}`);
    });
    continue;
  }
  for (const [what, exhibits] of groups) {
    test(`${validator.name} accepts and refuses ${what} as the contract says`, () => {
      const verdicts = validator.judge(exhibits);
      assert.equal(verdicts.length, exhibits.length);
      const wrong = exhibits.filter((exhibit, index) => verdicts[index] !== exhibit.isValid);
      assert.deepEqual(
        wrong.map(({ name, isValid }) => `${name} should be ${isValid ? "accepted" : "refused"}`),
        [],
      );
    });
  }
}

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

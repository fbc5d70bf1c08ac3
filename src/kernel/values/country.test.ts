import assert from "node:assert/strict";
import { test } from "node:test";
import { toAlpha2 } from "#/kernel/values/country.ts";

test("alpha-2 and alpha-3 codes of any case become alpha-2", () => {
  const cases: [string, string][] = [
    ["GB", "GB"],
    ["gb", "GB"],
    ["GBR", "GB"],
    ["gBr", "GB"],
    ["DEU", "DE"],
    ["usa", "US"],
    ["ALA", "AX"],
    ["XK", "XK"],
  ];
  for (const [code, alpha2] of cases) assert.equal(toAlpha2(code), alpha2, code);
});

test("a text that is not an ISO 3166-1 letter code is unknown", () => {
  for (const code of ["", "UK", "XX", "ZZ", "826", "GBRX", "ENG", "EU", " GB", "ß", "constructor", "United Kingdom"]) {
    assert.equal(toAlpha2(code), undefined, code);
  }
});

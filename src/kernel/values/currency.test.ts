import assert from "node:assert/strict";
import { test } from "node:test";
import { isCurrency } from "#/kernel/values/amount.ts";

test("ISO 4217 codes are currencies", () => {
  for (const code of ["GBP", "EUR", "USD", "JPY", "CHF", "KWD"]) assert.equal(isCurrency(code), true, code);
});

test("other texts and lower-case codes are not currencies", () => {
  for (const code of ["", "GB", "gbp", "POUND", "£", "ABC", " EUR"]) assert.equal(isCurrency(code), false, code);
});

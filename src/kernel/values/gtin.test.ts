import assert from "node:assert/strict";
import { test } from "node:test";
import { gs1CheckDigit, gtinKey, gtinNotations, hasValidCheckDigit } from "#/kernel/values/gtin.ts";

test("GTINs of 8, 12, 13 and 14 digits with their check digit are right", () => {
  for (const code of ["96385074", "036000291452", "4006381333931", "5901234123457", "10614141000415"]) {
    assert.equal(hasValidCheckDigit(code), true, code);
  }
});

test("any other last digit is wrong", () => {
  for (const digit of "023456789") assert.equal(hasValidCheckDigit(`400638133393${digit}`), false, digit);
});

test("other lengths, blanks and letters are not a GTIN", () => {
  for (const code of [
    "",
    "0",
    "963850",
    "400638133393",
    "04006381333931 ",
    "4006381 333931",
    "ABCDEFGH",
    "000106141411234567897",
  ]) {
    assert.equal(hasValidCheckDigit(code), false, code);
  }
});

test("the check digit of an SSCC-18 follows the same rule", () => {
  assert.equal(gs1CheckDigit("10614141123456789"), 7);
  assert.equal(gs1CheckDigit("37610425002123456"), 9);
});

test("the notations of a GTIN have one key; other codes are their own", () => {
  for (const code of ["036000291452", "0036000291452", "00036000291452"]) {
    assert.equal(gtinKey(code), "00036000291452");
    assert.deepEqual(gtinNotations(code), ["036000291452", "0036000291452", "00036000291452"]);
  }
  assert.deepEqual(gtinNotations("96385074"), ["96385074", "000096385074", "0000096385074", "00000096385074"]);
  assert.deepEqual(gtinNotations("10614141000415"), ["10614141000415"]);
  for (const code of ["SCAN-1", "1234567", "036000291452 ", "12345678901"]) {
    assert.equal(gtinKey(code), code);
    assert.deepEqual(gtinNotations(code), [code]);
  }
});

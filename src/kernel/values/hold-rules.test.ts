import assert from "node:assert/strict";
import { test } from "node:test";
import { holdRulesText, parseHoldRules } from "#/kernel/values/hold-rules.ts";

test("rules are read with their conditions, and written as they are read", () => {
  const text =
    "large: VALUE>0500.00 eur; abroad: country in usa ,CA and value > 100 EUR;goods:hazmat; new: First  Order; customs: Incomplete; papers: customs incomplete and value > 1 GBP; words: attribute GiftMessage matches /(?:gift; and|a\\/b)/i";
  const read = parseHoldRules(text);
  assert(read.ok, read.ok ? "" : read.fault);
  assert.deepEqual(read.value[1], {
    name: "abroad",
    conditions: [
      { kind: "country", countries: ["US", "CA"] },
      { kind: "value", amount: "100", currency: "EUR" },
    ],
  });
  const written = holdRulesText(read.value);
  assert.equal(
    written,
    "large: value > 500 EUR; abroad: country in US, CA and value > 100 EUR; goods: hazmat; new: first order; customs: customs incomplete; papers: customs incomplete and value > 1 GBP; words: attribute GiftMessage matches /(?:gift; and|a\\/b)/i",
  );
  assert.deepEqual(parseHoldRules(written), read);
});

test("a wrong rule is refused with its name and its fault", () => {
  const faults = {
    hazmat: /'hazmat' has no name$/,
    "goods: poison": /rule goods: 'poison' is no condition$/,
    "a: hazmat hazmat": /rule a: ' hazmat' is neither 'and' nor ';'$/,
    "a: hazmat and": /rule a: '' is no condition$|is neither/,
    "a: hazmat and hazmat": /rule a: 'hazmat' repeats a condition$/,
    "a: hazmat; a: first order": /^expected one rule with the name a$/,
    "a: value > 5 EURO": /is no condition$/,
    "a: value > 5 ABC": /'ABC' is no currency code of ISO 4217$/,
    "a: value > 1.23456 EUR": /'1.23456' is no amount$/,
    "a: country in GB, ZZ": /'ZZ' is no country code of ISO 3166-1$/,
    "a: attribute GiftMessage matches /(/": /rule a: \/\(\/: missing closing \): `\(`$/,
    "a: attribute GiftMessage matches /(a)\\1/": /invalid escape sequence: `\\1`$/,
  };
  for (const [text, pattern] of Object.entries(faults)) {
    const read = parseHoldRules(text);
    assert(!read.ok, text);
    assert.match(read.fault, /^expected /, text);
    assert.match(read.fault, pattern, text);
  }
  const large = (name: string) => `${name}: attribute GiftMessage matches /x{200}/`;
  const tooLarge = parseHoldRules([large("a"), large("b"), large("c")].join("; "));
  assert(!tooLarge.ok);
  assert.match(tooLarge.fault, /rule c: the patterns have 6\d\d instructions: at most 500 in all rules together$/);
  const many = Array.from({ length: 11 }, (_, i) => `r${i}: hazmat`).join("; ");
  assert.deepEqual(parseHoldRules(many), { ok: false, fault: "expected at most 10 rules" });
});

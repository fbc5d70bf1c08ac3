import assert from "node:assert/strict";
import { test } from "node:test";
import { paperLanguages } from "#/kernel/values/paper-languages.ts";
import { formatAmount, formatDate, formatMoney, formatThousandths, formatWeight } from "./notation.ts";

/** Non-breaking blanks are shown as underscores. */
const inAll = (format: (language: (typeof paperLanguages)[number]) => string) =>
  paperLanguages.map((language) => format(language).replaceAll("\u00A0", "_"));

test("each language writes money its own way", () => {
  assert.deepEqual(
    inAll((language) => formatMoney("1234567.5", "EUR", language)),
    [
      "EUR_1,234,567.50",
      "1.234.567,50_EUR",
      "1_234_567,50_EUR",
      "1.234.567,50_EUR",
      "1.234.567,50_EUR",
      "EUR_1.234.567,50",
      "1_234_567,50_EUR",
    ],
  );
  assert.deepEqual(
    inAll((language) => formatAmount("1234", "EUR", language)),
    ["1,234.00", "1.234,00", "1_234,00", "1234,00", "1.234,00", "1.234,00", "1234,00"],
  );
});

test("an amount has as many decimals as its currency's coins, and more where it is finer", () => {
  assert.equal(formatAmount("0.1", "EUR", "en"), "0.10");
  assert.equal(formatAmount("0.1234", "EUR", "en"), "0.1234");
  assert.equal(formatAmount("1200", "JPY", "en"), "1,200");
  assert.equal(formatAmount("1200.5", "JPY", "en"), "1,200.5");
  assert.equal(formatAmount("3", "KWD", "en"), "3.000");
  assert.equal(formatAmount("999999999999999.9999", "EUR", "en"), "999,999,999,999,999.9999");
});

test("each language writes days its own way, English with the month as a word", () => {
  assert.deepEqual(
    inAll((language) => formatDate("2026-03-04", language)),
    ["4 Mar 2026", "04.03.2026", "04/03/2026", "04/03/2026", "04/03/2026", "04-03-2026", "04.03.2026"],
  );
});

test("quantities and weights have no zeros at the end", () => {
  assert.equal(formatThousandths(2000, "de"), "2");
  assert.equal(formatThousandths(12_500, "de"), "12,5");
  assert.equal(formatThousandths(1, "en"), "0.001");
  assert.equal(formatThousandths(999_999_999_999, "en"), "999,999,999.999");
  assert.equal(formatWeight({ value: 1.25, uom: "KG" }, "pl"), "1,25\u00A0kg");
  assert.equal(formatWeight({ value: 0.1 + 0.2, uom: "LB" }, "en"), "0.3\u00A0lb");
  assert.equal(formatWeight({ value: 1200, uom: "G" }, "nl"), "1.200\u00A0g");
});

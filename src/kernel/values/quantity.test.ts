import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  formatQuantity,
  isWhole,
  multiplyQuantity,
  parseQuantity,
  quantityMaxThousandths,
  quantityToNumber,
} from "#/kernel/values/quantity.ts";

const thousandthsInRange = fc.integer({ min: -quantityMaxThousandths, max: quantityMaxThousandths });

describe("quantities", () => {
  test("decimals with up to three fraction digits become thousandths", () => {
    const cases: [string, number][] = [
      ["0", 0],
      ["-0", 0],
      ["1", 1000],
      ["+1", 1000],
      ["-1.5", -1500],
      ["1.", 1000],
      [".5", 500],
      ["0.001", 1],
      ["1.234", 1234],
      ["0012.500", 12_500],
      ["1.2340000", 1234],
      ["999999999", 999_999_999_000],
      [`${"0".repeat(1000)}7`, 7000],
    ];
    for (const [text, thousandths] of cases) assert.ok(Object.is(parseQuantity(text), thousandths), text);
  });

  test("other text, a fourth fraction digit and values beyond the limit are refused", () => {
    const refused = [
      "",
      "+",
      "-",
      ".",
      "-.",
      "1.2345",
      "0.0001",
      "1e3",
      "1,5",
      " 1",
      "1 ",
      "1.2.3",
      "--1",
      "NaN",
      "0x1",
    ];
    refused.push("1000000000", "999999999.001", "-1000000000", "9".repeat(5_000_000), "１");
    for (const text of refused) assert.equal(parseQuantity(text), undefined, text.slice(0, 20));
  });

  test("every quantity is the same after formatting and parsing, and as a JSON number", () => {
    fc.assert(
      fc.property(thousandthsInRange, (thousandths) => {
        const text = formatQuantity(thousandths);
        assert.match(text, /^-?(?:0|[1-9]\d*)(?:\.\d{0,2}[1-9])?$/);
        assert.equal(parseQuantity(text), thousandths);
        assert.equal(JSON.stringify(quantityToNumber(thousandths)), text);
      }),
    );
  });

  test("formatting leaves no zeros at the end", () => {
    assert.deepEqual([0, 1000, 1500, 1, 10, 999_999_999_000].map(formatQuantity), [
      "0",
      "1",
      "1.5",
      "0.001",
      "0.01",
      "999999999",
    ]);
  });

  test("a product is exact or absent", () => {
    assert.equal(multiplyQuantity(2500, 12_000), 30_000);
    assert.equal(multiplyQuantity(500, 500), 250);
    assert.equal(multiplyQuantity(1, 1), undefined);
    assert.equal(multiplyQuantity(999_999_999_000, 1000), 999_999_999_000);
    assert.equal(multiplyQuantity(999_999_999_000, 1001), undefined);
    assert.equal(multiplyQuantity(999_999_999_000, 999_999_999_000), undefined);
    fc.assert(
      fc.property(thousandthsInRange, fc.integer({ min: 1, max: 100_000_000 }), (left, right) => {
        const exact = BigInt(left) * BigInt(right);
        const product = multiplyQuantity(left, right);
        if (product !== undefined) assert.equal(BigInt(product) * 1000n, exact);
        else assert.ok(exact % 1000n !== 0n || exact > 999_999_999_000_000n || exact < -999_999_999_000_000n);
      }),
    );
  });

  test("a quantity with a fraction is not whole", () => {
    assert.deepEqual([0, 1000, -2000, 1500, 1].map(isWhole), [true, true, true, false, false]);
  });
});

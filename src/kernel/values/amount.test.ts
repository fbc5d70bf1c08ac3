import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compareAmounts, normaliseAmount, roundAmount, scaleAmount, sumAmounts } from "#/kernel/values/amount.ts";

describe("amounts", () => {
  test("equal amounts have equal texts", () => {
    const cases: [string, string][] = [
      ["0", "0"],
      ["-0.00", "0"],
      ["+012.50", "12.5"],
      ["12.", "12"],
      [".5", "0.5"],
      ["0.0001", "0.0001"],
      ["1.00000000", "1"],
      ["999999999999999.9999", "999999999999999.9999"],
      [`${"0".repeat(50)}1`, "1"],
    ];
    for (const [text, canonical] of cases) assert.equal(normaliseAmount(text), canonical, text);
  });

  test("text, a fifth fraction digit, sixteen integer digits and less than zero are refused", () => {
    for (const text of [
      "",
      ".",
      "+",
      "-",
      "1e2",
      "1,50",
      "£1",
      " 1",
      "1.23456",
      "1000000000000000",
      "-0.01",
      "-1",
      "1.2.3",
    ]) {
      assert.equal(normaliseAmount(text), undefined, text);
    }
  });

  test("a million digits are refused at once", () => {
    for (const text of ["0".repeat(1_000_000), `1.${"0".repeat(1_000_000)}`]) {
      assert.equal(normaliseAmount(`${text}x`), undefined);
      assert.equal(normaliseAmount(`${text}1.1`)?.length, text.includes(".") ? undefined : 3);
    }
  });

  test("comparing is by value", () => {
    assert.equal(compareAmounts("9.99", "10"), -1);
    assert.equal(compareAmounts("10", "9.99"), 1);
    assert.equal(compareAmounts("0.1", "0.1"), 0);
    assert.equal(compareAmounts("999999999999999.9999", "999999999999999.9998"), 1);
  });

  test("sums are exact", () => {
    assert.equal(sumAmounts([]), "0");
    assert.equal(sumAmounts(["0.1", "0.2"]), "0.3");
    assert.equal(sumAmounts(["999999999999999.9999", "0.0001"]), "1000000000000000");
    assert.equal(sumAmounts(["19.99", "0.01", "5"]), "25");
  });

  test("an amount with more than four fraction digits is rounded to them, half away from zero", () => {
    for (const [text, rounded] of [
      ["19.989999999999998", "19.99"],
      ["0.00005", "0.0001"],
      ["0.00004", "0"],
      ["-0.00004", "0"],
      ["-1.23456", "-1.2346"],
      [".99995", "1"],
      ["12.34", undefined],
      ["12.34000000", undefined],
      ["12,345678", undefined],
      ["1e-7", undefined],
      [`0.${"1".repeat(100)}`, undefined],
    ] as const)
      assert.equal(roundAmount(text), rounded, text);
  });

  test("a part of an amount is exact, half a ten-thousandth rounded up", () => {
    assert.equal(scaleAmount("12", 1, 12), "1");
    assert.equal(scaleAmount("10", 1, 3), "3.3333");
    assert.equal(scaleAmount("0.0001", 1, 2), "0.0001");
    assert.equal(scaleAmount("0.0001", 49, 100), "0");
    assert.equal(scaleAmount("19.99", 2500, 1000), "49.975");
    assert.equal(scaleAmount("999999999999999.9999", 2, 1), "1999999999999999.9998");
    assert.equal(scaleAmount("5", 0, 7), "0");
  });
});

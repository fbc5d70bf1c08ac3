import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findCardNumber, maskCardNumber } from "#/kernel/values/card-number.ts";

/** The numbers that payment providers publish for testing. */
const testNumbers = {
  Visa: ["4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556", "4222222222222"],
  Mastercard: ["5555555555554444", "5105105105105100", "2223003122003222", "5200828282828210", "2720992593319364"],
  "American Express": ["378282246310005", "371449635398431", "378734493671000"],
  Discover: ["6011111111111117", "6011000990139424", "6445644564456445"],
  JCB: ["3530111333300000", "3566002020360505"],
  "Diners Club": ["30569309025904", "38520000023237", "3056930009020004", "36227206271667"],
  UnionPay: ["6200000000000005", "6205500000000000004", "6250941006528599"],
  Maestro: ["6759649826438453", "5018000000000009", "6304000000000000", "6799990100000000019"],
};

describe("card numbers", () => {
  for (const [brand, numbers] of Object.entries(testNumbers)) {
    test(`test numbers of ${brand} are found with any separators`, () => {
      for (const number of numbers) {
        const groups = number.replace(/(.{4})(?=.)/g, "$1 ");
        for (const text of [
          number,
          groups,
          groups.replaceAll(" ", "-"),
          groups.replaceAll(" ", " - "),
          groups.replaceAll(" ", "\u2013"),
          `Card ${groups} 12/30 123`,
          `2 x ${groups}`,
          `cc${number}x`,
        ]) {
          assert.equal(findCardNumber(text), number, text);
        }
      }
    });
  }

  test("references, times and telephone numbers are not card numbers", () => {
    for (const text of [
      "",
      "VISA",
      "4111111111111112",
      "1763628000000",
      "0000000000000000",
      "9999999999999999",
      "41111111111111111111",
      "411111111111",
      "+44 20 7946 0958",
      "PAYPAL 8AC12345XY6789012",
      "2024-11-20 10:15:30",
      "4111.1111.1111.1111",
    ]) {
      assert.equal(findCardNumber(text), undefined, text);
    }
  });

  test("a card number inside a longer number is not found", () => {
    assert.equal(findCardNumber("94111111111111111"), undefined);
    assert.equal(findCardNumber("4111111111111111999999"), undefined);
  });

  test("masking leaves the last four digits and everything around them", () => {
    assert.equal(maskCardNumber("4111111111111111"), "************1111");
    assert.equal(
      maskCardNumber("Visa 4111-1111-1111-1111 exp 12/30, or 5555555555554444"),
      "Visa ****-****-****-1111 exp 12/30, or ************4444",
    );
    assert.equal(maskCardNumber("reference 1234567890"), "reference 1234567890");
  });

  test("a masked text holds no card number", () => {
    for (const number of Object.values(testNumbers).flat()) {
      assert.equal(findCardNumber(maskCardNumber(`${number} ${number}`)), undefined, number);
    }
  });

  test("few numeric references of sixteen digits look like cards", () => {
    let found = 0;
    for (let index = 0; index < 10_000; index++) {
      if (findCardNumber(String(1_000_000_000_000_000 + index * 899_999_999_983)) !== undefined) found++;
    }
    assert.ok(found < 500, `${found} of 10,000`);
  });
});

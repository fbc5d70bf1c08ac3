import assert from "node:assert/strict";
import { test } from "node:test";
import { customsFacts } from "./customs-facts.ts";

const base = {
  destination: "EU" as const,
  isComplete: true,
  lacks: [] as ReturnType<typeof lack>[],
  lacksOmitted: 0,
  goodsValue: "20",
  currency: "EUR",
};
const lack = (sku: string, field: string) => ({ lineNumber: 1, sku, code: "X", field, needs: "it" });

test("an order shows its destination with the first fields that its products lack, and the duty with its payer", () => {
  assert.deepEqual(customsFacts(null), []);
  const flatDuty = { tariffLines: 1, withoutHsCode: 0, eur: 3, paidBy: null };
  assert.deepEqual(customsFacts({ ...base, flatDuty }), [
    { name: "Customs data", value: "European Union: complete" },
    { name: "Flat duty", value: "3 EUR for 1 tariff line" },
  ]);
  const lacks = ["A", "B", "B", "C", "D"].map((sku) => lack(sku, "HsCode"));
  const lacking = { ...base, isComplete: false, lacks };
  assert.deepEqual(
    customsFacts({ ...lacking, flatDuty: { ...flatDuty, tariffLines: 2, eur: 6, paidBy: "SENDER" as const } }),
    [
      { name: "Customs data", value: "European Union: HsCode of A, HsCode of B, HsCode of C and 1 more missing" },
      { name: "Flat duty", value: "6 EUR for 2 tariff lines, paid by the sender" },
    ],
  );
});

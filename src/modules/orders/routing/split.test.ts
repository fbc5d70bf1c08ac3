import assert from "node:assert/strict";
import { test } from "node:test";
import { planSplit } from "#/modules/orders/routing/split.ts";
import { plainLine } from "../../../../tests/support/builders/order-content.ts";

type Stock = Readonly<Record<string, readonly string[]>>;

/** The facilities of an order with a line for each SKU: "DC2: A DC2, B DC3"; "whole" if it is not split. */
function split(skus: string, stock: Stock, shipsInParts = false): string {
  const lines = [...skus].map((sku, i) => ({ ...plainLine, lineNumber: i + 1, sku, qty: 1_000 }));
  const startFill = () => {
    const left = new Map(Object.entries(stock).map(([code, there]) => [code, [...there]]));
    return ({ sku }: { readonly sku: string }, code: string) => {
      const at = left.get(code)?.indexOf(sku) ?? -1;
      if (at >= 0) left.get(code)?.splice(at, 1);
      return at >= 0;
    };
  };
  const plan = planSplit(lines, { facilities: Object.keys(stock), shipsInParts, startFill });
  if (plan === undefined) return "whole";
  const at = lines.map(({ sku }, i) => `${sku} ${plan.places[i]}`);
  return `${plan.facilityCode}: ${at.join(", ")}`;
}

test("an order is split across the fewest facilities, the first in routing order", () => {
  const four = { DC1: ["A"], DC2: ["B"], DC3: ["C"], DC4: ["B", "C"] };
  assert.equal(split("ABC", four), "DC4: A DC1, B DC4, C DC4");
  assert.equal(split("AB", { DC1: ["A"], DC2: ["B"], DC3: ["B"] }), "DC1: A DC1, B DC2");
  assert.equal(split("ABC", { DC1: ["A"], DC2: ["B"], DC3: ["C"] }), "DC1: A DC1, B DC2, C DC3");
});

test("no order goes to four facilities", () => {
  const four = { DC1: ["A"], DC2: ["B"], DC3: ["C"], DC4: ["D"] };
  assert.equal(split("ABCD", four), "whole");
  assert.equal(split("ABCD", four, true), "DC1: A DC1, B DC2, C DC3, D DC1");
});

test("an order of many lines is compared with fewer facilities and sets", () => {
  const codes = Array.from({ length: 10 }, (_, i) => `DC${i}`);
  for (const count of [20, 200, 2_000, 10_000]) {
    const lines = Array.from({ length: count }, (_, i) => ({ ...plainLine, lineNumber: i + 1, sku: `S${i}` }));
    let looks = 0;
    // The goods of a line are in one facility, so every set of facilities fills some more.
    const startFill =
      () =>
      ({ sku }: { readonly sku: string }, code: string) => {
        looks++;
        return Number(sku.slice(1)) % 10 === codes.indexOf(code);
      };
    const plan = planSplit(lines, { facilities: codes, shipsInParts: true, startFill });
    assert.equal(new Set(plan?.places).size, count <= 2_000 ? 3 : 2);
    assert.ok(looks <= 100_000, `${count} lines: ${looks} looks`);
  }
});

test("a split that fills no more lines than a facility alone is not made", () => {
  assert.equal(split("AB", { DC1: ["A"], DC2: ["A"] }, true), "whole");
  assert.equal(split("AAB", { DC1: ["A", "B"], DC2: ["A"] }), "DC1: A DC1, A DC2, B DC1");
  assert.equal(split("ABX", { DC1: ["A"], DC2: ["B"] }), "whole");
  assert.equal(split("ABX", { DC1: ["A"], DC2: ["B"] }, true), "DC1: A DC1, B DC2, X DC1");
  assert.equal(
    split("ABXC", { DC1: ["A"], DC2: ["B"], DC3: ["A", "B"], DC4: ["C"] }, true),
    "DC3: A DC3, B DC3, X DC3, C DC4",
  );
});

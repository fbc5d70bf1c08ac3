import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateParcel, type Goods } from "#/modules/orders/fulfilment/packing/parcel-estimate.ts";

const book: Goods = {
  sku: "BOOK",
  qty: 2,
  weight: 0.5,
  weightUomCode: "KG",
  sides: [3, 20, 15],
  dimensionsUomCode: "CM",
};
const ruler: Goods = {
  sku: "RULER",
  qty: 3,
  weight: 2,
  weightUomCode: "OZ",
  sides: [16, 1, 0.1],
  dimensionsUomCode: "IN",
};

test("weights are summed over units, and rounded up to the gram", () => {
  const estimate = estimateParcel([book, ruler]);
  // 1 kg and 6 oz, of 28.349523125 g each.
  assert.ok(estimate.ok);
  assert.deepEqual([estimate.value.weight, estimate.value.weightUomCode], [1.171, "KG"]);
});

test("the greatest length and width, and the height that holds all volumes", () => {
  const estimate = estimateParcel([book, ruler]);
  assert.ok(estimate.ok);
  const { length, width, height, dimensionsUomCode } = estimate.value;
  // 1 800 cm³ of books and 78.657912 cm³ of rulers on 40.64 × 15 cm: 3.0818… cm, which is above the book's own 3 cm.
  assert.deepEqual([length, width, height, dimensionsUomCode], [40.64, 15, 3.082, "CM"]);
  const alone = estimateParcel([
    { ...ruler, qty: 1 },
    { ...book, qty: 1 },
  ]);
  assert.ok(alone.ok && alone.value.height === 3, "the highest item stands upright in it");
});

test("a shipment with an item without dimensions has no dimensions", () => {
  const estimate = estimateParcel([book, { ...ruler, sides: [16, undefined, 0.1] }]);
  assert.ok(estimate.ok);
  assert.deepEqual(
    [estimate.value.weight, estimate.value.length, estimate.value.height],
    [1.171, undefined, undefined],
  );
});

test("items without a positive weight are named", () => {
  const nothing = { ...book, sku: "AIR", weight: undefined };
  assert.deepEqual(estimateParcel([nothing, ruler, { ...nothing, weight: 0 }]), { ok: false, fault: ["AIR"] });
});

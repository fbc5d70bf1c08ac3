import assert from "node:assert/strict";
import { test } from "node:test";
import { amountOf, unitValueOf, worthOf } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import { lineRow } from "../../../../../tests/support/papers/packed-order.ts";

const noPrices = { lineTotal: null, unitNetPrice: null, extendedUnitNetPrice: null, unitGrossPrice: null };

test("amounts of the store are canonical", () => {
  assert.equal(amountOf("10.0800"), "10.08");
  assert.equal(amountOf(null), undefined);
});

test("the value of a unit is its net price, in the unit that it is kept in", () => {
  assert.equal(unitValueOf(lineRow()), "10.08");
  // Two cases of twelve at 30 a case.
  const cases = { qty: 2, qtyUom: "CS", qtyOrdered: 24, unitNetPrice: "30.0000" };
  assert.equal(unitValueOf(lineRow(cases)), "2.5");
  assert.equal(unitValueOf(lineRow({ ...noPrices, extendedUnitNetPrice: "10.0000" })), "3.3333");
  assert.equal(unitValueOf(lineRow({ ...noPrices, lineTotal: "36.0000", unitGrossPrice: "12.0000" })), undefined);
});

test("goods have their share of the net total as value, else their net price, else the gross price", () => {
  assert.equal(worthOf(lineRow({ extendedUnitNetPrice: "30.2400" }), 2000), "20.16");
  assert.equal(worthOf(lineRow(), 2000), "20.16");
  assert.equal(worthOf(lineRow(), 1500), "15.12");
  assert.equal(worthOf(lineRow({ ...noPrices, lineTotal: "36.0000" }), 1000), "12");
  assert.equal(worthOf(lineRow({ ...noPrices, unitGrossPrice: "12.0000" }), 2000), "24");
  const cases = { qty: 2, qtyUom: "CS", qtyOrdered: 24, unitNetPrice: "30.0000" };
  assert.equal(worthOf(lineRow(cases), 6000), "15");
  assert.equal(worthOf(lineRow(noPrices), 1000), undefined);
});

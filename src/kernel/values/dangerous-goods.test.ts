import assert from "node:assert/strict";
import { test } from "node:test";
import { dangerousGoodsOf, dangerousGoodsText, faultsOfDangerousGoods } from "#/kernel/values/dangerous-goods.ts";

test("number, class, packing group and limited quantity are read as people write them", () => {
  const goods = dangerousGoodsOf({ UnNumber: "un 1266", HazardClass: "3", PackingGroup: "ii", LimitedQuantity: "1" });
  assert.deepEqual(goods, { unNumber: "UN1266", hazardClass: "3", packingGroup: "II", isLimitedQuantity: true });
  assert.equal(goods && dangerousGoodsText(goods), "UN1266, 3, II, LTD QTY");
  for (const hazardClass of ["1.4S", "2.1", "2", "4.3", "6.2", "9"]) {
    assert.equal(dangerousGoodsOf({ IsHazmat: "true", HazardClass: hazardClass })?.hazardClass, hazardClass);
  }
});

test("an item is dangerous goods by its flag or by its UN number", () => {
  const none = { unNumber: null, hazardClass: null, packingGroup: null, isLimitedQuantity: false };
  assert.deepEqual(dangerousGoodsOf({ IsHazmat: "true" }), none);
  assert.equal(dangerousGoodsText(none), "");
  assert.deepEqual(dangerousGoodsOf({ UnNumber: "UN3481" }), { ...none, unNumber: "UN3481" });
  assert.equal(dangerousGoodsOf({ IsHazmat: "false", HazardClass: "3", LimitedQuantity: "true" }), undefined);
  assert.equal(dangerousGoodsOf({ UnNumber: "1266" }), undefined);
  assert.equal(dangerousGoodsOf(undefined), undefined);
});

test("a value of another form is named with its cure, and a blank one is absent", () => {
  const values = { UnNumber: "1266", HazardClass: "10", PackingGroup: "2", LimitedQuantity: "yes" };
  assert.deepEqual(faultsOfDangerousGoods(values), [
    "UnNumber '1266': expected UN and four digits, such as UN1266",
    "HazardClass '10': expected a class or division, such as 3, 2.1 or 1.4S",
    "PackingGroup '2': expected I, II or III",
    "LimitedQuantity 'yes': expected true, false, 1 or 0",
  ]);
  assert.deepEqual(faultsOfDangerousGoods({ UnNumber: " ", Colour: "blue" }), []);
});

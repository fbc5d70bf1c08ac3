import assert from "node:assert/strict";
import { test } from "node:test";
import { shipmentOf } from "#/modules/orders/fulfilment/packing/shipment.ts";
import { content, item, lineRow, orderRow, packedParcel } from "../../../../../tests/support/papers/packed-order.ts";

const two = lineRow({ lineNumber: 2, sku: "OIL", unitNetPrice: "1.5000" });
const items = new Map([item("MUG"), item("OIL")]);
const matterOf = (over: Parameters<typeof orderRow>[0] = {}, more: object = {}) => ({
  order: orderRow(over),
  lines: [lineRow(), two],
  items,
  ...more,
});

test("a shipment has the contents of its parcels, the address and the requirements of the order", () => {
  const attributes = { IncotermName: "DAP", WebOrderId: "7" };
  const parcels = [
    packedParcel([content(1, "MUG", 2000), content(2, "OIL", 1000)], {
      length: 30,
      width: 20,
      height: 10,
      dimensionsUomCode: "CM",
    }),
    packedParcel([content(1, "MUG", 1000)], { weight: 12, weightUomCode: "OZ" }),
  ];
  const order = { carrierCode: "ROYALMAIL", extendedAttributes: attributes };
  assert.deepEqual(shipmentOf(matterOf(order), parcels), {
    distributionCentre: "DC2",
    shipTo: { country: "GB", zip: "BS1 5TY", state: "Avon", city: "Bristol" },
    parcels: [
      {
        weight: 1.25,
        weightUomCode: "KG",
        length: 30,
        width: 20,
        height: 10,
        dimensionsUomCode: "CM",
        declaredValue: { amount: 21.66, currency: "EUR" },
      },
      {
        weight: 12,
        weightUomCode: "OZ",
        length: undefined,
        width: undefined,
        height: undefined,
        dimensionsUomCode: undefined,
        declaredValue: { amount: 10.08, currency: "EUR" },
      },
    ],
    requestedCarrierCode: "ROYALMAIL",
    shippingMethod: "STD",
    isHazmat: false,
    isBulky: false,
    incoterm: "DAP",
    orderValue: { amount: 104.99, currency: "EUR" },
    extendedAttributes: attributes,
  });
});

test("goods are hazardous or bulky where those in the parcels are, by their line or their item", () => {
  const hazardous = { items: new Map([item("MUG"), item("OIL", { extendedAttributes: { IsHazmat: "true" } })]) };
  const flags = (parcel: ReturnType<typeof packedParcel>, more: object) => {
    const { isHazmat, isBulky } = shipmentOf(matterOf({}, more), [parcel]);
    return [isHazmat, isBulky];
  };
  assert.deepEqual(flags(packedParcel([content(2, "OIL", 1000)]), hazardous), [true, false]);
  assert.deepEqual(flags(packedParcel([content(1, "MUG", 1000)]), hazardous), [false, false]);
  const ofLine = { lines: [lineRow({ extendedAttributes: { IsBulkyFlag: "1" } }), two] };
  assert.deepEqual(flags(packedParcel([content(1, "MUG", 1000)]), ofLine), [false, true]);
});

test("an incomplete value and a value without a currency are not declared", () => {
  const parcel = packedParcel([content(1, "MUG", 1000), content(2, "OIL", 1000)]);
  const unpriced = { ...two, lineTotal: null, unitNetPrice: null, unitGrossPrice: null };
  const declared = (matter: ReturnType<typeof matterOf>) => shipmentOf(matter, [parcel]).parcels[0]?.declaredValue;
  assert.equal(declared(matterOf({}, { lines: [lineRow(), unpriced] })), undefined);
  assert.equal(declared(matterOf({ currency: null })), undefined);
  assert.equal(shipmentOf(matterOf({ currency: null }), [parcel]).orderValue, undefined);
});

test("a value above the limit counts as the limit", () => {
  const dear = matterOf({ currency: "IDR", totalPrice: "5000000000.0000" });
  assert.deepEqual(shipmentOf(dear, []).orderValue, { amount: 1e9, currency: "IDR" });
});

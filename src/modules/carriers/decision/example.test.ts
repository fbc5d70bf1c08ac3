// The example of carriers.md §Data, as it stands there, and what it decides.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCarrierData } from "#/modules/carriers/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";

const example =
  JSON.parse(`{"services":[{"code":"RM48","carrierCode":"RM","name":"Tracked 48","serviceLevel":"STANDARD","countries":["GB"],
   "maxWeightKg":20,"maxLongestSideCm":61,"dimensionalDivisor":5000,"hazmat":false,"bulky":false,"signature":false,
   "maxDeclaredValue":{"amount":100,"currency":"GBP"},"transitDays":{"DOMESTIC":2},"cutOff":{"DC1":"17:00"}}],
 "rateCards":[{"serviceCode":"RM48","currency":"GBP","validFrom":"2026-01-01","stepKg":0.5,
   "zones":[{"zone":"DOMESTIC","country":"GB"},{"zone":"REMOTE","country":"GB","postcodePrefixes":["IV","KW","BT"],"remote":true}],
   "breaks":[{"zone":"DOMESTIC","upToKg":2,"price":3.10},{"zone":"DOMESTIC","upToKg":20,"price":5.40,"perExtraKg":0.25}],
   "surcharges":[{"code":"FUEL","kind":"PERCENT","value":8.5},{"code":"HAZMAT","kind":"FIXED","value":15,"when":"hazmat"}]}],
 "rules":[{"ruleId":"no-air-hazmat","priority":10,"when":{"all":[{"field":"shipment.isHazmat","op":"eq","value":true},
   {"field":"candidate.serviceLevel","op":"in","value":["EXPRESS","NEXT_DAY"]}]},"then":{"exclude":true,"reason":"hazmat not by air"}}],
 "mapping":{"shippingMethods":{"STD":"STANDARD"},"carrierCodes":{"ROYALMAIL":"RM"}},"rates":[{"from":"EUR","to":"GBP","date":"2026-11-01","rate":0.86}]}`);

const dc1 = {
  ...{ facilityCode: "DC1", country: "GB", timezone: "Europe/London", cutOffTime: null, holidays: [] },
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"] as const,
};

test("the contract's example is taken as it is, and prices each parcel apart to the penny", () => {
  const checked = checkCarrierData(example);
  assert.deepEqual(checked, { ok: true, value: example });
  const data = compileCarrierData(example, 7);
  const shipment = readShipment(
    {
      distributionCentre: "DC1",
      shipTo: { country: "GB", zip: "BS1 5TY" },
      parcels: [{ weight: 1.2 }, { weight: 2.1, length: 40, width: 30, height: 20 }],
    },
    dc1,
  );
  assert.ok(shipment.ok);
  // A Friday, 16:59 in London.
  assert.deepEqual(decide(data, shipment.value, Date.parse("2026-11-20T16:59:00Z")), {
    decidedAt: "2026-11-20T16:59:00.000Z",
    chosen: {
      ...{ carrierCode: "RM", serviceCode: "RM48", zone: "DOMESTIC" },
      price: {
        // 3.10 for up to 2 kg; 24 000 cm³ ÷ 5 000 is 4.8 kg, 5 kg in steps: 5.40 and three started kg above 2.
        base: { amount: 9.25, currency: "GBP" },
        // 0.2635 and 0.52275, each rounded.
        surcharges: [{ code: "FUEL", amount: { amount: 0.78, currency: "GBP" } }],
        total: { amount: 10.03, currency: "GBP" },
      },
      chargeableWeight: { value: 6.5, uom: "KG" },
      ...{ despatchDate: "2026-11-20", estimatedDelivery: "2026-11-23" },
    },
    ...{ alternatives: [], rejected: [], rulesApplied: [], dataVersion: 7 },
  });
});

// The example of docs/contract/carriers.md, Data, and its decision.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";

const page = readFileSync(new URL("../../../../docs/contract/carriers.md", import.meta.url), "utf8");
const [, shown] = /^```json[^\n]*\n([\s\S]+?)^```$/m.exec(page) ?? [];
assert.ok(shown, "carriers.md has no example");
const example = JSON.parse(shown);

const dc1 = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "Europe/London",
  cutOffTime: null,
  holidays: [],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"] as const,
};

test("the contract's example is valid unchanged, and prices each parcel to the penny", () => {
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
  // Friday, 16:59 in London.
  assert.deepEqual(decide(data, shipment.value, Date.parse("2026-11-20T16:59:00Z")), {
    decidedAt: "2026-11-20T16:59:00.000Z",
    chosen: {
      carrierCode: "RM",
      serviceCode: "RM48",
      zone: "DOMESTIC",
      price: {
        // 3.10 for up to 2 kg; 24 000 cm³ ÷ 5 000 is 4.8 kg, 5 kg in steps: 5.40 and three started kg above 2.
        base: { amount: 9.25, currency: "GBP" },
        // 0.2635 and 0.52275, each rounded.
        surcharges: [{ code: "FUEL", amount: { amount: 0.78, currency: "GBP" } }],
        total: { amount: 10.03, currency: "GBP" },
      },
      chargeableWeight: { value: 6.5, uom: "KG" },
      despatchDate: "2026-11-20",
      estimatedDelivery: "2026-11-23",
    },
    alternatives: [],
    rejected: [],
    rulesApplied: [],
    dataVersion: 7,
  });
});

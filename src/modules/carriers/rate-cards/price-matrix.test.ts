import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixOf, withMatrix } from "#/modules/carriers/rate-cards/price-matrix.ts";
import { carrierSet } from "../../../../tests/support/carriers/carrier-data.ts";

const [first, ...rest] = carrierSet.rateCards;
assert.ok(first);
const old = { ...first, validTo: "2026-12-31" };
const next = { ...first, validFrom: "2027-01-01", breaks: first.breaks.slice(0, 1) };
const set = { ...carrierSet, rateCards: [next, old, ...rest] };
const matrix = { zones: [{ zone: "DOMESTIC", country: "GB" }], breaks: [{ zone: "DOMESTIC", upToKg: 1, price: 1 }] };

test("the card with the latest start is used, unless a day selects another", () => {
  const { zones, breaks } = next;
  assert.deepEqual(matrixOf(set, { serviceCode: "ALPHA-48" }), { ok: true, value: { zones, breaks } });
  const changed = withMatrix(set, { serviceCode: "ALPHA-48", validFrom: "2027-01-01" }, matrix);
  assert.deepEqual(changed, { ok: true, value: { ...set, rateCards: [{ ...next, ...matrix }, old, ...rest] } });
});

test("an unknown card is reported with the existing ones", () => {
  const missing = matrixOf(set, { serviceCode: "GAMMA" });
  assert.deepEqual(missing, {
    ok: false,
    fault: "there is no rate card of service 'GAMMA'; there are those of ALPHA-24, ALPHA-48, BETA-72, BETA-NEXT",
  });
  const unknown = withMatrix(set, { serviceCode: "ALPHA-48", validFrom: "2030-01-01" }, matrix);
  assert.deepEqual(unknown, {
    ok: false,
    fault: "no rate card of service 'ALPHA-48' begins on 2030-01-01; there are those from 2027-01-01, the beginning",
  });
  const none = matrixOf({ services: [] }, { serviceCode: "ALPHA-48" });
  assert.deepEqual(none, { ok: false, fault: "there is no rate card of service 'ALPHA-48'; the set has no rate card" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import {
  decisionOf,
  packDecision,
  storedOf,
  unpackDecision,
} from "#/modules/carriers/determination/decision-record.ts";
import { decideBy } from "#/modules/carriers/determination/determination.ts";
import { carrierSet } from "../../../../tests/support/carriers/carrier-data.ts";

const data = compileCarrierData(carrierSet, 3);
const facility = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "Europe/London",
  cutOffTime: null,
  holidays: [],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"] as const,
};
const request = { distributionCentre: "DC1", shipTo: { country: "DE" }, parcels: [{ weight: 3 }, { weight: 1 }] };

test("a decision is read back unchanged, with or without a chosen service", () => {
  for (const more of [
    {},
    { requestedCarrierCode: "UNKNOWN" },
    { isBulky: true },
    { serviceLevel: "EXPRESS" as const },
  ]) {
    const decided = decideBy(data, { ...request, ...more }, facility, Date.parse("2026-11-20T10:00:00Z"));
    assert.ok(decided.ok);
    const { decision } = decided.value;
    const text = JSON.stringify(storedOf(decision, ["a warning"]));
    const stored = JSON.parse(text) as ReturnType<typeof storedOf>;
    assert.deepEqual(decisionOf(stored, decision.decidedAt, decision.dataVersion), decision);
    assert.deepEqual(stored.warnings, ["a warning"]);
    assert.ok(text.length < JSON.stringify(decision).length);
  }
});

test("a packed decision shows SQL its first choice and its counts, and is read back unchanged", () => {
  const decided = decideBy(data, request, facility, Date.parse("2026-11-20T10:00:00Z"));
  assert.ok(decided.ok);
  const stored = storedOf(decided.value.decision, ["a warning"]);
  const text = JSON.stringify(packDecision({ writesPacked: true }, stored));
  const packed = JSON.parse(text) as ReturnType<typeof packDecision>;
  assert.deepEqual(unpackDecision(packed), JSON.parse(JSON.stringify(stored)));
  assert.deepEqual(packed.choices[0], stored.choices[0]);
  assert.deepEqual([packed.choices.length, packed.rejected.length], [stored.choices.length, stored.rejected.length]);
  assert.ok(text.length < JSON.stringify(stored).length, text);
  assert.equal(packDecision({ writesPacked: false }, stored), stored);
  assert.equal(unpackDecision(stored), stored);
});

test("a reason of several candidates is stored once", () => {
  const decided = decideBy(data, { ...request, isBulky: true }, facility, Date.parse("2026-11-20T10:00:00Z"));
  assert.ok(decided.ok);
  const { reasons, rejected } = storedOf(decided.value.decision, []);
  assert.equal(rejected.length, 4);
  assert.deepEqual(reasons.map(({ code }) => code).sort(), ["BULKY", "RULE"]);
});

// Decides random data and shipments here and with the slow reference of tests/support: both must give the same choice,
// cents, reasons and order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import { diceOf } from "../../../../tests/support/builders/dice.ts";
import {
  makeData,
  makeMoment,
  makeRequest,
  worldFacilities,
} from "../../../../tests/support/carriers/carrier-worlds.ts";
import { referenceDecision } from "../../../../tests/support/oracles/carrier-reference.ts";

/** Requests: 10 000 take nine seconds. CROSSDOCK_TEST_STEPS sets a higher number, CROSSDOCK_TEST_SEED another seed. */
const steps = Number(process.env.CROSSDOCK_TEST_STEPS ?? 4_000);
const seed = Number(process.env.CROSSDOCK_TEST_SEED ?? 1);
const requestsPerSet = 10;

test("a decision equals that of a slow reference calculation", () => {
  const seen = new Map<string, number>();
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  for (let step = 0; step < steps; step += requestsPerSet) {
    const dice = diceOf(seed * 1_000_003 + step);
    const data = makeData(dice);
    const checked = checkCarrierData(data);
    assert.deepEqual(checked.ok ? [] : checked.fault, [], `set ${step}`);
    const compiled = compileCarrierData(data, step);
    for (let i = 0; i < requestsPerSet; i++) {
      const facility = dice.one(worldFacilities);
      const request = makeRequest(dice, facility);
      const atMs = makeMoment(dice);
      const shipment = readShipment(request, facility);
      assert.ok(shipment.ok, JSON.stringify(shipment));
      const { chosen, alternatives, rejected, rulesApplied } = decide(compiled, shipment.value, atMs);
      const decided = {
        choices: chosen ? [chosen, ...alternatives] : [],
        rejected: rejected.map(({ serviceCode, reasons }) => ({
          serviceCode,
          reasons: reasons.map(({ code, ruleId }) => (ruleId === undefined ? { code } : { code, ruleId })),
        })),
        rulesApplied,
      };
      const context = () => `seed ${seed}, set ${step}, request ${i}: ${JSON.stringify({ request, atMs, data })}`;
      const expected = referenceDecision(data, request, facility, atMs);
      try {
        assert.deepEqual(decided, expected);
      } catch (error) {
        throw new Error(context(), { cause: error });
      }
      assert.ok(
        rejected.every(({ reasons }) => reasons.every(({ text }) => text.length > 0 && !/undefined|NaN/.test(text))),
        context(),
      );
      count(decided.choices.length === 0 ? "nobody" : decided.choices.length > 1 ? "several" : "one");
      for (const { reasons } of decided.rejected) for (const { code } of reasons) count(code);
    }
  }
  assert.ok((seen.get("several") ?? 0) > steps / 6, `several fit in ${seen.get("several") ?? 0} of ${steps}`);
  // A case that never occurred was not compared.
  const codes = [
    "INACTIVE",
    "COUNTRY",
    "OVER_WEIGHT",
    "OVER_SIZE",
    "OVER_VALUE",
    "HAZMAT",
    "BULKY",
    "SIGNATURE",
    "SERVICE_LEVEL",
  ];
  for (const name of [...codes, "CARRIER", "NO_RATE", "CURRENCY", "TOO_SLOW", "RULE", "nobody", "one", "several"]) {
    assert.ok((seen.get(name) ?? 0) > steps / 1_000, `${name}: ${seen.get(name) ?? 0}`);
  }
});

import type { FastifyRequest } from "fastify";
import { compileValidator, setUpTypeBox } from "#/http/server/validation.ts";
import { assert } from "#/kernel/assert.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isPlain, type KnownNames } from "#/modules/carriers/checks/check-conditions.ts";
import { checkRateCards } from "#/modules/carriers/checks/check-rate-cards.ts";
import { checkReferences } from "#/modules/carriers/checks/check-references.ts";
import { checkRuleParts } from "#/modules/carriers/checks/check-rules.ts";
import { checkServices } from "#/modules/carriers/checks/check-services.ts";
import { FaultList, faultsMax } from "#/modules/carriers/checks/check-values.ts";
import { type CarrierData, carrierData } from "#/modules/carriers/data/data-contract.ts";

const validate = compileValidator({ body: carrierData });

/**
 * Validates a set with the validator and messages of a request body, whatever its source. Refused as a whole, with all
 * faults of its shape and its rules, each with its place: `#/rules/3/when/all/0/op`.
 */
export function checkCarrierData(data: unknown): Result<CarrierData, readonly RequestFault[]> {
  setUpTypeBox();
  assert(validate, "the schema of carrier data has no validator");
  const shape = validate({ body: data } as FastifyRequest);
  const faults = new FaultList();
  if (isPlain(data) && Array.isArray(data.rules)) checkRuleParts(faults, data.rules, knownNames(data));
  if (shape.length > 0) return refused([...shape, ...faults.found].slice(0, faultsMax));
  const set = data as CarrierData;
  checkServices(faults, set);
  checkRateCards(faults, set);
  (set.rules ?? []).forEach(({ validFrom, validTo }, i) => {
    faults.addSpan(`#/rules/${i}`, ["validFrom", "validTo"], validFrom, validTo);
  });
  faults.addTwins(
    "rules",
    "ruleId",
    (set.rules ?? []).map(({ ruleId }) => ruleId),
  );
  checkReferences(faults, set);
  return faults.found.length > 0 ? refused(faults.found) : ok(set);
}

/** The data may be anything. */
function knownNames({ services, rateCards }: Readonly<Record<string, unknown>>): KnownNames {
  const textsOf = (items: unknown, name: string) =>
    (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
      const value = isPlain(item) ? item[name] : undefined;
      return typeof value === "string" ? [value] : [];
    });
  const cards = (Array.isArray(rateCards) ? rateCards : []).filter(isPlain);
  return {
    services: new Set(textsOf(services, "code")),
    carriers: new Set(textsOf(services, "carrierCode")),
    zones: new Set(cards.flatMap(({ zones }) => textsOf(zones, "zone"))),
  };
}

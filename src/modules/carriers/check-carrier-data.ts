import type { FastifyRequest } from "fastify";
import type { RequestFault } from "#/http/problem.ts";
import { compileValidator, setUpTypeBox } from "#/http/validation.ts";
import { assert } from "#/kernel/assert.ts";
import { toAlpha2 } from "#/kernel/country.ts";
import { isCurrency } from "#/kernel/currency.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type CarrierData, type CarrierService, carrierData } from "#/modules/carriers/data-contract.ts";

const validate = compileValidator({ body: carrierData });

/**
 * Judges a set as the body of a request is judged, in the same words, wherever it comes from. All faults at once, each with
 * its place: `#/services/3/countries/0`.
 */
export function checkCarrierData(data: unknown): Result<CarrierData, readonly RequestFault[]> {
  setUpTypeBox();
  assert(validate, "the schema of carrier data has no validator");
  const shape = validate({ body: data } as FastifyRequest);
  if (shape.length > 0) return refused(shape);
  const { services } = data as CarrierData;
  const faults = [...services.flatMap(faultsOfService), ...faultsOfCodes(services)];
  return faults.length > 0 ? refused(faults) : ok({ services });
}

function faultsOfService(service: CarrierService, i: number): RequestFault[] {
  const { countries = [], maxDeclaredValue, activeFrom, activeTo } = service;
  const at = `#/services/${i}`;
  const faults: RequestFault[] = [];
  countries.forEach((country, n) => {
    const pointer = `${at}/countries/${n}`;
    if (toAlpha2(country) !== country) {
      faults.push({ pointer, message: "must be a country code of ISO 3166-1, two capitals" });
    } else if (countries.indexOf(country) !== n) {
      faults.push({ pointer, message: "stands there twice" });
    }
  });
  if (maxDeclaredValue && !isCurrency(maxDeclaredValue.currency)) {
    faults.push({ pointer: `${at}/maxDeclaredValue/currency`, message: "must be a currency code of ISO 4217" });
  }
  for (const [name, text] of Object.entries({ activeFrom, activeTo })) {
    if (text !== undefined && !isDay(text)) {
      faults.push({ pointer: `${at}/${name}`, message: "must be a day of the calendar" });
    }
  }
  if (activeFrom !== undefined && activeTo !== undefined && activeTo < activeFrom) {
    faults.push({ pointer: `${at}/activeTo`, message: "must not be before activeFrom" });
  }
  return faults;
}

/** Of the right form it may still be the 30th of February. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function faultsOfCodes(services: readonly CarrierService[]): RequestFault[] {
  const first = new Map<string, number>();
  return services.flatMap(({ code }, i) => {
    const known = first.get(code);
    if (known !== undefined) return [{ pointer: `#/services/${i}/code`, message: `is that of services/${known}, too` }];
    first.set(code, i);
    return [];
  });
}

import type { FastifyRequest } from "fastify";
import { compileValidator, setUpTypeBox } from "#/http/server/validation.ts";
import { assert } from "#/kernel/assert.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkRateCards } from "#/modules/carriers/checks/check-rate-cards.ts";
import { checkRuleParts, isPlain, type KnownNames } from "#/modules/carriers/checks/check-rules.ts";
import {
  FaultList,
  faultOfCountry,
  faultOfCurrency,
  faultOfDay,
  faultOfDecimals,
  faultsMax,
  pointerPart,
} from "#/modules/carriers/checks/check-values.ts";
import { type CarrierData, carrierData } from "#/modules/carriers/data/data-contract.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";

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

/** Checks services beyond the schema. */
function checkServices(faults: FaultList, { services, rateCards }: CarrierData): void {
  const zonesByService = new Map<string, Set<string>>();
  for (const { serviceCode, zones } of rateCards) {
    const known = zonesByService.get(serviceCode) ?? new Set();
    zonesByService.set(serviceCode, known);
    for (const { zone } of zones) known.add(zone);
  }
  services.forEach((service, i) => {
    checkService(faults, service, `#/services/${i}`);
    // Without a rate card there are no zones to compare the names with.
    const zones = zonesByService.get(service.code);
    for (const zone of zones ? Object.keys(service.transitDays ?? {}) : []) {
      if (zones?.has(zone)) continue;
      faults.add(
        `#/services/${i}/transitDays/${pointerPart(zone)}`,
        `"${zone}" is not a zone of a rate card of ${service.code}`,
      );
    }
  });
  faults.addTwins(
    "services",
    "code",
    services.map(({ code }) => code),
  );
}

function checkService(faults: FaultList, service: CarrierService, at: string): void {
  const { countries = [], pickUpDays = {}, deliveryDays = [] } = service;
  countries.forEach((country, n) => {
    const wrong = faultOfCountry(country);
    if (wrong) faults.add(`${at}/countries/${n}`, wrong);
    else if (countries.indexOf(country) !== n) faults.add(`${at}/countries/${n}`, "is present twice");
  });
  for (const name of ["maxDeclaredValue", "cn22MaxValue"] as const) {
    const limit = service[name];
    if (limit === undefined) continue;
    faults.add(`${at}/${name}/currency`, faultOfCurrency(limit.currency));
    faults.add(`${at}/${name}/amount`, faultOfDecimals(limit.amount, 10_000));
  }
  if (service.cn22MaxValue && !service.postal) faults.add(`${at}/cn22MaxValue`, "is for a postal service only");
  for (const name of ["maxWeightKg", "maxLongestSideCm", "dimensionalDivisor"] as const) {
    faults.add(`${at}/${name}`, faultOfDecimals(service[name], 1_000));
  }
  const lists = Object.entries(pickUpDays).map(
    ([facility, days]) => [`pickUpDays/${pointerPart(facility)}`, days] as const,
  );
  for (const [name, days] of [...lists, ["deliveryDays", deliveryDays] as const]) {
    days.forEach((day, n) => {
      if (days.indexOf(day) !== n) faults.add(`${at}/${name}/${n}`, `${day} is present twice`);
    });
  }
  faults.addSpan(at, ["activeFrom", "activeTo"], service.activeFrom, service.activeTo);
}

/** Checks mapping, rates, settings and holidays beyond the schema. */
function checkReferences(faults: FaultList, data: CarrierData): void {
  checkMapping(faults, data);
  checkRates(faults, data.rates ?? []);
  const { currency, balancedCostPerDay } = data.settings ?? {};
  if (currency !== undefined) faults.add("#/settings/currency", faultOfCurrency(currency));
  faults.add("#/settings/balancedCostPerDay", faultOfDecimals(balancedCostPerDay, 10_000));
  for (const [country, days] of Object.entries(data.holidays ?? {})) {
    const at = `#/holidays/${pointerPart(country)}`;
    if (faults.isFull) return;
    faults.add(at, faultOfCountry(country));
    const seen = new Set<string>();
    days.forEach((day, i) => {
      faults.add(`${at}/${i}`, faultOfDay(day) ?? (seen.has(day) ? `${day} is present twice` : undefined));
      seen.add(day);
    });
  }
}

function checkMapping(faults: FaultList, { services, mapping = {} }: CarrierData): void {
  const { shippingMethods = {}, carrierCodes = {} } = mapping;
  const codes = new Set<string>([...serviceLevels, ...services.map(({ code }) => code)]);
  const carriers = new Set(services.map(({ carrierCode }) => carrierCode));
  checkNames(faults, shippingMethods, "#/mapping/shippingMethods", (value) =>
    codes.has(value)
      ? undefined
      : `"${value}" is neither a service level (${serviceLevels.join(", ")}) nor a service of this set`,
  );
  checkNames(faults, carrierCodes, "#/mapping/carrierCodes", (value) =>
    carriers.has(value) ? undefined : `"${value}" is the carrier of no service of this set`,
  );
}

function checkNames(
  faults: FaultList,
  names: Readonly<Record<string, string>>,
  at: string,
  faultOf: (value: string) => string | undefined,
): void {
  const first = new Map<string, string>();
  for (const [name, value] of Object.entries(names)) {
    const place = `${at}/${pointerPart(name)}`;
    const folded = name.trim().toUpperCase();
    const known = first.get(folded);
    if (folded === "") faults.add(place, "must have a name");
    else if (known !== undefined) faults.add(place, `is "${known}" in other letters: case is ignored`);
    first.set(folded, known ?? name);
    faults.add(place, faultOf(value));
  }
}

function checkRates(faults: FaultList, rates: NonNullable<CarrierData["rates"]>): void {
  const first = new Map<string, number>();
  rates.forEach(({ from, to, date, rate }, i) => {
    const at = `#/rates/${i}`;
    faults.add(`${at}/from`, faultOfCurrency(from));
    faults.add(`${at}/to`, faultOfCurrency(to) ?? (from === to ? `is ${to}, the same as from` : undefined));
    faults.add(`${at}/date`, faultOfDay(date));
    faults.add(`${at}/rate`, faultOfDecimals(rate, 100_000_000));
    const known = first.get(`${from}${to}${date}`);
    if (known === undefined) first.set(`${from}${to}${date}`, i);
    else faults.add(at, `is from ${from} to ${to} on ${date}, like rates/${known}`);
  });
}

/** Statements of a valid set that its author rarely means, each with its place. */
export function warningsOf({ services }: CarrierData): RequestFault[] {
  return services.flatMap(({ postal, hazmat }, i) =>
    // The Convention of the UPU keeps dangerous goods out of the post, but for a few exceptions.
    postal === true && hazmat === true
      ? [
          {
            pointer: `#/services/${i}/hazmat`,
            message:
              "a postal service accepts few dangerous goods: set it only if the contract with the post allows them",
          },
        ]
      : [],
  );
}

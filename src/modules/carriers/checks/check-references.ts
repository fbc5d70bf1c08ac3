import {
  type FaultList,
  faultOfCountry,
  faultOfCurrency,
  faultOfDay,
  faultOfDecimals,
  pointerPart,
} from "#/modules/carriers/checks/check-values.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";

/** Checks mapping, rates, settings and holidays beyond the schema. */
export function checkReferences(faults: FaultList, data: CarrierData): void {
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

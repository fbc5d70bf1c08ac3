import {
  type FaultList,
  faultOfCountry,
  faultOfCurrency,
  faultOfDecimals,
  pointerPart,
} from "#/modules/carriers/checks/check-values.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";

/** Checks services beyond the schema. */
export function checkServices(faults: FaultList, { services, rateCards }: CarrierData): void {
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

import { type FaultList, faultOfCurrency, faultOfDecimals } from "#/modules/carriers/checks/check-values.ts";
import { checkZones } from "#/modules/carriers/checks/check-zones.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { RateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

/** Checks price matrices beyond the schema. */
export function checkRateCards(faults: FaultList, { services, rateCards }: CarrierData): void {
  const codes = new Set(services.map(({ code }) => code));
  const first = new Map<string, number>();
  rateCards.forEach((card, i) => {
    const at = `#/rateCards/${i}`;
    const { serviceCode, validFrom = "the beginning" } = card;
    if (!codes.has(serviceCode)) faults.add(`${at}/serviceCode`, `"${serviceCode}" is no service of this set`);
    const begins = `${serviceCode}\n${validFrom}`;
    const known = first.get(begins);
    if (known === undefined) first.set(begins, i);
    else faults.add(`${at}/validFrom`, `is the card of ${serviceCode} from ${validFrom} on, like rateCards/${known}`);
    checkRateCard(faults, card, at);
  });
}

function checkRateCard(faults: FaultList, card: RateCard, at: string): void {
  faults.add(`${at}/currency`, faultOfCurrency(card.currency));
  faults.add(`${at}/stepKg`, faultOfDecimals(card.stepKg, 1_000));
  faults.addSpan(at, ["validFrom", "validTo"], card.validFrom, card.validTo);
  checkZones(faults, card, at);
  checkBreaks(faults, card, at);
  checkSurcharges(faults, card, at);
}

function checkBreaks(faults: FaultList, { zones, breaks }: RateCard, at: string): void {
  const names = new Set(zones.map(({ zone }) => zone));
  const last = new Map<string, { readonly i: number; readonly upToKg: number }>();
  breaks.forEach(({ zone, upToKg, price, perExtraKg }, i) => {
    const itemPath = `${at}/breaks/${i}`;
    if (!names.has(zone)) faults.add(`${itemPath}/zone`, `"${zone}" is not a zone of this card`);
    faults.add(`${itemPath}/upToKg`, faultOfDecimals(upToKg, 1_000));
    faults.add(`${itemPath}/price`, faultOfDecimals(price, 10_000));
    faults.add(`${itemPath}/perExtraKg`, faultOfDecimals(perExtraKg, 10_000));
    const before = last.get(zone);
    if (before && before.upToKg >= upToKg) {
      faults.add(
        `${itemPath}/upToKg`,
        `is ${upToKg}: must be above ${before.upToKg}, that of breaks/${before.i}: breaks of a zone are in ascending order`,
      );
    }
    last.set(zone, { i, upToKg });
  });
}

const percentMax = 100;
/** Repeated percentages soon exceed any sensible price, and the limit of exact arithmetic. */
const growthMax = 20;

function checkSurcharges(faults: FaultList, { surcharges = [] }: RateCard, at: string): void {
  let growth = 1;
  surcharges.forEach(({ code, kind, value, when, longestSideCm }, i) => {
    const itemPath = `${at}/surcharges/${i}`;
    const known = surcharges.findIndex((other) => other.code === code);
    if (known !== i) faults.add(`${itemPath}/code`, `is also that of surcharges/${known}`);
    faults.add(`${itemPath}/value`, faultOfDecimals(value, 10_000));
    if (kind === "PERCENT" && value > percentMax)
      faults.add(`${itemPath}/value`, `is ${value}: must be 0 to ${percentMax} per cent`);
    if (kind === "PERCENT") growth *= 1 + value / 100;
    faults.add(`${itemPath}/longestSideCm`, faultOfDecimals(longestSideCm, 1_000));
    if (when === "oversize" && longestSideCm === undefined) {
      faults.add(`${itemPath}/longestSideCm`, "is required of a surcharge for oversize");
    }
    if (when !== "oversize" && longestSideCm !== undefined) {
      faults.add(`${itemPath}/longestSideCm`, `is only for oversize, and this one is for ${when ?? "always"}`);
    }
  });
  if (growth > growthMax) {
    faults.add(`${at}/surcharges`, `multiply the price by ${Math.round(growth)}: at most ${growthMax} is allowed`);
  }
}

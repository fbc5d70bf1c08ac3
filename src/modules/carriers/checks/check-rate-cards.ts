import {
  type FaultList,
  faultOfCountry,
  faultOfCurrency,
  faultOfDecimals,
} from "#/modules/carriers/checks/check-values.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { comparablePostcode, formOf } from "#/modules/carriers/decision/zones.ts";
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

/** A range of postcode prefixes in a country that an entry covers; a single prefix is a range of one. */
interface Span {
  readonly from: string;
  readonly to: string;
  readonly form: string;
  readonly pointer: string;
}

/**
 * Checks that no address has two longest matches: countries, prefixes and ranges of the same length must not overlap.
 */
function checkZones(faults: FaultList, { zones }: RateCard, at: string): void {
  const whole = new Map<string, number>();
  const spans = new Map<string, Span[]>();
  zones.forEach(({ country, postcodePrefixes, postcodeRanges }, i) => {
    const zonePath = `${at}/zones/${i}`;
    const wrong = faultOfCountry(country);
    if (wrong) {
      faults.add(`${zonePath}/country`, wrong);
      return;
    }
    if (!postcodePrefixes && !postcodeRanges) {
      const known = whole.get(country);
      if (known === undefined) whole.set(country, i);
      else faults.add(`${zonePath}/country`, `is ${country} without postcodes, like zones/${known}`);
    }
    const keep = (span: Span) => {
      const key = `${country} ${span.form}`;
      const known = spans.get(key);
      if (known) known.push(span);
      else spans.set(key, [span]);
    };
    (postcodePrefixes ?? []).forEach((text, n) => {
      const prefix = comparablePostcode(text, country);
      keep({ from: prefix, to: prefix, form: formOf(prefix), pointer: `${zonePath}/postcodePrefixes/${n}` });
    });
    (postcodeRanges ?? []).forEach((range, n) => {
      const pointer = `${zonePath}/postcodeRanges/${n}`;
      const [from, to] = [comparablePostcode(range.from, country), comparablePostcode(range.to, country)];
      const form = formOf(from);
      if (form !== formOf(to)) {
        faults.add(
          `${pointer}/to`,
          `"${range.to}" must have the form of "${range.from}": letters and digits at the same positions`,
        );
      } else if (to < from) faults.add(`${pointer}/to`, `"${range.to}" must not be before "${range.from}"`);
      else keep({ from, to, form, pointer });
    });
  });
  for (const found of spans.values()) addMeetings(faults, found, at);
}

function addMeetings(faults: FaultList, spans: readonly Span[], at: string): void {
  const inOrder = spans.toSorted((left, right) => (left.from < right.from ? -1 : left.from > right.from ? 1 : 0));
  let widest: Span | undefined;
  for (const span of inOrder) {
    if (widest && span.from <= widest.to) {
      const other = widest.pointer.slice(at.length + 1);
      faults.add(
        span.pointer,
        `overlaps the postcodes of ${other}: a postcode must not have two zones with a match of the same length`,
      );
    }
    if (!widest || span.to > widest.to) widest = span;
  }
}

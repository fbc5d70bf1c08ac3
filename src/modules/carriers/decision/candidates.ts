// Checks each service for a shipment: when it leaves and arrives, its zone and breaks, and why it does not fit.
import { type ServiceLevel, serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import { deliveryDayOf } from "#/modules/carriers/decision/calendar.ts";
import type { CountryCard, CountryIndex, FacilityIndex } from "#/modules/carriers/decision/compile.ts";
import type { CompiledCard, CompiledService, CompiledZone } from "#/modules/carriers/decision/compile-services.ts";
import type { Amount, Exchange, ExchangeRates } from "#/modules/carriers/decision/money.ts";
import { type Price, type Weighed, weigh } from "#/modules/carriers/decision/price.ts";
import { type Reason, reasons } from "#/modules/carriers/decision/reasons.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";

export interface Candidate {
  readonly service: CompiledService;
  readonly despatchDay: number | undefined;
  readonly deliveryDay: number | undefined;
  readonly card: CompiledCard | undefined;
  readonly zone: CompiledZone | undefined;
  readonly weighed: Weighed;
  /** True if every parcel has a break, so that there is a price. */
  readonly isPriced: boolean;
  readonly reasons: Reason[];
  price: Price | undefined;
  /** The preference of rules in ten-thousandths of the ranking currency; a negative value is a discount. */
  preference: number;
  /** The lowest is the best. */
  rank: number;
  /** Decides between equal ranks. */
  secondRank: number;
  /** A rule has stopped later rules for the candidate. */
  isStopped: boolean;
}

/** The common input for all candidates of a decision. */
export interface DecisionInput {
  readonly shipment: Shipment;
  readonly country: CountryIndex;
  /** Index of the entry for the address, by index of the layout; -1: none. */
  readonly entries: readonly number[];
  readonly facility: FacilityIndex;
  /** By index of the plan. */
  readonly despatchDays: readonly (number | undefined)[];
  /** The country's holidays, without deliveries. */
  readonly closed: ReadonlySet<number> | undefined;
  /** Days since 1970-01-01, at the facility. */
  readonly today: number;
  readonly rates: ExchangeRates;
  readonly rankingCurrency: string;
  /** The parcels as weighed, by index of the weighing. */
  readonly weighed: readonly Weighed[];
  /** The exchange to the ranking currency, by index of the currency; undefined: there is no rate. */
  readonly exchanges: readonly (Exchange | undefined)[];
  /** The greatest declared value of a parcel, by index of the currency; NaN: a parcel's value has no rate. */
  readonly greatestValues: readonly number[];
  /** The reasons against services of other levels, by level, if a level is requested or a rule has set one. */
  readonly levelReasons: ReadonlyMap<ServiceLevel, Reason> | undefined;
  readonly carrierCode: string | undefined;
}

export function evaluateCandidate(service: CompiledService, input: DecisionInput): Candidate {
  const { shipment, closed } = input;
  const despatchDay = input.despatchDays[input.facility.planByService[service.index] ?? -1];
  const found = despatchDay === undefined ? undefined : cardOn(input.country.cards[service.index] ?? [], despatchDay);
  const card = found?.card;
  const zone = found?.zones[input.entries[found.layout] ?? -1];
  const transitDays = zone?.transitDays;
  const deliveryDay =
    despatchDay === undefined || transitDays === undefined
      ? undefined
      : deliveryDayOf(service.deliveryDays, despatchDay, transitDays, closed);
  const weighed = card ? (input.weighed[card.weighing] as Weighed) : weigh(shipment.parcels, service.weighing);
  // A break for the heaviest parcel covers all parcels.
  const isPriced = zone?.weightMax !== undefined && weighed.heaviest <= zone.weightMax;
  const against: Reason[] = [];
  addLimits(against, service, input, despatchDay);
  if (card === undefined) against.push(reasons.noCard(despatchDay));
  else if (zone === undefined) against.push(reasons.noZone(shipment.country, shipment.zip));
  else if (!isPriced) against.push(reasons.noBreak(zone.name, weighed.heaviest, zone.weightMax));
  if (card && input.exchanges[card.currencyPlace] === undefined) {
    against.push(reasons.noExchange(card.currency, input.rankingCurrency, input.today));
  }
  const { deliverBy } = shipment;
  if (deliverBy !== undefined && zone !== undefined && (deliveryDay === undefined || deliveryDay > deliverBy)) {
    against.push(reasons.tooSlow(deliveryDay, deliverBy));
  }
  // Written out: merging objects would take a tenth of the time of a decision.
  return {
    service,
    despatchDay,
    deliveryDay,
    card,
    zone,
    weighed,
    isPriced,
    reasons: against,
    price: undefined,
    preference: 0,
    rank: 0,
    secondRank: 0,
    isStopped: false,
  };
}

/** @param ruleId of the rule that set the level; undefined: it is as requested. */
export function levelReasonsOf(
  serviceLevel: ServiceLevel | undefined,
  ruleId: string | undefined,
): ReadonlyMap<ServiceLevel, Reason> | undefined {
  if (serviceLevel === undefined) return undefined;
  const others = serviceLevels.filter((level) => level !== serviceLevel);
  return new Map(others.map((level) => [level, reasons.serviceLevel(level, serviceLevel, ruleId)]));
}

/** By index of the currency. */
export function greatestValuesOf(
  { parcels }: Shipment,
  currencies: readonly string[],
  rates: ExchangeRates,
  day: number,
): readonly number[] {
  return currencies.map((currency) =>
    parcels.reduce((greatest, { declaredValue }) => {
      if (declaredValue === undefined) return greatest;
      return Math.max(greatest, rates.convert(declaredValue, currency, day) ?? Number.NaN);
    }, 0),
  );
}

function cardOn(cards: readonly CountryCard[], day: number): CountryCard | undefined {
  for (const card of cards) if (card.card.validFrom <= day && day <= card.card.validTo) return card;
  return undefined;
}

/** Adds the limits of the service that the shipment exceeds, and the requests that it does not meet. */
function addLimits(
  found: Reason[],
  service: CompiledService,
  input: DecisionInput,
  despatchDay: number | undefined,
): void {
  const { shipment, levelReasons, carrierCode } = input;
  const { activeFrom, activeTo, countries } = service;
  if (despatchDay === undefined) found.push(reasons.notCollected(shipment.facility.facilityCode));
  else if (despatchDay < activeFrom || despatchDay > activeTo) {
    found.push(reasons.inactive(despatchDay, activeFrom, activeTo));
  }
  if (countries !== undefined && !countries.has(shipment.country)) found.push(reasons.country(shipment.country));
  if (shipment.heaviest > service.weightMax) found.push(reasons.overWeight(shipment.heaviest, service.weightMax));
  if (shipment.longestSide > service.longestSideMax) {
    found.push(reasons.overSize(shipment.longestSide, service.longestSideMax));
  }
  // Of all values, the greatest decides; only a service that it exceeds looks at each.
  if (service.valueMax && !((input.greatestValues[service.valueCurrency] as number) <= service.valueMax.value)) {
    addValue(found, service.valueMax, input);
  }
  if (shipment.isHazmat && !service.takesHazmat) found.push(reasons.hazmat);
  if (shipment.isBulky && !service.takesBulky) found.push(reasons.bulky);
  if (shipment.signatureRequired && !service.obtainsSignature) found.push(reasons.signature);
  const ofLevel = levelReasons?.get(service.serviceLevel);
  if (ofLevel !== undefined) found.push(ofLevel);
  const { requestedServiceCode } = shipment;
  if (requestedServiceCode !== undefined && service.code !== requestedServiceCode) {
    found.push(reasons.service(service.code, requestedServiceCode));
  }
  if (carrierCode !== undefined && service.carrierCode !== carrierCode) {
    found.push(reasons.carrier(service.carrierCode, carrierCode));
  }
}

/**
 * Checks each parcel in the currency of the limit. It reports the first parcel above the limit and the first without a
 * rate.
 */
function addValue(found: Reason[], max: Amount, { shipment, rates, today: day }: DecisionInput): void {
  let isOver = false;
  let isUnknown = false;
  for (const { declaredValue } of shipment.parcels) {
    if (declaredValue === undefined) continue;
    const value = rates.convert(declaredValue, max.currency, day);
    if (value === undefined) {
      if (!isUnknown) found.push(reasons.noExchange(declaredValue.currency, max.currency, day));
      isUnknown = true;
    } else if (value > max.value) {
      if (!isOver) found.push(reasons.overValue(declaredValue, max));
      isOver = true;
    }
  }
}

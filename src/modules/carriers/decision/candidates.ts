// Checks each service for a shipment: when it leaves and arrives, its zone and breaks, and why it does not fit.
import { deliveryDayOf } from "#/modules/carriers/decision/calendar.ts";
import type { CountryCard, CountryIndex, FacilityIndex } from "#/modules/carriers/decision/compile.ts";
import type { CompiledCard, CompiledService, CompiledZone } from "#/modules/carriers/decision/compile-services.ts";
import type { Amount, ExchangeRates } from "#/modules/carriers/decision/money.ts";
import { chargeableWeightOf, type Price } from "#/modules/carriers/decision/price.ts";
import { type Reason, reasons } from "#/modules/carriers/decision/reasons.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";

export interface Candidate {
  readonly service: CompiledService;
  readonly despatchDay: number | undefined;
  readonly deliveryDay: number | undefined;
  readonly transitDays: number | undefined;
  readonly card: CompiledCard | undefined;
  readonly zone: CompiledZone | undefined;
  /** Chargeable grams, by parcel. */
  readonly weights: readonly number[];
  readonly chargeableWeight: number;
  /** True if every parcel has a break, so that there is a price. */
  readonly isPriced: boolean;
  readonly reasons: Reason[];
  price: Price | undefined;
  /** The preference of rules in ten-thousandths of the ranking currency; a negative value is a discount. */
  preference: number;
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
  /** As requested, or as rules have set it, and the rule that set it. */
  readonly serviceLevel: string | undefined;
  readonly levelRuleId: string | undefined;
  readonly carrierCode: string | undefined;
}

export function evaluateCandidate(service: CompiledService, input: DecisionInput): Candidate {
  const { shipment, closed, rates, rankingCurrency, today } = input;
  const despatchDay = input.despatchDays[input.facility.planByService[service.index] ?? -1];
  const found = despatchDay === undefined ? undefined : cardOn(input.country.cards[service.index] ?? [], despatchDay);
  const card = found?.card;
  const zone = found?.zones[input.entries[found.layout] ?? -1];
  const transitDays = zone?.transitDays;
  const deliveryDay =
    despatchDay === undefined || transitDays === undefined
      ? undefined
      : deliveryDayOf(service.deliveryDays, { despatchDay, transitDays, closed });
  const weights: number[] = [];
  let chargeableWeight = 0;
  let heaviest = 0;
  for (const parcel of shipment.parcels) {
    const weight = chargeableWeightOf(parcel, service.divisor, card?.step ?? 1);
    weights.push(weight);
    chargeableWeight += weight;
    if (weight > heaviest) heaviest = weight;
  }
  // A break for the heaviest parcel covers all parcels.
  const isPriced = zone?.weightMax !== undefined && heaviest <= zone.weightMax;
  const against: Reason[] = [];
  addLimits(against, service, input, despatchDay);
  if (card === undefined) against.push(reasons.noCard(despatchDay));
  else if (zone === undefined) against.push(reasons.noZone(shipment.country, shipment.zip));
  else if (!isPriced) against.push(reasons.noBreak(zone.name, heaviest, zone.weightMax));
  if (card && !isExchanged(rates, card.currency, rankingCurrency, today)) {
    against.push(reasons.noExchange(card.currency, rankingCurrency, today));
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
    transitDays,
    card,
    zone,
    weights,
    chargeableWeight,
    isPriced,
    reasons: against,
    price: undefined,
    preference: 0,
    isStopped: false,
  };
}

function isExchanged(rates: ExchangeRates, from: string, to: string, day: number): boolean {
  return from === to || rates.convert({ value: 0, currency: from }, to, day) !== undefined;
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
  const { shipment, serviceLevel, levelRuleId, carrierCode } = input;
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
  if (service.valueMax) addValue(found, service.valueMax, input);
  if (shipment.isHazmat && !service.takesHazmat) found.push(reasons.hazmat);
  if (shipment.isBulky && !service.takesBulky) found.push(reasons.bulky);
  if (shipment.signatureRequired && !service.obtainsSignature) found.push(reasons.signature);
  if (serviceLevel !== undefined && service.serviceLevel !== serviceLevel) {
    found.push(reasons.serviceLevel(service.serviceLevel, serviceLevel, levelRuleId));
  }
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

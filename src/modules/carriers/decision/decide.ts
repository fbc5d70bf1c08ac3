import { weekdays } from "#/kernel/values/working-calendar.ts";
import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import { type Departure, despatchDayOf } from "#/modules/carriers/decision/calendar.ts";
import {
  type Candidate,
  type DecisionInput,
  evaluateCandidate,
  greatestValuesOf,
  levelReasonsOf,
} from "#/modules/carriers/decision/candidates.ts";
import { type CompiledCarrierData, resolveCarrierCode } from "#/modules/carriers/decision/compile.ts";
import type { CompiledRule, CountryRules } from "#/modules/carriers/decision/compile-rules.ts";
import { type CompiledCard, surchargeBits } from "#/modules/carriers/decision/compile-services.ts";
import { type Duty, dutiesOf, dutyOf } from "#/modules/carriers/decision/duty.ts";
import type { Facts } from "#/modules/carriers/decision/fields.ts";
import { type LiveRate, livePriceOf } from "#/modules/carriers/decision/live-rates.ts";
import { dayText, localMomentOf, momentText, weekdayOf } from "#/modules/carriers/decision/local-time.ts";
import { exchanged, moneyOf } from "#/modules/carriers/decision/money.ts";
import { type Price, type PriceOrigin, priceOf, surchargeFlagsOf, weigh } from "#/modules/carriers/decision/price.ts";
import { type Reason, reasons } from "#/modules/carriers/decision/reasons.ts";
import { nextPlace } from "#/modules/carriers/decision/rule-index.ts";
import type { Shipment, Strategy } from "#/modules/carriers/decision/shipment.ts";
import { findEntry } from "#/modules/carriers/decision/zones.ts";

/** The answer (carriers.md, Answer) without the `decisionId`, which is assigned when the decision is stored. */
export interface Decision {
  /** ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly chosen: Choice | null;
  /** The other fitting candidates, in order of rank. */
  readonly alternatives: readonly Choice[];
  /** By service code. */
  readonly rejected: readonly Rejection[];
  /** Ids of the rules that held for the shipment or a candidate, in order. */
  readonly rulesApplied: readonly string[];
  readonly dataVersion: number;
  /** The flat duty of the European Union; left out: it does not apply, or the value of the goods is not known. */
  readonly duty?: Duty | undefined;
}

export interface Choice {
  readonly carrierCode: string;
  /** Null: the requested carrier is unknown to the data; then price, zone and delivery are missing, too. */
  readonly serviceCode: string | null;
  readonly price: ChoicePrice | null;
  readonly chargeableWeight: { readonly value: number; readonly uom: "KG" };
  readonly zone: string | null;
  /** `YYYY-MM-DD`. */
  readonly despatchDate: string | null;
  readonly estimatedDelivery: string | null;
}

/** Base and surcharges add up to the total. */
interface ChoicePrice {
  readonly base: Money;
  /** The surcharges that apply to a parcel, in the order of the card. */
  readonly surcharges: readonly { readonly code: string; readonly amount: Money }[];
  readonly total: Money;
  /** A live rate of a label source; left out: the price is that of the matrix. */
  readonly live?: PriceOrigin | undefined;
}

interface Rejection {
  readonly serviceCode: string;
  readonly carrierCode: string;
  readonly reasons: readonly Reason[];
}

/**
 * Chooses the carrier service for a shipment (contract carriers.md). Pure: the same shipment, data and moment give the
 * same decision, whatever the machine's clock, time zone and language.
 *
 * @param atMs the moment, in milliseconds since 1970-01-01T00:00:00Z.
 * @param rates live rates from the facility to the place of the shipment.
 */
export function decide(
  data: CompiledCarrierData,
  shipment: Shipment,
  atMs: number,
  rates: readonly LiveRate[] = [],
): Decision {
  const { facility, shipDate } = shipment;
  const { holidays, rates: exchangeRates, rankingCurrency } = data;
  const local = localMomentOf(facility.timezone, atMs);
  const departure: Departure = { facility, atMs, local, shipDate, holidays };
  const facts = factsOf(data, shipment, local);
  const country = data.forCountry(shipment.country);
  const facilityIndex = data.forFacility(facility.facilityCode);
  const rules = selectRules(country.rules, facts);
  const { requestedCarrierCode } = shipment;
  const carrierCode = requestedCarrierCode === undefined ? undefined : resolveCarrierCode(data, requestedCarrierCode);
  const input: DecisionInput = {
    shipment,
    country,
    facility: facilityIndex,
    today: local.day,
    rates: exchangeRates,
    rankingCurrency,
    carrierCode,
    levelReasons: levelReasonsOf(rules.serviceLevel, rules.levelRuleId),
    weighed: data.weighings.map((weighing) => weigh(shipment.parcels, weighing)),
    exchanges: data.currencies.map((currency) => exchangeRates.exchange(currency, rankingCurrency, local.day)),
    greatestValues: greatestValuesOf(shipment, data.currencies, exchangeRates, local.day),
    entries: country.layouts.map((layout) => findEntry(layout, shipment.zip)),
    despatchDays: facilityIndex.plans.map((plan) => despatchDayOf(plan, departure)),
    closed: holidays.get(shipment.country),
  };
  const candidates = data.services.map((service) => evaluateCandidate(service, input));
  const flags = surchargeFlagsOf(shipment);
  const duty = dutyOf(shipment, exchangeRates, local.day);
  const pricing: Pricing = { rates, atMs, duties: dutiesOf(duty, data.currencies, exchangeRates, local.day) };
  // The price of a candidate that is already rejected is calculated only if a rule reads prices.
  for (const candidate of candidates) {
    if (rules.readsPrice || isFitting(candidate)) setPrice(candidate, shipment, flags, pricing);
  }
  const rulesApplied = applyRules(rules, candidates, facts, rankingCurrency);
  const fitting: Candidate[] = [];
  const rejected: Rejection[] = [];
  for (const candidate of candidates) {
    if (isFitting(candidate)) fitting.push(candidate);
    else rejected.push(rejectionOf(candidate));
  }
  const isGiven = carrierCode !== undefined && !data.carrierCodes.has(carrierCode);
  const choices = isGiven
    ? [givenChoice(carrierCode, shipment, departure)]
    : rank(fitting, shipment.strategy, data, input).map(choiceOf);
  return {
    decidedAt: momentText(atMs),
    chosen: choices[0] ?? null,
    alternatives: choices.slice(1),
    rejected,
    rulesApplied,
    dataVersion: data.version,
    ...(duty ? { duty } : {}),
  };
}

function factsOf(data: CompiledCarrierData, shipment: Shipment, local: { day: number; hour: number }): Facts {
  return {
    shipment,
    rates: data.rates,
    day: local.day,
    hour: local.hour,
    weekday: weekdays[weekdayOf(local.day)] as string,
    serviceLevel: shipment.serviceLevel as ServiceLevel | undefined,
    service: undefined,
    chargeableWeight: 0,
    zone: undefined,
    transitDays: undefined,
    price: undefined,
  };
}

const saturday = 5;

interface Pricing {
  readonly rates: readonly LiveRate[];
  readonly atMs: number;
  /** The duty that the sender pays, by index of the currency. */
  readonly duties: readonly (number | undefined)[];
}

function setPrice(candidate: Candidate, shipment: Shipment, flags: number, pricing: Pricing): void {
  const price = priceOfCandidate(candidate, shipment, flags, pricing);
  const duty = price && candidate.card && pricing.duties[candidate.card.currencyPlace];
  candidate.price = duty ? { ...price, duty, total: price.total + duty } : price;
}

function priceOfCandidate(
  candidate: Candidate,
  { parcels }: Shipment,
  flags: number,
  { rates, atMs }: Pricing,
): Price | undefined {
  const { service, card, zone, isPriced, weighed, deliveryDay } = candidate;
  if (!card || !zone || !isPriced) return undefined;
  const live =
    rates.length > 0 && parcels.length === 1 ? livePriceOf(rates, service, card, weighed.total, atMs) : undefined;
  if (live) return live;
  const remote = zone.isRemote ? surchargeBits.remote : 0;
  const onSaturday = deliveryDay !== undefined && weekdayOf(deliveryDay) === saturday ? surchargeBits.saturday : 0;
  return priceOf(card, zone.breaks, parcels, weighed.weights, flags | remote | onSaturday);
}

function isFitting({ reasons }: Candidate): boolean {
  return reasons.length === 0;
}

function rejectionOf({ service, reasons }: Candidate): Rejection {
  return { serviceCode: service.code, carrierCode: service.carrierCode, reasons };
}

function choiceOf(candidate: Candidate): Choice {
  const { service, price, card, zone, weighed, despatchDay, deliveryDay } = candidate;
  return {
    carrierCode: service.carrierCode,
    serviceCode: service.code,
    price: card && price ? choicePriceOf(card, price) : null,
    chargeableWeight: { value: weighed.total / 1_000, uom: "KG" },
    zone: zone?.name ?? null,
    despatchDate: despatchDay === undefined ? null : dayText(despatchDay),
    estimatedDelivery: deliveryDay === undefined ? null : dayText(deliveryDay),
  };
}

function choicePriceOf({ currency, surcharges }: CompiledCard, price: Price): ChoicePrice {
  const added: ChoicePrice["surcharges"][number][] = [];
  for (let i = 0; i < surcharges.length; i++) {
    const amount = price.surcharges[i];
    const surcharge = surcharges[i];
    if (surcharge && amount !== undefined) added.push({ code: surcharge.code, amount: moneyOf(amount, currency) });
  }
  const { base, duty, total, live } = price;
  if (duty !== undefined) added.push({ code: "DUTY", amount: moneyOf(duty, currency) });
  const sums = { base: moneyOf(base, currency), surcharges: added, total: moneyOf(total, currency) };
  return live ? { ...sums, live } : sums;
}

const anyService = { days: undefined, cutOff: undefined };

/** The choice for an unknown carrier: only the day of despatch is known. */
function givenChoice(carrierCode: string, shipment: Shipment, departure: Departure): Choice {
  const despatchDay = despatchDayOf(anyService, departure);
  return {
    carrierCode,
    serviceCode: null,
    price: null,
    chargeableWeight: { value: shipment.weight / 1_000, uom: "KG" },
    zone: null,
    despatchDate: despatchDay === undefined ? null : dayText(despatchDay),
    estimatedDelivery: null,
  };
}

// Ranks the fitting candidates, best first.

/**
 * CHEAPEST ranks by cost: the price in the ranking currency plus the preference of rules. FASTEST ranks by day of
 * delivery, then cost. BALANCED ranks by cost plus an amount for each day until delivery; an unknown day ranks last.
 * Ties break by service code.
 */
function rank(
  fitting: readonly Candidate[],
  strategy: Strategy,
  { costPerDay }: Pick<CompiledCarrierData, "costPerDay">,
  { exchanges, today }: Pick<DecisionInput, "exchanges" | "today">,
): readonly Candidate[] {
  for (const candidate of fitting) {
    const { card, price, preference, deliveryDay = Number.POSITIVE_INFINITY } = candidate;
    const exchange = card && exchanges[card.currencyPlace];
    const cost = (exchange && price ? exchanged(price.total, exchange) : Number.POSITIVE_INFINITY) + preference;
    const isUndated = deliveryDay === Number.POSITIVE_INFINITY;
    if (strategy === "CHEAPEST") candidate.rank = cost;
    else if (strategy === "FASTEST" || isUndated) [candidate.rank, candidate.secondRank] = [deliveryDay, cost];
    else candidate.rank = cost + costPerDay * (deliveryDay - today);
  }
  return fitting.toSorted(compareRanks);
}

function compareRanks(left: Candidate, right: Candidate): number {
  if (left.rank !== right.rank) return left.rank < right.rank ? -1 : 1;
  if (left.secondRank !== right.secondRank) return left.secondRank < right.secondRank ? -1 : 1;
  return left.service.index - right.service.index;
}

// Applies rules to a shipment and its candidates, in order of priority.

interface ActiveRules {
  /** In order of application. */
  readonly active: readonly CompiledRule[];
  readonly serviceLevel: ServiceLevel | undefined;
  /** The rule that set the level. */
  readonly levelRuleId: string | undefined;
  readonly readsPrice: boolean;
}

/**
 * The rules that can have an effect on the shipment. Rules without a candidate condition have already set the level. A
 * stopping rule has excluded all rules after it.
 */
function selectRules({ rules, index }: CountryRules, facts: Facts): ActiveRules {
  const active: CompiledRule[] = [];
  let levelRuleId: string | undefined;
  let readsPrice = false;
  const found = index.find(facts);
  for (let place = nextPlace(found, 0); place >= 0; place = nextPlace(found, place + 1)) {
    const rule = rules[place] as CompiledRule;
    if (facts.day < rule.validFrom || facts.day > rule.validTo || !rule.ofShipment(facts)) continue;
    active.push(rule);
    readsPrice ||= rule.readsPrice;
    if (setLevel(rule, facts)) levelRuleId = rule.ruleId;
    if (rule.isOfShipment && rule.effect.isStop) break;
  }
  return { active, serviceLevel: facts.serviceLevel, levelRuleId, readsPrice };
}

/** Only a rule of the shipment sets its level: later rules read it. */
function setLevel({ isOfShipment, effect }: CompiledRule, facts: Facts): boolean {
  if (!isOfShipment || effect.serviceLevel === undefined) return false;
  facts.serviceLevel = effect.serviceLevel;
  return true;
}

/**
 * Applies the rules to each candidate.
 * @param candidates by index of their service.
 * @returns the rules that applied to a candidate or to the shipment, in order.
 */
function applyRules(
  { active }: ActiveRules,
  candidates: readonly Candidate[],
  facts: Facts,
  rankingCurrency: string,
): readonly string[] {
  const applied: string[] = [];
  // Again as requested: each rule reads the level at its turn.
  facts.serviceLevel = facts.shipment.serviceLevel;
  for (const rule of active) {
    let isApplied = rule.isOfShipment;
    for (const place of rule.services) {
      const candidate = candidates[place];
      if (candidate === undefined || candidate.isStopped) continue;
      if (rule.ofCandidate && !rule.ofCandidate(look(facts, candidate))) continue;
      isApplied = true;
      applyRule(rule, candidate, facts, rankingCurrency);
    }
    if (isApplied) applied.push(rule.ruleId);
    setLevel(rule, facts);
  }
  return applied;
}

/** The facts with this candidate. */
function look(facts: Facts, candidate: Candidate): Facts {
  facts.service = candidate.service;
  facts.chargeableWeight = candidate.weighed.total;
  facts.zone = candidate.zone?.name;
  facts.transitDays = candidate.zone?.transitDays;
  const { card, price } = candidate;
  facts.price = card && price && { value: price.total, currency: card.currency };
  return facts;
}

function applyRule(
  { ruleId, effect, isOfShipment, exclusions }: CompiledRule,
  candidate: Candidate,
  facts: Facts,
  rankingCurrency: string,
): void {
  const { index, code, carrierCode } = candidate.service;
  const { services, carriers, prefer, reason } = effect;
  if (effect.isExcluded) {
    // The same in every decision, so it is worded once.
    exclusions[index] ??= reasons.rule(ruleId, reason ?? `rule ${ruleId} excludes ${code}`);
    candidate.reasons.push(exclusions[index]);
  }
  if (services && !services.includes(code)) {
    const text = `rule ${ruleId} requires service ${services.join(" or ")}, it is ${code}`;
    candidate.reasons.push(reasons.rule(ruleId, reason ?? text));
  }
  if (carriers && !carriers.includes(carrierCode)) {
    const text = `rule ${ruleId} requires carrier ${carriers.join(" or ")}, it is ${carrierCode}`;
    candidate.reasons.push(reasons.rule(ruleId, reason ?? text));
  }
  if (prefer) {
    const value = facts.rates.convert(prefer, rankingCurrency, facts.day);
    if (value === undefined) {
      candidate.reasons.push(reasons.noExchange(prefer.currency, rankingCurrency, facts.day, ruleId));
    } else candidate.preference += value;
  }
  // A stopping rule of the shipment has already excluded the rules after it.
  if (effect.isStop && !isOfShipment) candidate.isStopped = true;
}

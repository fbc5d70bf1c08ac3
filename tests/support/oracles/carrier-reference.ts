/**
 * Reference implementation of carrier determination, slow and independent: BigInt fractions, full scans of every list,
 * calendars by date strings, and clocks by Intl. It follows carriers.md and docs/decisions/0020, not the code.
 */
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { Rule } from "#/modules/carriers/data/rule-contract.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import { holds, namesCandidate } from "./carrier-reference/conditions.ts";
import { despatchOf, evaluate } from "./carrier-reference/evaluate.ts";
import {
  exact,
  type Fraction,
  isLess,
  isSame,
  plus,
  sumOf,
  times,
  toNumber,
  upTo,
  zero,
} from "./carrier-reference/fractions.ts";
import { clockOf, daysBetween, plainZip } from "./carrier-reference/places.ts";
import { convert, type Evaluated, type Reason, rankingCurrencyOf, type World } from "./carrier-reference/world.ts";

const kilograms: Readonly<Record<string, string>> = { KG: "1", G: "0.001", LB: "0.45359237", OZ: "0.028349523125" };
const centimetres: Readonly<Record<string, string>> = { CM: "1", MM: "0.1", M: "100", IN: "2.54", FT: "30.48" };

export interface ReferenceDecision {
  readonly choices: readonly object[];
  readonly rejected: readonly { readonly serviceCode: string; readonly reasons: readonly Reason[] }[];
  readonly rulesApplied: readonly string[];
}

export function referenceDecision(
  data: CarrierData,
  request: DeterminationRequest,
  facility: ShippingFacility,
  atMs: number,
): ReferenceDecision {
  const { day: today, time } = clockOf(facility.timezone, atMs);
  const parcels = request.parcels.map(
    ({ weight, weightUomCode = "KG", dimensionsUomCode = "CM", length, width, height, declaredValue }) => ({
      weight: upTo(times(exact(weight), exact(kilograms[weightUomCode] as string)), exact("0.001")),
      sides: [length, width, height].flatMap((side) =>
        side === undefined
          ? []
          : [upTo(times(exact(side), exact(centimetres[dimensionsUomCode] as string)), exact("0.001"))],
      ),
      declared: declaredValue,
    }),
  );
  const zip = plainZip(request.shipTo.zip ?? "", request.shipTo.country);
  const world: World = { data, request, facility, today, time, parcels, zip, level: request.serviceLevel };
  const rules = (data.rules ?? [])
    .map((rule, i) => ({ rule, i }))
    .sort((left, right) => left.rule.priority - right.rule.priority || left.i - right.i)
    .map(({ rule }) => rule)
    .filter(({ validFrom = "", validTo = "9999" }) => validFrom <= today && today <= validTo);
  const turns: { readonly rule: Rule; readonly level: string | undefined }[] = [];
  let levelRuleId: string | undefined;
  for (const rule of rules) {
    const level = world.level;
    if (namesCandidate(rule)) {
      turns.push({ rule, level });
      continue;
    }
    if (!holds(world, rule.when, undefined)) continue;
    turns.push({ rule, level });
    if (rule.then.setServiceLevel !== undefined) [world.level, levelRuleId] = [rule.then.setServiceLevel, rule.ruleId];
    if (rule.then.stop) break;
  }
  const requestedCode = request.requestedCarrierCode;
  const isKnown = (code: string) => data.services.some(({ carrierCode }) => carrierCode === code);
  const alias = Object.entries(data.mapping?.carrierCodes ?? {}).find(
    ([name]) => name.toUpperCase() === requestedCode?.toUpperCase(),
  )?.[1];
  const carrier = requestedCode === undefined || isKnown(requestedCode) ? requestedCode : (alias ?? requestedCode);
  const evaluated = data.services
    .toSorted((left, right) => (left.code < right.code ? -1 : 1))
    .map((service) => evaluate(world, service, carrier, levelRuleId));
  const applied = new Set<string>();
  const ranking = rankingCurrencyOf(data);
  for (const candidate of evaluated) {
    for (const { rule, level } of turns) {
      if (candidate.isStopped) break;
      if (namesCandidate(rule) && !holds({ ...world, level }, rule.when, candidate)) continue;
      if (namesCandidate(rule)) applied.add(rule.ruleId);
      const { exclude, requireService, requireCarrier, prefer, stop } = rule.then;
      const because = { code: "RULE", ruleId: rule.ruleId };
      if (exclude) candidate.reasons.push(because);
      if (requireService !== undefined && ![requireService].flat().includes(candidate.service.code))
        candidate.reasons.push(because);
      if (requireCarrier !== undefined && ![requireCarrier].flat().includes(candidate.service.carrierCode))
        candidate.reasons.push(because);
      if (prefer) {
        const amount = convert(world, exact(prefer.amount), prefer.currency ?? ranking, ranking);
        if (amount) candidate.preference = plus(candidate.preference, amount);
        else candidate.reasons.push({ code: "CURRENCY", ruleId: rule.ruleId });
      }
      if (stop && namesCandidate(rule)) candidate.isStopped = true;
    }
  }
  for (const { rule } of turns) if (!namesCandidate(rule)) applied.add(rule.ruleId);
  const fitting = evaluated.filter(({ reasons }) => reasons.length === 0);
  const ranked = rankedOf(world, fitting).map((candidate) => choiceOf(candidate));
  const choice = {
    carrierCode: carrier,
    serviceCode: null,
    price: null,
    zone: null,
    estimatedDelivery: null,
    chargeableWeight: { value: toNumber(sumOf(parcels.map(({ weight }) => weight))), uom: "KG" },
    despatchDate: despatchOf(world, undefined, undefined) ?? null,
  };
  return {
    choices: carrier !== undefined && !isKnown(carrier) ? [choice] : ranked,
    rejected: evaluated
      .filter(({ reasons }) => reasons.length > 0)
      .map(({ service, reasons }) => ({ serviceCode: service.code, reasons })),
    rulesApplied: turns.map(({ rule }) => rule.ruleId).filter((ruleId) => applied.has(ruleId)),
  };
}

/** Selects the best remaining service repeatedly. */
function rankedOf(world: World, fitting: readonly Evaluated[]): readonly Evaluated[] {
  const { data, request, today } = world;
  const ranking = rankingCurrencyOf(data);
  const costOf = ({ price, card, preference }: Evaluated): Fraction =>
    plus(convert(world, price?.total ?? zero, card?.currency ?? "", ranking) ?? zero, preference);
  const perDay = exact(data.settings?.balancedCostPerDay ?? 1);
  const balanced = (candidate: Evaluated) =>
    plus(costOf(candidate), times(perDay, exact(daysBetween(today, candidate.delivery ?? today))));
  const isBetter = (candidate: Evaluated, other: Evaluated): boolean => {
    const strategy = request.strategy ?? "CHEAPEST";
    if (strategy !== "CHEAPEST" && (candidate.delivery === undefined) !== (other.delivery === undefined))
      return candidate.delivery !== undefined;
    const isDated = candidate.delivery !== undefined && other.delivery !== undefined;
    if (strategy === "FASTEST" && isDated && candidate.delivery !== other.delivery)
      return candidate.delivery < (other.delivery as string);
    const [mine, theirs] =
      strategy === "BALANCED" && isDated ? [balanced(candidate), balanced(other)] : [costOf(candidate), costOf(other)];
    return isSame(mine, theirs) ? candidate.service.code < other.service.code : isLess(mine, theirs);
  };
  const left = new Set(fitting);
  const order: Evaluated[] = [];
  while (left.size > 0) {
    const best = [...left].reduce((candidate, other) => (isBetter(other, candidate) ? other : candidate));
    order.push(best);
    left.delete(best);
  }
  return order;
}

function choiceOf({ service, card, price, zone, chargeable, despatch, delivery }: Evaluated): object {
  const money = (amount: Fraction) => ({ amount: toNumber(amount), currency: card?.currency });
  return {
    carrierCode: service.carrierCode,
    serviceCode: service.code,
    zone: zone?.zone,
    price: price && {
      base: money(price.base),
      surcharges: price.surcharges.map(({ code, amount }) => ({ code, amount: money(amount) })),
      total: money(price.total),
    },
    chargeableWeight: { value: toNumber(sumOf(chargeable)), uom: "KG" },
    despatchDate: despatch ?? null,
    estimatedDelivery: delivery ?? null,
  };
}

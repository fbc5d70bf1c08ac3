// Applies rules to a shipment and its candidates, in order of priority.

import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Candidate } from "#/modules/carriers/decision/candidates.ts";
import type { CompiledRule, CountryRules } from "#/modules/carriers/decision/compile-rules.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";
import { reasons } from "#/modules/carriers/decision/reasons.ts";
import { nextPlace } from "#/modules/carriers/decision/rule-index.ts";

export interface ActiveRules {
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
export function selectRules({ rules, index }: CountryRules, facts: Facts): ActiveRules {
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
export function applyRules(
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

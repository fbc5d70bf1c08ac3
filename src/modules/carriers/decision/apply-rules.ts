// Rules as they work on a shipment and its candidates, in the order of their priority.

import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Candidate } from "#/modules/carriers/decision/candidates.ts";
import type { CountryIndex } from "#/modules/carriers/decision/compile.ts";
import type { CompiledRule } from "#/modules/carriers/decision/compile-rules.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";
import { reasons } from "#/modules/carriers/decision/reasons.ts";

export interface ActiveRule {
  readonly rule: CompiledRule;
  /** The service level that stood at its turn: its condition may read it. */
  readonly serviceLevel: ServiceLevel | undefined;
}

export interface ActiveRules {
  readonly active: readonly ActiveRule[];
  readonly serviceLevel: ServiceLevel | undefined;
  /** The rule that has set the level. */
  readonly levelRuleId: string | undefined;
  readonly readsPrice: boolean;
}

/**
 * The rules that can have an effect, as far as the shipment tells: those that name no candidate have set the level, and
 * one that stops has kept out all after it.
 */
export function selectRules({ rules, gateByRule, gates }: CountryIndex, facts: Facts): ActiveRules {
  const active: ActiveRule[] = [];
  let levelRuleId: string | undefined;
  let readsPrice = false;
  /** What is known of the gates: 1 open, 2 closed. */
  const known = new Uint8Array(gates.length);
  const isClosed = (gate: number): boolean => {
    if (known[gate] === 0) known[gate] = gates[gate]?.(facts) ? 1 : 2;
    return known[gate] === 2;
  };
  for (let i = 0; i < gateByRule.length; i++) {
    const gate = gateByRule[i] as number;
    if (gate >= 0 && isClosed(gate)) continue;
    const rule = rules[i] as CompiledRule;
    if (facts.day < rule.validFrom || facts.day > rule.validTo || !rule.ofShipment(facts)) continue;
    active.push({ rule, serviceLevel: facts.serviceLevel });
    readsPrice ||= rule.readsPrice;
    if (!rule.isOfShipment) continue;
    if (rule.effect.serviceLevel !== undefined) {
      facts.serviceLevel = rule.effect.serviceLevel;
      levelRuleId = rule.ruleId;
    }
    if (rule.effect.isStop) break;
  }
  return { active, serviceLevel: facts.serviceLevel, levelRuleId, readsPrice };
}

/**
 * Gives each candidate what the rules say of it.
 * @param candidates by place of their service.
 * @returns the rules that have had a candidate, or the shipment, to say something of, in order.
 */
export function applyRules(
  { active }: ActiveRules,
  candidates: readonly Candidate[],
  facts: Facts,
  rankingCurrency: string,
): readonly string[] {
  const applied: string[] = [];
  for (const { rule, serviceLevel } of active) {
    let isApplied = rule.isOfShipment;
    facts.serviceLevel = serviceLevel;
    for (const place of rule.services) {
      const candidate = candidates[place];
      if (candidate === undefined || candidate.isStopped) continue;
      if (rule.ofCandidate && !rule.ofCandidate(look(facts, candidate))) continue;
      isApplied = true;
      applyRule(rule, candidate, facts, rankingCurrency);
    }
    if (isApplied) applied.push(rule.ruleId);
  }
  return applied;
}

/** The facts with this candidate in them. */
function look(facts: Facts, candidate: Candidate): Facts {
  facts.service = candidate.service;
  facts.chargeableWeight = candidate.chargeableWeight;
  facts.zone = candidate.zone?.name;
  facts.transitDays = candidate.transitDays;
  const { card, price } = candidate;
  facts.price = card && price && { value: price.total, currency: card.currency };
  return facts;
}

function applyRule(
  { ruleId, effect, isOfShipment }: CompiledRule,
  candidate: Candidate,
  facts: Facts,
  rankingCurrency: string,
): void {
  const { code, carrierCode } = candidate.service;
  const { services, carriers, prefer, reason } = effect;
  if (effect.isExcluded) candidate.reasons.push(reasons.rule(ruleId, reason ?? `rule ${ruleId} excludes ${code}`));
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
  // A rule of the shipment that stops has no rules after it to be kept out.
  if (effect.isStop && !isOfShipment) candidate.isStopped = true;
}

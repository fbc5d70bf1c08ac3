// Applies rules to a shipment and its candidates, in order of priority.

import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Candidate } from "#/modules/carriers/decision/candidates.ts";
import type { CountryIndex } from "#/modules/carriers/decision/compile.ts";
import type { CompiledRule } from "#/modules/carriers/decision/compile-rules.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";
import { reasons } from "#/modules/carriers/decision/reasons.ts";

export interface ActiveRule {
  readonly rule: CompiledRule;
  /** The service level at the rule's turn: its condition may read it. */
  readonly serviceLevel: ServiceLevel | undefined;
}

export interface ActiveRules {
  readonly active: readonly ActiveRule[];
  readonly serviceLevel: ServiceLevel | undefined;
  /** The rule that set the level. */
  readonly levelRuleId: string | undefined;
  readonly readsPrice: boolean;
}

/**
 * The rules that can have an effect on the shipment. Rules without a candidate condition have already set the level. A
 * stopping rule has excluded all rules after it.
 */
export function selectRules({ rules, gateByRule, gates }: CountryIndex, facts: Facts): ActiveRules {
  const active: ActiveRule[] = [];
  let levelRuleId: string | undefined;
  let readsPrice = false;
  /** The known states of the gates: 1 open, 2 closed. */
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

/** The facts with this candidate. */
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
  // A stopping rule of the shipment has already excluded the rules after it.
  if (effect.isStop && !isOfShipment) candidate.isStopped = true;
}

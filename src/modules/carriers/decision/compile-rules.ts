// Rules in order of application, each split into the conditions of the shipment and those of a candidate.
import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Condition, Rule } from "#/modules/carriers/data/rule-contract.ts";
import type { CompiledService } from "#/modules/carriers/decision/compile-services.ts";
import {
  compileAll,
  conjunctsOf,
  type Predicate,
  readsPrice,
  scopeOf,
} from "#/modules/carriers/decision/conditions.ts";
import { dayOf } from "#/modules/carriers/decision/days.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";
import { amountScale } from "#/modules/carriers/decision/money.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";

export interface CompiledRule {
  readonly ruleId: string;
  /** Days since 1970-01-01. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Countries of the rule; undefined: all. */
  readonly countries: ReadonlySet<string> | undefined;
  /** Index of the condition that it shares with other rules; it is evaluated once for all of them. -1: none. */
  readonly gate: number;
  /** The condition that is evaluated before any candidate. */
  readonly ofShipment: Predicate;
  /** Indexes of the services that the rule can concern, as far as they are known without a shipment. */
  readonly services: readonly number[];
  /** The remaining condition for such a candidate; undefined: none. */
  readonly ofCandidate: Predicate | undefined;
  /** True if the rule concerns the whole shipment: it names no candidate. */
  readonly isOfShipment: boolean;
  readonly readsPrice: boolean;
  readonly effect: CompiledEffect;
}

export interface CompiledRules {
  /** In order of application. */
  readonly rules: readonly CompiledRule[];
  /** Conditions that several rules share. */
  readonly gates: readonly Predicate[];
}

export interface CompiledEffect {
  readonly isExcluded: boolean;
  readonly reason: string | undefined;
  readonly services: readonly string[] | undefined;
  readonly carriers: readonly string[] | undefined;
  /** Ten-thousandths that are added to the ranking cost. */
  readonly prefer: { readonly value: number; readonly currency: string } | undefined;
  readonly serviceLevel: ServiceLevel | undefined;
  readonly isStop: boolean;
}

const none = Number.POSITIVE_INFINITY;

export function compileRules(
  rules: readonly Rule[],
  services: readonly CompiledService[],
  rankingCurrency: string,
): CompiledRules {
  const gates = new GateKeeper(rules);
  // Sorting is stable: rules of equal priority keep their order.
  const compiled = rules
    .toSorted((left, right) => left.priority - right.priority)
    .map((rule) => compileRule(rule, services, { rankingCurrency, gate: gates.gateOf(rule) }));
  return { rules: compiled, gates: gates.predicates };
}

/**
 * Finds conditions that rules share: none of a thousand rules for hazardous goods is evaluated for other goods. It
 * excludes conditions that read the service level, because rules change it.
 */
class GateKeeper {
  readonly predicates: Predicate[] = [];
  readonly #counts = new Map<string, number>();
  readonly #places = new Map<string, number>();

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      for (const { text } of candidatesOf(rule)) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
  }

  gateOf(rule: Rule): number {
    const countOf = ({ text }: { readonly text: string }) => this.#counts.get(text) ?? 0;
    const [best] = candidatesOf(rule).sort((left, right) => countOf(right) - countOf(left));
    if (best === undefined || countOf(best) < 2) return -1;
    const place = this.#places.get(best.text) ?? this.predicates.push(compileAll([best.condition])) - 1;
    this.#places.set(best.text, place);
    return place;
  }
}

function candidatesOf({ when }: Rule): { readonly condition: Condition; readonly text: string }[] {
  return conjunctsOf(when)
    .filter((condition) => scopeOf(condition) === "shipment")
    .map((condition) => ({ condition, text: JSON.stringify(condition) }))
    .filter(({ text }) => !text.includes("shipment.serviceLevel") && !text.includes("shipment.country"));
}

function compileRule(
  rule: Rule,
  services: readonly CompiledService[],
  { rankingCurrency, gate }: { readonly rankingCurrency: string; readonly gate: number },
): CompiledRule {
  const conjuncts = Map.groupBy(conjunctsOf(rule.when), scopeOf);
  const ofService = compileAll(conjuncts.get("service") ?? []);
  const ofCandidate = conjuncts.get("candidate");
  return {
    ruleId: rule.ruleId,
    gate,
    validFrom: rule.validFrom === undefined ? -none : dayOf(rule.validFrom),
    validTo: rule.validTo === undefined ? none : dayOf(rule.validTo),
    countries: countriesOf(conjuncts.get("shipment") ?? []),
    ofShipment: compileAll(conjuncts.get("shipment") ?? []),
    // Conditions of this scope read only the service.
    services: services.filter((service) => ofService({ service } as Facts)).map(({ index }) => index),
    ofCandidate: ofCandidate && compileAll(ofCandidate),
    isOfShipment: !conjuncts.has("service") && !ofCandidate,
    readsPrice: ofCandidate?.some(readsPrice) ?? false,
    effect: compileEffect(rule, rankingCurrency),
  };
}

function compileEffect({ then: effect }: Rule, rankingCurrency: string): CompiledEffect {
  const { prefer } = effect;
  return {
    isExcluded: effect.exclude ?? false,
    reason: effect.reason,
    services: effect.requireService === undefined ? undefined : [effect.requireService].flat(),
    carriers: effect.requireCarrier === undefined ? undefined : [effect.requireCarrier].flat(),
    prefer: prefer && { value: scaled(prefer.amount, amountScale), currency: prefer.currency ?? rankingCurrency },
    serviceLevel: effect.setServiceLevel,
    isStop: effect.stop ?? false,
  };
}

/** The countries of any one condition that names countries: they only serve to skip rules. */
function countriesOf(conditions: readonly Condition[]): ReadonlySet<string> | undefined {
  for (const condition of conditions) {
    if (!("field" in condition) || condition.field !== "shipment.country") continue;
    if (condition.op === "eq" || condition.op === "in") return new Set([condition.value].flat() as readonly string[]);
  }
  return undefined;
}

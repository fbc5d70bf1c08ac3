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
import type { Facts } from "#/modules/carriers/decision/fields.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { amountScale } from "#/modules/carriers/decision/money.ts";
import type { Reason } from "#/modules/carriers/decision/reasons.ts";
import { remembered } from "#/modules/carriers/decision/remembered.ts";
import { conditionIn, RuleIndex } from "#/modules/carriers/decision/rule-index.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";

export interface CompiledRule {
  readonly ruleId: string;
  /** Days since 1970-01-01. */
  readonly validFrom: number;
  readonly validTo: number;
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
  /** The reasons against the services that the rule has excluded so far, by index of the service. */
  readonly exclusions: Reason[];
}

/** The rules that can hold for shipments to a country. */
export interface CountryRules {
  /** In order of application. */
  readonly rules: readonly CompiledRule[];
  /** By place in that order. */
  readonly index: RuleIndex;
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

/** @returns the rules of a country, with the conditions that its name decides already decided. */
export function compileRules(
  rules: readonly Rule[],
  services: readonly CompiledService[],
  rankingCurrency: string,
): (country: string) => CountryRules {
  // Sorting is stable: rules of equal priority keep their order.
  const prepared = rules
    .toSorted((left, right) => left.priority - right.priority)
    .map((rule) => ({ rule, compiled: remembered((text) => compileRule(rule, text, services, rankingCurrency)) }));
  return (country) => {
    const open = prepared.flatMap(({ rule, compiled }) => {
      const condition = rule.when === undefined || conditionIn(country, rule.when);
      if (condition === false) return [];
      // Countries with the same condition share its compiled form.
      return [{ condition: condition === true ? undefined : condition, rule: compiled(JSON.stringify(condition)) }];
    });
    return {
      rules: open.map(({ rule }) => rule),
      index: new RuleIndex(open.map(({ condition }) => condition)),
    };
  };
}

/** @param text JSON of the condition in a country; `true`: none. */
function compileRule(
  rule: Rule,
  text: string,
  services: readonly CompiledService[],
  rankingCurrency: string,
): CompiledRule {
  const condition = JSON.parse(text) as Condition | true;
  const conjuncts = Map.groupBy(condition === true ? [] : conjunctsOf(condition), scopeOf);
  const ofService = compileAll(conjuncts.get("service") ?? []);
  const ofCandidate = conjuncts.get("candidate");
  return {
    ruleId: rule.ruleId,
    validFrom: rule.validFrom === undefined ? -none : dayOf(rule.validFrom),
    validTo: rule.validTo === undefined ? none : dayOf(rule.validTo),
    ofShipment: compileAll(conjuncts.get("shipment") ?? []),
    // Conditions of this scope read only the service.
    services: services.filter((service) => ofService({ service } as Facts)).map(({ index }) => index),
    ofCandidate: ofCandidate && compileAll(ofCandidate),
    // By the whole condition: a rule that names a candidate concerns candidates, whatever the country decides.
    isOfShipment: conjunctsOf(rule.when).every((conjunct) => scopeOf(conjunct) === "shipment"),
    readsPrice: ofCandidate?.some(readsPrice) ?? false,
    effect: compileEffect(rule, rankingCurrency),
    exclusions: [],
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

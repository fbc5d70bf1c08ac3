// Compiles conditions of rules to functions (contract carriers.md, Business rules).
import { assert } from "#/kernel/assert.ts";
import type { Comparison, ComparisonOp, Condition, Money, Scalar } from "#/modules/carriers/data/rule-contract.ts";
import { type Facts, type Field, type FieldScope, findField } from "#/modules/carriers/decision/fields.ts";
import { type Amount, amountOf, amountScale } from "#/modules/carriers/decision/money.ts";
import { remembered } from "#/modules/carriers/decision/remembered.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";
import { comparablePostcode, formOf } from "#/modules/carriers/decision/zones.ts";

export type Predicate = (facts: Facts) => boolean;

/** The conditions that must all hold, with `all` flattened. */
export function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return "all" in condition ? condition.all.flatMap(conjunctsOf) : [condition];
}

/** The earliest stage at which a condition can be evaluated: the latest stage of its fields. */
export function scopeOf(condition: Condition): FieldScope {
  const scopes = scopesOf(condition);
  if (scopes.has("candidate") || (scopes.has("service") && scopes.has("shipment"))) return "candidate";
  return scopes.has("service") ? "service" : "shipment";
}

function scopesOf(condition: Condition): ReadonlySet<FieldScope> {
  if ("all" in condition) return new Set(condition.all.flatMap((part) => [...scopesOf(part)]));
  if ("any" in condition) return new Set(condition.any.flatMap((part) => [...scopesOf(part)]));
  if ("not" in condition) return scopesOf(condition.not);
  return new Set([fieldOf(condition).scope]);
}

/** True if it reads the candidate's price, which may otherwise not be needed. */
export function readsPrice(condition: Condition): boolean {
  if ("all" in condition) return condition.all.some(readsPrice);
  if ("any" in condition) return condition.any.some(readsPrice);
  if ("not" in condition) return readsPrice(condition.not);
  return condition.field === "candidate.price";
}

export function compileAll(conditions: readonly Condition[]): Predicate {
  const parts = conditions.map(compileCondition);
  const [first, second] = parts;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (parts.length === 2) return (facts) => first(facts) && second(facts);
  return (facts) => {
    for (const part of parts) if (!part(facts)) return false;
    return true;
  };
}

export function compileCondition(condition: Condition): Predicate {
  if ("all" in condition) return compileAll(condition.all);
  if ("any" in condition) {
    const parts = condition.any.map(compileCondition);
    return (facts) => {
      for (const part of parts) if (part(facts)) return true;
      return false;
    };
  }
  if ("not" in condition) {
    const part = compileCondition(condition.not);
    return (facts) => !part(facts);
  }
  return compileComparison(condition);
}

export function fieldOf({ field: name }: Comparison): Field {
  const field = findField(name);
  assert(field, `rule with the unknown field ${name}`);
  return field;
}

/**
 * `ne` and `notIn` are true exactly if `eq` and `in` are false; every other comparison with a missing value is false.
 */
function compileComparison(comparison: Comparison): Predicate {
  const { op, value } = comparison;
  const field = fieldOf(comparison);
  const { read } = field;
  if (op === "exists") {
    const isWanted = value !== false;
    return (facts) => (read(facts) !== undefined) === isWanted;
  }
  if (op === "ne" || op === "notIn") {
    const opposite = compileComparison({ ...comparison, op: op === "ne" ? "eq" : "in" });
    return (facts) => !opposite(facts);
  }
  const values = [value ?? []].flat() as readonly Scalar[];
  switch (field.type) {
    case "number":
      return compileNumbers(op, values as readonly number[], read as (facts: Facts) => number | undefined);
    case "money":
      return compileMoney(op, values as readonly (number | Money)[], read as (facts: Facts) => Amount | undefined);
    case "boolean":
      return (facts) => read(facts) === value;
    case "attribute":
      return typeof values[0] === "number"
        ? compileNumbers(op, values as readonly number[], (facts) => numberOf(read(facts) as string | undefined))
        : compileTexts(op, values as readonly string[], read as (facts: Facts) => string | undefined);
    case "zip":
      return compileZip(op, values as readonly string[]);
    case "text":
      return compileTexts(op, (values as readonly string[]).map(upper), read as (facts: Facts) => string | undefined);
    default:
      return compileTexts(op, values as readonly string[], read as (facts: Facts) => string | undefined);
  }
}

export function upper(text: string): string {
  return text.toUpperCase();
}

/** Parses a text as a plain decimal number. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : undefined;
}

function compileNumbers(
  op: ComparisonOp,
  values: readonly number[],
  read: (facts: Facts) => number | undefined,
): Predicate {
  const [low = 0, high = 0] = values;
  switch (op) {
    case "lt":
      return (facts) => (read(facts) ?? Number.NaN) < low;
    case "le":
      return (facts) => (read(facts) ?? Number.NaN) <= low;
    case "gt":
      return (facts) => (read(facts) ?? Number.NaN) > low;
    case "ge":
      return (facts) => (read(facts) ?? Number.NaN) >= low;
    case "between":
      return (facts) => {
        const value = read(facts) ?? Number.NaN;
        return low <= value && value <= high;
      };
    default: {
      const known = new Set(values);
      return (facts) => known.has(read(facts) ?? Number.NaN);
    }
  }
}

/** A plain number is an amount in the currency of the field; money is compared at the rates of the day. */
function compileMoney(
  op: ComparisonOp,
  values: readonly (number | Money)[],
  read: (facts: Facts) => Amount | undefined,
): Predicate {
  const [first] = values;
  if (typeof first === "number" && values.length === 1) return comparePlain(op, scaled(first, amountScale), read);
  const bounds = values.map((value) => {
    const bound =
      typeof value === "number" ? { value: scaled(value, amountScale), currency: undefined } : amountOf(value);
    /** The difference to the bound; NaN without a value or a rate. */
    return (amount: Amount | undefined, { rates, day }: Facts): number => {
      if (amount === undefined) return Number.NaN;
      const converted = bound.currency === undefined ? amount.value : rates.convert(amount, bound.currency, day);
      return converted === undefined ? Number.NaN : converted - bound.value;
    };
  });
  const [low = () => Number.NaN, high = () => Number.NaN] = bounds;
  switch (op) {
    case "lt":
      return (facts) => low(read(facts), facts) < 0;
    case "le":
      return (facts) => low(read(facts), facts) <= 0;
    case "gt":
      return (facts) => low(read(facts), facts) > 0;
    case "ge":
      return (facts) => low(read(facts), facts) >= 0;
    case "between":
      return (facts) => low(read(facts), facts) >= 0 && high(read(facts), facts) <= 0;
    default:
      return (facts) => bounds.some((bound) => bound(read(facts), facts) === 0);
  }
}

/** @param bound in ten-thousandths. */
function comparePlain(op: ComparisonOp, bound: number, read: (facts: Facts) => Amount | undefined): Predicate {
  switch (op) {
    case "lt":
      return (facts) => (read(facts)?.value ?? Number.NaN) < bound;
    case "le":
      return (facts) => (read(facts)?.value ?? Number.NaN) <= bound;
    case "gt":
      return (facts) => (read(facts)?.value ?? Number.NaN) > bound;
    case "ge":
      return (facts) => (read(facts)?.value ?? Number.NaN) >= bound;
    default:
      return (facts) => read(facts)?.value === bound;
  }
}

function compileTexts(
  op: ComparisonOp,
  values: readonly string[],
  read: (facts: Facts) => string | undefined,
): Predicate {
  if (op === "prefix") {
    return (facts) => {
      const text = read(facts);
      return text !== undefined && values.some((prefix) => text.startsWith(prefix));
    };
  }
  const [only] = values;
  if (values.length === 1 && only !== undefined) return (facts) => read(facts) === only;
  const known: ReadonlySet<string | undefined> = new Set(values);
  return (facts) => known.has(read(facts));
}

/** Compares postcodes as zones do. Only the shipment tells the country of the values. */
function compileZip(op: ComparisonOp, values: readonly string[]): Predicate {
  const comparableIn = remembered((country) => values.map((value) => comparablePostcode(value, country)));
  return ({ shipment: { zip, country } }) => {
    if (zip === "") return false;
    const comparable = comparableIn(country);
    if (op === "between") {
      const [from, to] = comparable as [string, string];
      const start = zip.slice(0, from.length);
      return from <= start && start <= to && formOf(start) === formOf(from);
    }
    return comparable.some((value) => (op === "prefix" ? zip.startsWith(value) : zip === value));
  };
}

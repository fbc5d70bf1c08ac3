// What a shipment must have for a condition to hold, in a form that an index can look up.
import type { Comparison, Condition, Scalar } from "#/modules/carriers/data/rule-contract.ts";
import { compileCondition, fieldOf, numberOf, upper } from "#/modules/carriers/decision/conditions.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";
import type { Field, FieldType } from "#/modules/carriers/decision/fields.ts";
import { type Amount, amountScale } from "#/modules/carriers/decision/money.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";

/** A necessary condition: the field has one of the values. */
export interface ValueKey {
  readonly kind: "value";
  /** Keys of one name read the same value. */
  readonly name: string;
  readonly read: (facts: Facts) => unknown;
  readonly values: readonly unknown[];
}

/** A necessary condition: the number is at least the bound, or at most; the comparison itself may exclude the bound. */
export interface BoundKey {
  readonly kind: "bound";
  /** Keys of one name read the same value, and have bounds of the same side. */
  readonly name: string;
  readonly read: (facts: Facts) => number | undefined;
  readonly isLeast: boolean;
  readonly bound: number;
}

export type Key = ValueKey | BoundKey;

/** Keys of which at least one fits if the condition holds; undefined: no such keys. */
export function keysOf(condition: Condition): readonly Key[] | undefined {
  if ("all" in condition) {
    const known = condition.all.map(keysOf).filter((keys) => keys !== undefined);
    return known.sort((left, right) => costOf(left) - costOf(right))[0];
  }
  if ("any" in condition) {
    const parts = condition.any.map(keysOf);
    return parts.every((keys) => keys !== undefined) ? parts.flat() : undefined;
  }
  if ("not" in condition) return undefined;
  const key = keyOf(condition);
  return key && [key];
}

/** Fewer values fit fewer shipments, and a bound fits more than a value does. */
function costOf(keys: readonly Key[]): number {
  return keys.reduce((sum, key) => sum + (key.kind === "value" ? key.values.length : 1_000), 0);
}

/** Only fields of the shipment that no rule changes. */
function keyOf(comparison: Comparison): Key | undefined {
  const { field: name, op, value } = comparison;
  const { scope, type, read } = fieldOf(comparison);
  if (scope !== "shipment" || type === "serviceLevel" || type === "zip" || value === undefined) return undefined;
  const values = [value].flat() as readonly Scalar[];
  const [first] = values;
  const isText = typeof first === "string";
  if (op === "eq" || op === "in") {
    if (!isText && typeof first !== "boolean") return undefined;
    return { kind: "value", name, read, values: type === "text" ? (values as readonly string[]).map(upper) : values };
  }
  const isLeast = op === "gt" || op === "ge" || op === "between";
  if ((!isLeast && op !== "lt" && op !== "le") || typeof first !== "number") return undefined;
  const number = numberReader(type, read);
  if (number === undefined) return undefined;
  const bound = type === "money" ? scaled(first, amountScale) : first;
  return { kind: "bound", name: `${name} ${isLeast ? "at least" : "at most"}`, read: number, isLeast, bound };
}

/** Reads the number that comparisons with a plain number compare. */
function numberReader(type: FieldType, read: Field["read"]): ((facts: Facts) => number | undefined) | undefined {
  switch (type) {
    case "number":
      return read as (facts: Facts) => number | undefined;
    case "attribute":
      return (facts) => numberOf(read(facts) as string | undefined);
    case "money":
      return (facts) => (read(facts) as Amount | undefined)?.value;
    default:
      return undefined;
  }
}

/** The condition for shipments to a country; true or false if the country alone decides. */
export function conditionIn(country: string, condition: Condition): Condition | boolean {
  if ("not" in condition) {
    const part = conditionIn(country, condition.not);
    return typeof part === "boolean" ? !part : { not: part };
  }
  if ("field" in condition) {
    if (condition.field !== "shipment.country") return condition;
    return compileCondition(condition)({ shipment: { country } } as Facts);
  }
  const isAll = "all" in condition;
  const parts = (isAll ? condition.all : condition.any).map((part) => conditionIn(country, part));
  // A false part decides `all`, a true one `any`; the opposites do not matter.
  if (parts.includes(!isAll)) return !isAll;
  const open = parts.filter((part) => typeof part !== "boolean");
  if (open.length === 0) return isAll;
  return isAll ? { all: open } : { any: open };
}

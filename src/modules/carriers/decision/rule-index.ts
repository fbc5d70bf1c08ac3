// Finds the rules that can hold for a shipment without evaluating the others.
import type { Comparison, Condition, Scalar } from "#/modules/carriers/data/rule-contract.ts";
import { compileCondition, fieldOf, numberOf, upper } from "#/modules/carriers/decision/conditions.ts";
import type { Facts, Field, FieldType } from "#/modules/carriers/decision/fields.ts";
import { type Amount, amountScale } from "#/modules/carriers/decision/money.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";

/** The rules that require one of some values of a field, by value. */
interface ByValue {
  readonly read: (facts: Facts) => unknown;
  readonly places: ReadonlyMap<unknown, readonly number[]>;
}

/** The rules that require a number of at least, or at most, their bound. Those that a value satisfies come first. */
interface ByBound {
  readonly read: (facts: Facts) => number | undefined;
  readonly isLeast: boolean;
  readonly bounds: readonly number[];
  /** By index of the bound. */
  readonly places: readonly number[];
}

/** A set of rules by place, a bit for each, in words of 32. */
type Places = readonly number[];

interface Keyed<AnyKey> {
  readonly key: AnyKey;
  readonly place: number;
}

/**
 * Each rule has keys, of which one must fit the shipment: a value of a field, or a bound of a number. A field of the
 * shipment is read once, and its value finds the rules. A rule without keys is found for every shipment.
 */
export class RuleIndex {
  readonly #always: Places;
  readonly #byValue: readonly ByValue[];
  readonly #byBound: readonly ByBound[];

  /** @param conditions of the rules, by place. */
  constructor(conditions: readonly (Condition | undefined)[]) {
    const always = Array.from({ length: Math.ceil(conditions.length / 32) }, () => 0);
    const keyed: Keyed<Key>[] = [];
    conditions.forEach((condition, place) => {
      const keys = condition && keysOf(condition);
      if (keys === undefined) add(always, place);
      else for (const key of keys) keyed.push({ key, place });
    });
    this.#always = always;
    this.#byValue = inGroups(keyed.filter(({ key }) => key.kind === "value") as Keyed<ValueKey>[]).map(byValueOf);
    this.#byBound = inGroups(keyed.filter(({ key }) => key.kind === "bound") as Keyed<BoundKey>[]).map(byBoundOf);
  }

  /** The rules of which a key fits. A rule that is not among them does not hold. */
  find(facts: Facts): Places {
    const found = this.#always.slice();
    for (const { read, places } of this.#byValue) {
      const fitting = places.get(read(facts));
      if (fitting !== undefined) for (const place of fitting) add(found, place);
    }
    for (const { read, isLeast, bounds, places } of this.#byBound) {
      const value = read(facts);
      if (value === undefined) continue;
      for (let i = 0; i < bounds.length; i++) {
        const bound = bounds[i] as number;
        if (isLeast ? value < bound : value > bound) break;
        add(found, places[i] as number);
      }
    }
    return found;
  }
}

/** Keys that the same value of a shipment decides. */
function inGroups<AnyKey extends Key>(keyed: readonly Keyed<AnyKey>[]): readonly (readonly Keyed<AnyKey>[])[] {
  return [...Map.groupBy(keyed, ({ key }) => key.name).values()];
}

function byValueOf(keyed: readonly Keyed<ValueKey>[]): ByValue {
  const places = new Map<unknown, number[]>();
  for (const { key, place } of keyed) {
    for (const value of key.values) {
      const known = places.get(value);
      if (known) known.push(place);
      else places.set(value, [place]);
    }
  }
  return { read: (keyed[0] as Keyed<ValueKey>).key.read, places };
}

function byBoundOf(keyed: readonly Keyed<BoundKey>[]): ByBound {
  const { read, isLeast } = (keyed[0] as Keyed<BoundKey>).key;
  const sign = isLeast ? 1 : -1;
  const sorted = keyed.toSorted((left, right) => sign * (left.key.bound - right.key.bound));
  return { read, isLeast, bounds: sorted.map(({ key }) => key.bound), places: sorted.map(({ place }) => place) };
}

function add(places: number[], place: number): void {
  const word = place >>> 5;
  places[word] = (places[word] as number) | (1 << (place & 31));
}

/** The first place from this one on; -1: there is none. */
export function nextPlace(places: Places, from: number): number {
  let word = from >>> 5;
  if (word >= places.length) return -1;
  let bits = (places[word] as number) & (-1 << (from & 31));
  while (bits === 0) {
    if (++word === places.length) return -1;
    bits = places[word] as number;
  }
  return (word << 5) | (31 - Math.clz32(bits & -bits));
}

// Requirements of a condition on a shipment, in a form that an index can look up.

/** A necessary condition: the field has one of the values. */
interface ValueKey {
  readonly kind: "value";
  /** Keys of one name read the same value. */
  readonly name: string;
  readonly read: (facts: Facts) => unknown;
  readonly values: readonly unknown[];
}

/** A necessary condition: the number is at least the bound, or at most; the comparison itself may exclude the bound. */
interface BoundKey {
  readonly kind: "bound";
  /** Keys of one name read the same value, and have bounds of the same side. */
  readonly name: string;
  readonly read: (facts: Facts) => number | undefined;
  readonly isLeast: boolean;
  readonly bound: number;
}

type Key = ValueKey | BoundKey;

/** Keys of which at least one fits if the condition holds; undefined: no such keys. */
function keysOf(condition: Condition): readonly Key[] | undefined {
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

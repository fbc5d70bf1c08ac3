// Finds the rules that can hold for a shipment without evaluating the others.
import type { Condition } from "#/modules/carriers/data/rule-contract.ts";
import { type BoundKey, type Key, keysOf, type ValueKey } from "#/modules/carriers/decision/condition-keys.ts";
import type { Facts } from "#/modules/carriers/decision/facts.ts";

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
export type Places = readonly number[];

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

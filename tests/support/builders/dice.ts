// Random values that are the same in every run.

export interface Dice {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number;
  one<Item>(items: readonly Item[]): Item;
  some<Item>(items: readonly Item[]): Item[];
  chance(percent: number): boolean;
  /** A number with this many decimals. */
  decimal(max: number, decimals: number): number;
}

/** mulberry32, the generator of Tommy Ettinger. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    one: (items) => items[below(items.length)] as (typeof items)[number],
    some: (items) => items.filter(() => next() < 0.5),
    chance: (percent) => next() * 100 < percent,
    decimal: (max, decimals) => Number((next() * max).toFixed(decimals)),
  };
}

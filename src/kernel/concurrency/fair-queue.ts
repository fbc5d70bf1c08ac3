/** A queue of values by owner: owners get turns, and each owner's values keep their order. */
export interface FairQueue<T> {
  readonly length: number;
  push(owner: string, value: T): void;
  /**
   * Returns a value of an owner other than the last one, where another has a waiting value.
   * @param mayServe owners for which it returns false keep their place in the order.
   */
  shift(mayServe?: (owner: string) => boolean): T | undefined;
  /** Removes the values for which it returns false. */
  keep(isKept: (value: T) => boolean): void;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** Owners in the order of their turns. */
  const waiting = new Map<string, T[]>();
  let length = 0;
  let lastOwner: string | undefined;
  return {
    get length() {
      return length;
    },
    push(owner, value) {
      const queue = waiting.get(owner);
      if (queue) queue.push(value);
      else waiting.set(owner, [value]);
      length++;
    },
    shift(mayServe = () => true) {
      let owner: string | undefined;
      for (const next of waiting.keys()) {
        if (!mayServe(next)) continue;
        owner ??= next;
        if (next === lastOwner) continue;
        owner = next;
        break;
      }
      if (owner === undefined) return undefined;
      const queue = waiting.get(owner) as T[];
      const value = queue.shift() as T;
      waiting.delete(owner);
      if (queue.length > 0) waiting.set(owner, queue);
      lastOwner = owner;
      length--;
      return value;
    },
    keep(isKept) {
      length = 0;
      for (const [owner, queue] of waiting) {
        const kept = queue.filter(isKept);
        length += kept.length;
        if (kept.length > 0) waiting.set(owner, kept);
        else waiting.delete(owner);
      }
    },
  };
}

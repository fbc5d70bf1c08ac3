import type { Clock } from "#/kernel/clock.ts";

/** Answers of the store by key, for a while: bounded, and asked for once however many wait for the same key. */
export interface LookupCache<Value> {
  get(key: string): Promise<Value>;
  /** Forgets everything; what is being looked up meanwhile is answered but not kept. */
  clear(): void;
}

export interface LookupCacheOptions<Value> {
  readonly clock: Clock;
  readonly load: (key: string) => Promise<Value>;
  /** Whether an answer is of something that exists. */
  readonly isFound: (value: Value) => boolean;
  readonly foundTtlMs: number;
  /** Short, so that what was missing a moment ago is seen soon after it was made. */
  readonly missingTtlMs: number;
  /** Of each sort of answer. They are kept apart, so that a flood of made-up keys does not drive out the real ones. */
  readonly entriesMax: number;
}

interface Kept<Value> {
  readonly answer: Promise<Value>;
  readonly expiresAtMs: number;
}

export function createLookupCache<Value>(options: LookupCacheOptions<Value>): LookupCache<Value> {
  const { clock, load, isFound, foundTtlMs, missingTtlMs, entriesMax } = options;
  // A Map keeps its keys in order of insertion: the first is the one that was used longest ago.
  const found = new Map<string, Kept<Value>>();
  const missing = new Map<string, Kept<Value>>();
  const underWay = new Map<string, Promise<Value>>();
  let generation = 0;

  function keep(key: string, value: Value, answer: Promise<Value>): void {
    const isThere = isFound(value);
    const entries = isThere ? found : missing;
    (isThere ? missing : found).delete(key);
    entries.delete(key);
    entries.set(key, { answer, expiresAtMs: clock.now() + (isThere ? foundTtlMs : missingTtlMs) });
    if (entries.size > entriesMax) entries.delete(entries.keys().next().value as string);
  }

  function lookUp(key: string): Promise<Value> {
    const begunIn = generation;
    const answer = load(key).then(
      (value) => {
        if (generation === begunIn) {
          underWay.delete(key);
          keep(key, value, answer);
        }
        return value;
      },
      (error: unknown) => {
        // A store that cannot be reached has not said anything worth keeping.
        if (generation === begunIn) underWay.delete(key);
        throw error;
      },
    );
    underWay.set(key, answer);
    return answer;
  }

  return {
    get(key) {
      const hit = found.get(key);
      if (hit !== undefined && clock.now() < hit.expiresAtMs) {
        found.delete(key);
        found.set(key, hit);
        return hit.answer;
      }
      const miss = missing.get(key);
      if (miss !== undefined && clock.now() < miss.expiresAtMs) return miss.answer;
      return underWay.get(key) ?? lookUp(key);
    },
    clear() {
      generation++;
      found.clear();
      missing.clear();
      underWay.clear();
    },
  };
}

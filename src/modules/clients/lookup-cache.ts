import type { Clock } from "#/kernel/clock.ts";

/** A bounded cache of the store's answers by key; concurrent look-ups of the same key share one query. */
export interface LookupCache<Value> {
  get(key: string): Promise<Value>;
  /** Drops all entries; a look-up in progress is answered but not cached. */
  clear(): void;
}

export interface LookupCacheOptions<Value> {
  readonly clock: Clock;
  readonly load: (key: string) => Promise<Value>;
  /** True if the answer is of an existing object. */
  readonly isFound: (value: Value) => boolean;
  readonly foundTtlMs: number;
  /** Short, so that a new object is visible soon after its creation. */
  readonly missingTtlMs: number;
  /** For each kind of answer. The kinds are separate, so that a flood of invented keys does not evict the real ones. */
  readonly entriesMax: number;
}

interface Kept<Value> {
  readonly answer: Promise<Value>;
  readonly expiresAtMs: number;
}

export function createLookupCache<Value>(options: LookupCacheOptions<Value>): LookupCache<Value> {
  const { clock, load, isFound, foundTtlMs, missingTtlMs, entriesMax } = options;
  // A Map keeps its keys in order of insertion: the first key is the least recently used.
  const found = new Map<string, Kept<Value>>();
  const missing = new Map<string, Kept<Value>>();
  const inProgress = new Map<string, Promise<Value>>();
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
          inProgress.delete(key);
          keep(key, value, answer);
        }
        return value;
      },
      (error: unknown) => {
        // An error of the store is not cached.
        if (generation === begunIn) inProgress.delete(key);
        throw error;
      },
    );
    inProgress.set(key, answer);
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
      return inProgress.get(key) ?? lookUp(key);
    },
    clear() {
      generation++;
      found.clear();
      missing.clear();
      inProgress.clear();
    },
  };
}

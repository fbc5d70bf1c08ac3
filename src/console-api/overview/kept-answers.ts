/** How many answers are kept: one for each scope that somebody looks at. */
const keptMax = 500;

interface Kept {
  readonly answer: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * Whoever asks for the same within a short while is given the same answer: a room full of screens that look every few
 * seconds costs what one does.
 *
 * @param now Unix milliseconds
 */
export function createSharedAnswers(now: () => number) {
  // A Map keeps its keys in order of insertion: the first is the oldest.
  const kept = new Map<string, Kept>();

  /** @param keptMs how old an answer may be. A failed one is told to those who asked for it, and to nobody else. */
  return function share<T>(key: readonly unknown[], keptMs: number, read: () => Promise<T>): Promise<T> {
    const name = JSON.stringify(key);
    const known = kept.get(name);
    const nowMs = now();
    if (known !== undefined && nowMs < known.untilMs) return known.answer as Promise<T>;
    const answer = read();
    kept.delete(name);
    const own = { answer, untilMs: nowMs + keptMs };
    kept.set(name, own);
    answer.catch(() => void (kept.get(name) === own && kept.delete(name)));
    if (kept.size > keptMax) kept.delete(kept.keys().next().value as string);
    return answer;
  };
}

export type Share = ReturnType<typeof createSharedAnswers>;

/** Maximum number of cached answers: one for each scope in use. */
const keptMax = 500;

interface Kept {
  readonly answer: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * Shares an answer between equal requests within a short time: a room full of screens that poll every few seconds costs
 * as much as one screen.
 *
 * @param now Unix milliseconds
 */
export function createSharedAnswers(now: () => number) {
  // A Map keeps its keys in order of insertion: the first is the oldest.
  const kept = new Map<string, Kept>();

  /** @param keptMs maximum age of an answer. A failure reaches only the callers that already wait for it. */
  return function share<T>(key: readonly unknown[], keptMs: number, read: () => Promise<T>): Promise<T> {
    const name = JSON.stringify(key);
    const known = kept.get(name);
    const nowMs = now();
    if (known !== undefined && nowMs < known.untilMs) return known.answer as Promise<T>;
    const answer = read();
    kept.delete(name);
    const entry = { answer, untilMs: nowMs + keptMs };
    kept.set(name, entry);
    answer.catch(() => void (kept.get(name) === entry && kept.delete(name)));
    if (kept.size > keptMax) kept.delete(kept.keys().next().value as string);
    return answer;
  };
}

export type Share = ReturnType<typeof createSharedAnswers>;

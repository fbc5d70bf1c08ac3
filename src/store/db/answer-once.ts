import { dayMs } from "#/kernel/values/durations.ts";

/** A repeat of a request, a document or a file is recognised for this long (rest.md §3, feeds.md §1, sftp.md). */
export const repeatKnownMs = 7 * dayMs;

/**
 * Answers a request once, in one transaction: a repeat gets the kept answer of the first, and does nothing. Two equal
 * requests at the same time find nothing at first. One then waits for a row of the other and is refused because of its
 * effects: a refused request is therefore looked up again. If neither waits, the key of the kept answer decides: the
 * later transaction fails, and its caller repeats it.
 */
export async function answerOnce<Kept, Outcome>(steps: {
  /** The kept answer to the request. A new statement sees what was committed meanwhile. */
  find(): Promise<Kept | undefined>;
  run(): Promise<Outcome>;
  isRefused(outcome: Outcome): boolean;
  /** Keeps the answer of a request that is not refused. */
  keep(outcome: Outcome): void;
}): Promise<Kept | Outcome> {
  const kept = await steps.find();
  if (kept !== undefined) return kept;
  const outcome = await steps.run();
  if (steps.isRefused(outcome)) return (await steps.find()) ?? outcome;
  steps.keep(outcome);
  return outcome;
}

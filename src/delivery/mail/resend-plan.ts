/** When a mail that could not be handed over is sent again, and when it is given up: pure, milliseconds. */

const minuteMs = 60_000;
const delaysMs = [1, 5, 30, 120].map((minutes) => minutes * minuteMs);
/** Then every four hours, so that a day has several chances. */
export const lastDelayMs = 240 * minuteMs;
const giveUpAfterMs = 24 * 60 * minuteMs;

export type MailVerdict =
  | { readonly status: "PENDING"; readonly dueAtMs: number }
  /** Nobody is told any more; it stays in the console. */
  | { readonly status: "FAILED" };

/** @param tries those that have failed, this one among them. */
export function judgeFailedSend(tries: number, plannedAtMs: number, nowMs: number): MailVerdict {
  const dueAtMs = nowMs + (delaysMs[tries - 1] ?? lastDelayMs);
  return dueAtMs - plannedAtMs > giveUpAfterMs ? { status: "FAILED" } : { status: "PENDING", dueAtMs };
}

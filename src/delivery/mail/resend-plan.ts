import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";

/** When a mail that could not be sent is retried, and when it is given up: pure, milliseconds. */

const delaysMs = [1, 5, 30, 120].map((minutes) => minutes * minuteMs);
/** Then every four hours, so that each day has several attempts. */
export const lastDelayMs = 4 * hourMs;
const giveUpAfterMs = dayMs;

export type MailVerdict =
  | { readonly status: "PENDING"; readonly dueAtMs: number }
  /** The recipient is no longer notified; the mail stays in the console. */
  | { readonly status: "FAILED" };

/** @param attempts failed attempts, including this one. */
export function planResend(attempts: number, scheduledAtMs: number, nowMs: number): MailVerdict {
  const dueAtMs = nowMs + (delaysMs[attempts - 1] ?? lastDelayMs);
  return dueAtMs - scheduledAtMs > giveUpAfterMs ? { status: "FAILED" } : { status: "PENDING", dueAtMs };
}

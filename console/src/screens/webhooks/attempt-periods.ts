import type { AnswerOf } from "../../answer-of.ts";

type Rates = AnswerOf<"/webhook/attemptRates/{webhookId}">;
type Period = Rates["items"][number];

/** A period of the charts. Without attempts it has no latency. */
export type ChartPeriod = Pick<Period, "attempts" | "succeeded"> & {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/**
 * The periods from the first attempts to `now`, those without attempts too: the API leaves them out, and a line from one
 * period to a later one shows attempts in between that nothing made.
 */
export function everyPeriod(
  { items, periodSeconds }: Pick<Rates, "items" | "periodSeconds">,
  now: number,
): ChartPeriod[] {
  const [first] = items;
  if (first === undefined) return [];
  const stepMs = periodSeconds * 1000;
  const known = new Map(items.map((period) => [Date.parse(period.at), period]));
  const all: ChartPeriod[] = [];
  for (let at = Date.parse(first.at); at <= now; at += stepMs) {
    const { attempts = 0, succeeded = 0, medianMs = null, p95Ms = null } = known.get(at) ?? {};
    all.push({ at, attempts, succeeded, medianMs, p95Ms });
  }
  return all;
}

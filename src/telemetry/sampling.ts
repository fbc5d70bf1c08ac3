import { traceIdOf } from "#/kernel/telemetry/trace.ts";

/** Number of values of the least significant 56 bits of a trace id (W3C Trace Context Level 2, random trace id). */
const drawsMax = 2 ** 56;

/**
 * Decides by the trace id alone which traces are kept. Every process therefore decides the same, at any time. The
 * deciding bits are random bits of the token.
 *
 * @param ratio from 0 to 1
 */
export function createSampler(ratio: number): (token: string) => boolean {
  if (ratio >= 1) return () => true;
  const below = ratio * drawsMax;
  return (token) => Number.parseInt(traceIdOf(token).slice(18), 16) < below;
}

import { traceIdOf } from "#/kernel/telemetry/trace.ts";

/** As many as the least significant 56 bits of a trace id tell apart (W3C Trace Context Level 2, random trace id). */
const drawsMax = 2 ** 56;

/**
 * Which traces are kept, by their ids alone: every process decides the same, whenever it comes to write its part. The bits
 * that decide are random ones of the token.
 *
 * @param ratio from 0 to 1
 */
export function createSampler(ratio: number): (token: string) => boolean {
  if (ratio >= 1) return () => true;
  const below = ratio * drawsMax;
  return (token) => Number.parseInt(traceIdOf(token).slice(18), 16) < below;
}

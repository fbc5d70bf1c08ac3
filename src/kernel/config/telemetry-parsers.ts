// Parsers of the variables that OpenTelemetry defines (OpenTelemetry specification, SDK environment variables).
import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, refused } from "#/kernel/result.ts";

/** `name=value`, separated by commas; values may be percent-encoded (W3C Baggage). */
const parsePairs: Parser<Readonly<Record<string, string>>> = (text) => {
  const pairs: Record<string, string> = {};
  for (const part of text.split(",").map((pair) => pair.trim())) {
    if (part === "") continue;
    const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return refused("expected name=value pairs, separated by commas");
    try {
      pairs[name] = decodeURIComponent(value);
    } catch {
      return refused(`the value of ${name} is not correctly percent-encoded`);
    }
  }
  return ok(pairs);
};

export const parseAttributes = parsePairs;

/** Sent with each message; may contain a token of the collector. */
export const parseHeaders: Parser<Readonly<Record<string, string>>> = (text) => {
  const pairs = parsePairs(text);
  if (!pairs.ok) return pairs;
  for (const [name, value] of Object.entries(pairs.value)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return refused(`${name} is not a header name`);
    if (!/^[\t\x20-\x7e]*$/.test(value))
      return refused(`the value of ${name} has characters that a header must not have`);
  }
  return pairs;
};

export const samplers = [
  ...(["always_on", "always_off", "traceidratio"] as const),
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
] as const;
export type SamplerName = (typeof samplers)[number];

export const parseRatio: Parser<number> = (text) => {
  const ratio = /^\d(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return ratio <= 1 ? ok(ratio) : refused("expected a number from 0 to 1");
};

/** The sampled fraction of the traces. A token's trace has no parent elsewhere, so parentbased_ has no effect. */
export function ratioOf(sampler: SamplerName | undefined, ratio: number | undefined): number {
  switch (sampler?.replace("parentbased_", "")) {
    case "always_off":
      return 0;
    case "traceidratio":
      return ratio ?? 1;
    default:
      return 1;
  }
}

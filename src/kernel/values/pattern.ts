import { createRequire } from "node:module";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";

/** A regular expression of a client, in the syntax of RE2 (docs/decisions/0047-patterns-of-clients.md). */
export interface Pattern {
  /** Whether a part of the text matches; with `^` and `$`, the whole text. Only its first 1,000 characters are read. */
  matches(text: string): boolean;
  /** The number of instructions of its program: a text is matched in time proportional to it. */
  readonly size: number;
}

const require = createRequire(import.meta.url);
/** Loaded with the first pattern: most clients have none. */
const library = () => require("re2js") as typeof import("re2js");

/** RE2 takes time proportional to both. */
const textMax = 1_000;
const patternMax = 200;
/** Repetitions multiply: 25 characters may have 3,000 instructions, which take half a second of 1,000 letters. */
const sizeMax = 300;

/** @param ignoresCase letters match in either case. */
export function parsePattern(source: string, ignoresCase = false): Result<Pattern, string> {
  if (source.length > patternMax) return refused(`a pattern has at most ${patternMax} characters`);
  const { RE2JS, RE2JSException } = asideOfSteps(library);
  try {
    const compiled = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    const size = compiled.programSize();
    if (size > sizeMax) {
      return refused(`a pattern has at most ${sizeMax} instructions, and this one has ${size}: repeat less`);
    }
    return ok({ matches: (text) => compiled.test(text.slice(0, textMax)), size });
  } catch (error) {
    if (error instanceof RE2JSException) return refused(error.message.replace(/^error parsing regexp: /, ""));
    throw error;
  }
}

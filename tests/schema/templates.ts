import type { Template } from "../tidy/source.ts";

/** The texts between the holes, in their order; what a hole holds (a parameter, a part of a statement) may be anything. */
export function patternOf({ texts }: Template): RegExp {
  const escaped = texts.map((text) => RegExp.escape(text.replaceAll("\\`", "`")));
  return new RegExp(escaped.join("[\\s\\S]*?"));
}

import type { Template } from "../tidy/source.ts";

/** A pattern of the fixed texts in order. A hole (a parameter, a part of a statement) matches anything. */
export function patternOf({ texts }: Template): RegExp {
  const escaped = texts.map((text) => RegExp.escape(text.replaceAll("\\`", "`")));
  return new RegExp(escaped.join("[\\s\\S]*?"));
}

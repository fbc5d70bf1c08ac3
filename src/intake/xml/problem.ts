/**
 * The problems of a document, as sentences for the developer who sent it (contract feeds.md §2, `[XML]` and `[XSD]`).
 */

/** One problem of a document. */
export interface XmlProblem {
  /** `XML`: the document cannot be parsed; `XSD`: it can be parsed and violates its schema. */
  readonly kind: "XML" | "XSD";
  /** Line of the document, from 1. */
  readonly line?: number;
  /** Elements from below the root, `lines/line[3]/qty`; for the root its own name; attributes as `path/@name`. */
  readonly path?: string;
  /** The offending value, made printable and truncated to 60 characters. */
  readonly value?: string;
  /** The whole sentence, without the code: `Line 12: lines/line[3]/qty: 'abc' is not a valid decimal`. */
  readonly text: string;
}

/** Why a document was refused. */
export interface XmlFailure<T> {
  readonly kind: "XML" | "XSD";
  /** At most 100, in document order. */
  readonly problems: readonly XmlProblem[];
  /** Number of further problems. */
  readonly omitted: number;
  /** The readable parts of an XSD-invalid document whose root is the expected one; never trust them. */
  readonly partial: T | undefined;
}

/** Maximum number of problems in an ACK (contract feeds.md §2). */
export const problemsMax = 100;
const valueCharactersMax = 60;

/** A failure of the whole document: no part of it can be read. */
export function unreadable(problem: Omit<XmlProblem, "kind">): XmlFailure<never> {
  return { kind: "XML", problems: [{ kind: "XML", ...problem }], omitted: 0, partial: undefined };
}

/**
 * Keeps the first hundred problems and counts the rest, so that a document with a million faults costs neither memory
 * nor time for sentences.
 */
export class ProblemList {
  readonly problems: XmlProblem[] = [];
  omitted = 0;

  /** @param word creates the problem; called only while the list has room for it. */
  add(word: () => XmlProblem): void {
    if (this.problems.length < problemsMax) this.problems.push(word());
    else this.omitted++;
  }
}

/** Both lists in the order of the document's lines, truncated to one hundred. */
export function mergeByLine(first: ProblemList, second: ProblemList): ProblemList {
  const merged = new ProblemList();
  const all = [...first.problems, ...second.problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  merged.problems.push(...all.slice(0, problemsMax));
  merged.omitted = first.omitted + second.omitted + Math.max(0, all.length - problemsMax);
  return merged;
}

/** A problem of the kind XSD; its sentence consists of line, path and words. */
export function schemaProblem(line: number, path: string, words: string, value?: string): XmlProblem {
  const text = `Line ${line}: ${path}: ${words}`;
  return value === undefined ? { kind: "XSD", line, path, text } : { kind: "XSD", line, path, value, text };
}

/**
 * A value in the form for a sentence: control characters as their pictures (U+2400 block), truncated to 60 characters.
 */
export function shown(value: string): string {
  const characters = [...value.slice(0, 4 * valueCharactersMax).toWellFormed()];
  const cut = characters.length > valueCharactersMax;
  const kept = cut ? [...characters.slice(0, valueCharactersMax - 1), "…"] : characters;
  return kept.map(printable).join("");
}

function printable(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return (code >= 0x80 && code < 0xa0) || code === 0xfffe || code === 0xffff ? "\ufffd" : character;
}

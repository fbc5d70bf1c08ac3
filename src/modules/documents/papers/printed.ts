import { lettersMissing } from "#/modules/documents/papers/text.ts";

export interface PaperWarning {
  readonly code:
    | "LETTERS_REPLACED"
    | "HS_CODE_MISSING"
    | "ORIGIN_MISSING"
    | "VALUE_MISSING"
    | "NET_WEIGHT_MISSING"
    | "INCOTERM_MISSING";
  /** Line of the order; undefined for a warning about the whole paper. */
  readonly lineNumber?: number;
  readonly text: string;
}

const lettersNamedMax = 20;

/** A warning about letters that no font has; none if there are none. */
export function replacedLetters(matter: object): PaperWarning[] {
  const missing = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === "string") for (const letter of lettersMissing(value)) missing.add(letter);
    else if (value !== null && typeof value === "object") for (const part of Object.values(value)) look(part);
  };
  look(matter);
  if (missing.size === 0) return [];
  const codes = [...missing].map((letter) => (letter.codePointAt(0) as number).toString(16).toUpperCase());
  const named = codes.sort().map((code) => `U+${code.padStart(4, "0")}`);
  const more = named.length > lettersNamedMax ? ` and ${named.length - lettersNamedMax} more` : "";
  const text = `No font has ${named.slice(0, lettersNamedMax).join(", ")}${more}: the paper shows \uFFFD in their place.`;
  return [{ code: "LETTERS_REPLACED", text }];
}

import { feedCodes } from "#/kernel/feed-codes.ts";

/** One finding about a document, with the position that its sentence names. */
export interface FaultText {
  readonly kind: "error" | "warning";
  /** Without brackets; empty in the sentence that counts the omitted findings. */
  readonly code: string;
  readonly text: string;
  /** The remedy; null where none is known. */
  readonly remedy: string | null;
  /** From 1; null where the sentence names no line. */
  readonly line: number | null;
  readonly column: number | null;
  /** Elements from below the root; null where the sentence names none. */
  readonly path: string | null;
}

const step = String.raw`[A-Za-z_][\w.-]*(?:\[(?:\d+|@name='[^']*')\])?`;
const pathPattern = new RegExp(
  String.raw`^(?:Line \d+(?:, column \d+)?: |Order .{1,64}?: )?(${step}(?:/${step})*(?:/@[\w:.-]+)?)(?=: | \()`,
);

/** Parses a sentence of an ACK: `[XSD] Line 12: lines/line[3]/qty: 'abc' is not a valid decimal`. */
export function readSentence(sentence: string, kind: FaultText["kind"], feedType: string): FaultText {
  const [, code = "", text = sentence] = /^\[([A-Z_]+)\] (.*)$/s.exec(sentence) ?? [];
  const [, line, column] = /^Line (\d+)(?:, column (\d+))?: /.exec(text) ?? [];
  return {
    kind,
    code,
    text,
    remedy: remedyOf(code)?.replace("{feedType}", feedType) ?? null,
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
    path: pathPattern.exec(text)?.[1] ?? null,
  };
}

/** The remedy of a finding, from the table of codes. */
function remedyOf(code: string): string | null {
  return code in feedCodes ? feedCodes[code as keyof typeof feedCodes].cure : (warningRemedies[code] ?? null);
}

const warningRemedies: Readonly<Record<string, string>> = {
  GTIN: "Check the barcode of the product; scanners may refuse it.",
  BARCODE: "Give one of the two items another barcode.",
  CUSTOMS: "Complete the customs data of the item; parcels that cross no customs border leave without them.",
  OVER_RETURN: "No action is needed: more may come back than was shipped. Ask the sender if this is not intended.",
  OLDER: "No action is needed if documents overtook each other; otherwise send the newest catalogue again.",
  PRIORITY: "Send a Priority of 1 to 9.",
  INACTIVE_SKU: "Send a CAT with Active true, or cancel the line.",
  SHIPPING_METHOD:
    "Add the shipping method to the carrier data, or a service of the carrier for it; or ask the sender to use a known one.",
};

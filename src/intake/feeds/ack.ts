import { escapeText } from "#/intake/xml/index.ts";
import { type Finding, sentence } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";

export interface Ack {
  /** Correlation token, a UUIDv7. */
  readonly token: string;
  readonly success: boolean;
  readonly feedType: FeedType;
  readonly errors: readonly string[];
  /** Number of errors beyond the listed ones. */
  readonly errorsOmitted: number;
  readonly missingSkus: readonly string[];
  readonly objectId: string | undefined;
}

export const ackErrorsMax = 100;

/** The sentences of an ACK: at most 100, and the number of omitted ones. */
export function listErrors(faults: readonly Finding[], omitted: number): { errors: string[]; errorsOmitted: number } {
  return {
    errors: faults.slice(0, ackErrorsMax).map(sentence),
    errorsOmitted: omitted + Math.max(0, faults.length - ackErrorsMax),
  };
}

/** The sentences as people read them; the last one reports the omitted ones. */
export function sentencesOf({ errors, errorsOmitted }: Pick<Ack, "errors" | "errorsOmitted">): readonly string[] {
  if (errors.length === 0 || errorsOmitted === 0) return errors;
  const many = errorsOmitted === 1 ? "1 further error was" : `${errorsOmitted} further errors were`;
  return [...errors, `${many} left out`];
}

/** The `apiResponse` of specification §2.6, children in the order of feeds.md §2, empty lists omitted. */
export function writeAck(ack: Ack): Buffer {
  let xml = `<?xml version="1.0" encoding="UTF-8"?>\n<apiResponse><token>${ack.token}</token><success>${ack.success}</success><feedType>${ack.feedType}</feedType>`;
  if (ack.errors.length > 0) {
    xml += "<errors>";
    for (const error of sentencesOf(ack)) xml += `<error>${escapeText(error)}</error>`;
    xml += "</errors>";
  }
  if (ack.missingSkus.length > 0) {
    xml += "<missingSkus>";
    for (const sku of ack.missingSkus) xml += `<sku>${escapeText(sku)}</sku>`;
    xml += "</missingSkus>";
  }
  if (ack.objectId !== undefined) xml += `<objectId>${escapeText(ack.objectId)}</objectId>`;
  return Buffer.from(`${xml}</apiResponse>\n`);
}

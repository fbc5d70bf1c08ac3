import type { components } from "#operator";

type InboundType = components["schemas"]["FeedSummary"]["type"];

/** The words of the codes of inbound feeds (contract feeds.md). */
export const inboundWords: Readonly<Record<InboundType, string>> = {
  CAT: "Catalogue",
  PO: "Purchase order",
  RMA: "Return",
  NO: "Order",
};

interface NamedDocument {
  readonly type: string;
  readonly objectId: string | null;
  readonly fileName?: string | null;
}

/** `Order WEB-1`. A document that could not be read has neither an object nor, unless it was a file, a name. */
export const documentName = ({ type, objectId, fileName }: NamedDocument): string =>
  `${inboundWords[type as InboundType] ?? type} ${objectId ?? fileName ?? "without a number"}`;

type OutboundType = components["schemas"]["OutboundDocument"]["type"];

/** The words of the codes of outbound feeds, for one document. */
export const outboundWords: Readonly<Record<OutboundType, string>> = {
  ACK: "Acknowledgement",
  GR: "Goods receipt",
  OS: "Order status",
  RS: "Return status",
  ADJ: "Inventory adjustment",
  INV: "Inventory snapshot",
  IMS: "Inventory movement statement",
};

/** A feed or topic that a subscription delivers: topics are words already. */
export const deliveredWord = (kind: "OUTBOUND" | "WEBHOOK", topicName: string): string =>
  kind === "OUTBOUND" ? codeWithWord(outboundWords, topicName) : topicName;

/** `Order status (OS)`. */
export function codeWithWord(words: Readonly<Record<string, string>>, code: string): string {
  const word = words[code];
  return word === undefined ? code : `${word} (${code})`;
}

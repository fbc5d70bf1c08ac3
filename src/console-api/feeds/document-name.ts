/** The name of a received document for operators, the same on every screen; pure. */

/** The words of the codes of inbound feeds (contract feeds.md). */
const feedWords: Readonly<Record<string, string>> = {
  CAT: "Catalogue",
  PO: "Purchase order",
  RMA: "Return",
  NO: "Order",
};

/** `Purchase order` for `PO`; an unknown code is its own word. */
export const feedWordOf = (feedType: string): string => feedWords[feedType] ?? feedType;

/** `Order WEB-1`, or `Catalogue without a number` for one that names no object. */
export const documentNameOf = (feedType: string, objectId: string | null | undefined): string =>
  `${feedWordOf(feedType)} ${objectId || "without a number"}`;

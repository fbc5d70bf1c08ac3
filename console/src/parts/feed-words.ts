import type { components } from "#operator";

type InboundType = components["schemas"]["FeedSummary"]["type"];

/** The words of the codes of inbound feeds (contract feeds.md). */
export const inboundWords: Readonly<Record<InboundType, string>> = {
  CAT: "Catalogue",
  PO: "Purchase order",
  RMA: "Return",
  NO: "Order",
};

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

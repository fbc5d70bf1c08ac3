/** The types of the feeds, which are the root elements of their documents (feeds.md, outbound.md). */
export const feedTypes = ["CAT", "PO", "RMA", "NO"] as const;
export type FeedType = (typeof feedTypes)[number];

export function isFeedType(text: string): text is FeedType {
  return (feedTypes as readonly string[]).includes(text);
}

/** Documents that events cause. */
export const eventDocumentTypes = ["ACK", "GR", "OS", "RS", "ADJ"] as const;
export type EventDocumentType = (typeof eventDocumentTypes)[number];

/** All outbound documents: those caused by events, and those written from stock. */
export const outboundTypes = [...eventDocumentTypes, "INV", "IMS"] as const;
export type OutboundType = (typeof outboundTypes)[number];

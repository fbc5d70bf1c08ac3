// Apart from their documents, because the help of the command line lists them without the server's code.

/** All types of outbound documents (outbound.md): those caused by events, and those written from stock. */
export const outboundTypes = ["ACK", "GR", "OS", "RS", "ADJ", "INV", "IMS"] as const;
export type OutboundType = (typeof outboundTypes)[number];

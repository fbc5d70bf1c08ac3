/**
 * The stable codes that open every error sentence of an ACK (feeds.md §1, §2), with their meaning and the remedy. One
 * table: the ACK, the documentation and the tests read it.
 */
export const feedCodes = {
  XML: {
    status: 200,
    means: "The document is not well formed XML, is empty, has a DTD, or is nested too deeply.",
    cure: "Correct the document at the given line and send it again.",
  },
  XSD: {
    status: 200,
    means: "The document does not fit its XSD.",
    cure: "Correct the element named; the XSD is published at /xsd/{feedType}.xsd.",
  },
  CLIENT: {
    status: 200,
    means: "The payload's clientId is not the one in the path.",
    cure: "Send the document to the path of its client, or correct clientId.",
  },
  FACILITY: {
    status: 200,
    means: "distributionCentre is unknown, or not open to the client.",
    cure: "Use one of the client's facilities.",
  },
  UNKNOWN_SKU: {
    status: 200,
    means: "The document names SKUs that are in no CAT.",
    cure: "Send a CAT feed for the missingSkus, then resend the document.",
  },
  EAN: {
    status: 200,
    means: "An eanCode is already mapped to a different SKU.",
    cure: "Correct the eanCode, or move it by sending both items in one CAT.",
  },
  KIT: {
    status: 200,
    means: "A kit names a component that is unknown, twice, or a kit itself, or one that cannot be in a kit.",
    cure: "Correct the components of the kit at the given path; send unknown ones in the same CAT or before.",
  },
  DUPLICATE: {
    status: 200,
    means: "The object exists already.",
    cure: "No action is needed if it is a repeat; otherwise send an UPDATE or use another identifier.",
  },
  UNKNOWN_ORDER: {
    status: 200,
    means: "orderReference is not an order of the client.",
    cure: "Correct orderReference or leave it out.",
  },
  POSTCODE: {
    status: 200,
    means: "A postcode does not fit its country.",
    cure: "Use one of the formats that the sentence lists.",
  },
  ADDRESS: {
    status: 200,
    means:
      "The ship-to address has no name, or the client's settings refuse a state, e-mail address or telephone number that is missing or impossible.",
    cure: "Correct the part of the address at the given path.",
  },
  COUNTRY: { status: 200, means: "A country code is not in ISO 3166-1.", cure: "Use an alpha-2 or alpha-3 code." },
  NOT_FOUND: {
    status: 200,
    means: "An UPDATE or CANCEL names an object that does not exist.",
    cure: "Send it as NEW first, or correct the identifier.",
  },
  STATE: {
    status: 200,
    means: "The state of the object forbids the action.",
    cure: "See the state named; for goods that have left the warehouse, send an RMA.",
  },
  STALE: {
    status: 200,
    means: "The extended attribute Revision is not above the stored one.",
    cure: "Send the newest revision. No action is needed if a newer one is in effect.",
  },
  LIMIT: { status: 200, means: "The document holds more items or lines than one document may.", cure: "Split it." },
  VALUE: {
    status: 200,
    means: "A value breaks a rule that the XSD cannot express.",
    cure: "Correct the value at the given path.",
  },
  REQUEST: {
    status: 400,
    means: "The Idempotency-Key or the gzip stream is malformed.",
    cure: "Send 1 to 255 visible characters, or a complete gzip stream.",
  },
  AUTH: {
    status: 401,
    means: "X-API-KEY is missing, unknown, revoked, or of another environment.",
    cure: "Send the key issued for this environment.",
  },
  FORBIDDEN: {
    status: 403,
    means: "The key belongs to another client, or the client is suspended.",
    cure: "Use the client's own key; ask the operator about a suspension.",
  },
  TIMEOUT: { status: 408, means: "The body came too slowly.", cure: "Send it again." },
  IN_PROGRESS: {
    status: 409,
    means: "A document with the same Idempotency-Key is being processed.",
    cure: "Wait a second and send it again.",
  },
  TOO_LARGE: {
    status: 413,
    means: "The body is over 20 MiB (decompressed), or over 1 MiB and more than 200 times its gzip stream.",
    cure: "Split the document; send a very repetitive document without gzip.",
  },
  CONTENT_TYPE: {
    status: 415,
    means: "The content type is neither text/xml nor application/xml.",
    cure: "Set Content-Type.",
  },
  IDEMPOTENCY: {
    status: 422,
    means: "The Idempotency-Key of an accepted document came with another body.",
    cure: "Use a new key for a new document.",
  },
  RATE: {
    status: 429,
    means: "Too many requests, or the client's bodies in progress use all the memory that they may.",
    cure: "Wait for the time in Retry-After.",
  },
  UNAVAILABLE: {
    status: 503,
    means:
      "The database cannot be reached, a commit's outcome is unknown, or too many large documents are in progress.",
    cure: "Send it again after Retry-After, with the same Idempotency-Key if there was one.",
  },
} as const;

export type FeedCode = keyof typeof feedCodes;

/** One finding about a document: `[CODE] text`. */
export interface Finding {
  readonly code: FeedCode | WarningCode;
  readonly text: string;
}

export type WarningCode =
  | "GTIN"
  | "BARCODE"
  | "CUSTOMS"
  | "OVER_RETURN"
  | "OLDER"
  | "PRIORITY"
  | "SHIPPING_METHOD"
  | "INACTIVE_SKU";

export function finding(code: FeedCode | WarningCode, text: string): Finding {
  return { code, text };
}

/** The sentence as it appears in an ACK. */
export function sentence({ code, text }: Finding): string {
  return `[${code}] ${text}`;
}

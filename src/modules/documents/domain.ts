/** The papers of an order (contract rest.md §4, warehouse.md): what there is of them, and in which forms. */
export const documentTypes = ["PACKING_SLIP", "SHIPPING_LABEL", "COMMERCIAL_INVOICE"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Forms in which papers are printed, with the endings of their files. */
const endings = { "application/pdf": "pdf", "application/zpl": "zpl", "image/png": "png" } as const;
export type DocumentContentType = keyof typeof endings;
export const documentContentTypes = Object.keys(endings) as readonly DocumentContentType[];

/** A form by its short name. */
export type DocumentFormat = (typeof endings)[DocumentContentType];
export const documentFormats: readonly DocumentFormat[] = Object.values(endings);
export const formatOf = (contentType: DocumentContentType): DocumentFormat => endings[contentType];

/** Of one paper. A label is some ten kilobytes, a slip of 1 000 lines some hundred. */
export const documentBytesMax = 10 * 1024 * 1024;

/** What a paper is, apart from what is printed on it. */
export interface Paper {
  readonly orderId: string;
  /** The parcel that it belongs to; undefined where it is the whole order's. */
  readonly olpnId: string | undefined;
  readonly type: DocumentType;
  readonly contentType: DocumentContentType;
  /** Language of its text, such as `en-GB`; undefined where it has none. */
  readonly language: string | undefined;
}

export interface NewDocument extends Paper {
  readonly bytes: Uint8Array;
}

/** A paper that is kept. */
export interface KeptDocument extends Paper {
  /** UUIDv7 */
  readonly documentId: string;
  /** When it was last made, ISO 8601 UTC. */
  readonly createdAt: string;
  readonly size: number;
  readonly sha256: Buffer;
}

/** Papers of one identity are one: the texts are equal exactly where the papers are. */
export function identityOf({ orderId, olpnId, type, contentType, language }: Paper): string {
  return JSON.stringify([orderId, olpnId ?? "", type, contentType, language ?? ""]);
}

/** A name for the file in which a browser keeps the paper: nothing but ASCII letters, digits and `-._`. */
export function fileNameOf({ orderId, olpnId, type, contentType }: Paper): string {
  const what = type.toLowerCase().replaceAll("_", "-");
  const whose = (olpnId ?? orderId).replaceAll(/[^A-Za-z0-9.-]+/g, "_");
  return `${what}-${whose}.${endings[contentType]}`;
}

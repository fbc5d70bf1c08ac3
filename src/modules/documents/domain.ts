/** The papers of an order (contract rest.md §4, warehouse.md): their types and forms. */
export const documentTypes = ["PACKING_SLIP", "SHIPPING_LABEL", "COMMERCIAL_INVOICE", "CN22", "CN23"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Forms of printed papers, with their file extensions. */
const endings = { "application/pdf": "pdf", "application/zpl": "zpl", "image/png": "png" } as const;
export type DocumentContentType = keyof typeof endings;
export const documentContentTypes = Object.keys(endings) as readonly DocumentContentType[];

/** A form by its short name. */
export type DocumentFormat = (typeof endings)[DocumentContentType];
export const documentFormats: readonly DocumentFormat[] = Object.values(endings);
export const formatOf = (contentType: DocumentContentType): DocumentFormat => endings[contentType];

/** The identity of a paper, without its content. */
export interface Paper {
  readonly orderId: string;
  /** The parcel of the paper; undefined for a paper of the whole order. */
  readonly olpnId: string | undefined;
  readonly type: DocumentType;
  readonly contentType: DocumentContentType;
  /** Language of its text, such as `en-GB`; undefined for a paper without a language. */
  readonly language: string | undefined;
}

/** A stored paper. */
export interface KeptDocument extends Paper {
  /** UUIDv7 */
  readonly documentId: string;
  /** When its content was last set, ISO 8601 UTC. */
  readonly createdAt: string;
  /** Of its bytes; undefined until its first print. */
  readonly size: number | undefined;
  readonly sha256: Buffer | undefined;
}

/** A paper with the digest of its bytes. */
export interface PrintedDocument extends KeptDocument {
  readonly size: number;
  readonly sha256: Buffer;
}

/** The identity of a paper as text: the texts are equal exactly if the papers are. */
export function identityOf({ orderId, olpnId, type, contentType, language }: Paper): string {
  return JSON.stringify([orderId, olpnId ?? "", type, contentType, language ?? ""]);
}

/** A file name for a browser download: only ASCII letters, digits and `-._`. */
export function fileNameOf({ orderId, olpnId, type, contentType }: Paper): string {
  const what = type.toLowerCase().replaceAll("_", "-");
  const whose = (olpnId ?? orderId).replaceAll(/[^A-Za-z0-9.-]+/g, "_");
  return `${what}-${whose}.${endings[contentType]}`;
}

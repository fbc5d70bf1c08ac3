import { zstdDecompressSync } from "node:zlib";
import type { ClientTransaction } from "#/store/db/database.ts";
import { packBytes, packing, unpackBytes } from "#/store/packed/packed.ts";

/**
 * The stored form of a document: its bytes, or compressed: large ones by zstd, small ones packed
 * (docs/decisions/0078-packed-contents.md), which the first byte tells.
 */
export type PayloadEncoding = "identity" | "zstd";

export interface StoredPayload {
  readonly encoding: PayloadEncoding;
  readonly bytes: Uint8Array;
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Packs a small document. @returns the payload itself where an older release may read it, or it is large */
export function packPayload<Payload extends StoredPayload>(tx: ClientTransaction, payload: Payload): Payload {
  if (payload.encoding !== "identity") return payload;
  const bytes = asBuffer(payload.bytes);
  const packed = packBytes(tx, bytes, packing.feed);
  return packed === bytes ? payload : { ...payload, encoding: "zstd", bytes: packed };
}

/** The document as received. @throws a RangeError if it has more bytes than `bytesMax` */
export function bytesOf(payload: Uint8Array, encoding: PayloadEncoding, bytesMax?: number): Buffer {
  const stored = asBuffer(payload);
  if (encoding === "identity") return stored;
  const unpacked = unpackBytes(stored);
  return unpacked === stored ? zstdDecompressSync(stored, { maxOutputLength: bytesMax }) : unpacked;
}

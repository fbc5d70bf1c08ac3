import { createHash } from "node:crypto";
import { constants, zstdCompressSync } from "node:zlib";
import type { Piece } from "#/feeds/intake/definition.ts";
import type { Reading, Validator, ValidatorInput } from "#/feeds/intake/validator.ts";
import type { PayloadEncoding } from "#/feeds/repository.ts";

/** From this size on, a worker thread reads a document: at worst, with a fault in each element, it is 20 ms of work. */
export const threadBytesMin = 32 * 1024;
/** From this size on, a document is compressed, and stored in a separate transaction. */
export const largeBytesMin = 256 * 1024;

/** All data that is derived from a document before the store is read. Plain data: it may come from a worker thread. */
export interface Intake {
  readonly reading: Reading;
  readonly bodySha256: Uint8Array;
  /** The stored form of the document. Large ones are compressed here, because PostgreSQL takes longer for it. */
  readonly payload: { readonly encoding: PayloadEncoding; readonly bytes: Uint8Array };
}

/** A piece of a document, ahead of the others. */
export interface PostedPiece {
  readonly piece: Piece;
  readonly bodySha256: Uint8Array;
}

/** @param post receives the pieces of a list ahead of its end, as long as it has no fault */
export function takeIn(validate: Validator, input: ValidatorInput, post?: (posted: PostedPiece) => void): Intake {
  const { bytes } = input;
  const bodySha256 = createHash("sha256").update(bytes).digest();
  if (bytes.byteLength < largeBytesMin) {
    return { reading: validate(input), bodySha256, payload: { encoding: "identity", bytes } };
  }
  // The compression comes last: a transaction may write the pieces meanwhile.
  const reading = validate(input, post && ((piece) => post({ piece, bodySha256 })));
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
  const payload = { encoding: "zstd", bytes: zstdCompressSync(bytes, level) } as const;
  return { reading, bodySha256, payload };
}

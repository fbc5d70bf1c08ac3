import { deflateRawSync, inflateRawSync } from "node:zlib";
import { assert } from "#/kernel/assert.ts";
import type { Transaction } from "#/store/db/transaction.ts";
import { samples } from "#/store/packed/samples.ts";

// Contents that repeat one shape, stored by what differs from a sample of their kind (docs/decisions/0078): the number of
// the sample in one byte, then raw deflate (RFC 1951) with the sample as preset dictionary. In a column of bytes a content
// that is not packed begins with another byte (`<` of XML, `(` of zstd). In a column of JSON a packed content is a string of
// base64, because the others are objects. 0.2.0 cannot read either, so a transaction says whether it writes them.

/** A kind of contents, by the number of its sample. Sample 2 is read, and no longer written. */
export const packing = {
  event: 1,
  outboundDocument: 3,
  paper: 4,
  reportAnswer: 5,
  carrierDecision: 6,
  outboxBundle: 7,
  feed: 8,
  task: 9,
} as const;
export type Packing = (typeof packing)[keyof typeof packing];

/** A larger content is stored as it is: the sample no longer shortens it much, and deflate takes over a millisecond. */
const bytesMax = 16 * 1024;
/**
 * 8 KiB reach over every sample and its content. Results have some 100 bytes: with the usual buffers of 16 KiB each call
 * makes garbage, and takes a third longer.
 */
const packingOptions = { windowBits: 13, memLevel: 5, chunkSize: 1024 };
const unpackingOptions = { chunkSize: 4096, maxOutputLength: bytesMax };
/** Control characters, with which no content begins. */
const numberMax = 31;
/** A packed column of bytes is less than this one, an unpacked one is greater. */
export const packedBefore = Buffer.of(numberMax + 1);

const dictionaries = new Map<number, Buffer>();

function dictionaryOf(number: number): Buffer {
  const known = dictionaries.get(number);
  if (known !== undefined) return known;
  const sample = samples[number];
  assert(sample !== undefined, `a content is packed by sample ${number}: a newer release wrote it`);
  const dictionary = Buffer.from(sample);
  dictionaries.set(number, dictionary);
  return dictionary;
}

/** The transaction that writes a content. */
type Writer = Pick<Transaction, "writesPacked">;

/** @returns the content itself where it is too large to be packed, or an older release may read it. */
export function packBytes({ writesPacked }: Writer, content: Buffer, kind: Packing): Buffer {
  if (!writesPacked || content.byteLength > bytesMax) return content;
  const packed = deflateRawSync(content, { ...packingOptions, dictionary: dictionaryOf(kind) });
  return Buffer.concat([Buffer.of(kind), packed]);
}

const isPacked = ([first = 0]: Buffer) => first > 0 && first <= numberMax;

/** @returns the content itself where it is not packed. Throws where a newer release packed it. */
export function unpackBytes(content: Buffer): Buffer {
  if (!isPacked(content)) return content;
  const dictionary = dictionaryOf(content[0] as number);
  return inflateRawSync(content.subarray(1), { ...unpackingOptions, dictionary });
}

/** The value for a column of JSON: base64, or the object itself where `packBytes` returns the content itself. */
export function packJson(writer: Writer, value: unknown, kind: Packing): unknown {
  if (!writer.writesPacked || value === undefined || value === null) return value;
  return packText(writer, JSON.stringify(value), kind) ?? value;
}

/** The same for the text of the JSON; undefined where it is not packed. */
export function packText(writer: Writer, json: string, kind: Packing): string | undefined {
  const content = Buffer.from(json);
  const packed = packBytes(writer, content, kind);
  return packed === content ? undefined : packed.toString("base64");
}

/** The object of a column of JSON. */
export function unpackJson(stored: unknown): unknown {
  return typeof stored === "string" ? JSON.parse(unpackBytes(Buffer.from(stored, "base64")).toString()) : stored;
}

import { assert } from "#/kernel/assert.ts";

/** A document of a snapshot or a statement has at most this many rows (outbound.md). */
export const partRowsMax = 10_000;

/** The number of documents for this number of rows; zero rows still make one document, which is empty. */
export function partsOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / partRowsMax));
}

/**
 * The messageId of a part. The first one was promised to the client. The others follow from it, so that a part written
 * before a crash is recognized by its id.
 *
 * @param first UUIDv7; its last 48 bits are counted up, of the 62 that are random.
 * @param part from 1.
 */
export function partId(first: string, part: number): string {
  assert(part >= 1, `there is no part ${part}`);
  const node = (Number.parseInt(first.slice(24), 16) + part - 1) % 2 ** 48;
  return first.slice(0, 24) + node.toString(16).padStart(12, "0");
}

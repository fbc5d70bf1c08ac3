import { assert } from "#/kernel/assert.ts";

/** A document of a snapshot or a statement has at most this many rows (outbound.md). */
export const partRowsMax = 10_000;

/** How many documents so many rows make; none at all still make one, which says so. */
export function partsOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / partRowsMax));
}

/**
 * The messageId of a part. The first one's was promised; the others follow from it, so that a part which was written
 * before a crash is known by its id.
 *
 * @param first UUIDv7: what is counted up are its last 48 bits, of the 62 that are random.
 * @param part from 1.
 */
export function partId(first: string, part: number): string {
  assert(part >= 1, `there is no part ${part}`);
  const node = (Number.parseInt(first.slice(24), 16) + part - 1) % 2 ** 48;
  return first.slice(0, 24) + node.toString(16).padStart(12, "0");
}

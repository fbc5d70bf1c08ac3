import { randomFillSync } from "node:crypto";
import type { Clock } from "#/kernel/clock.ts";

/**
 * Time-ordered ids (UUIDv7, RFC 9562 §5.7): 48 bits of Unix milliseconds, a 12-bit counter within the millisecond, 62
 * random bits. Time-ordered keys keep index inserts at the right edge of the tree; random keys cost a page each.
 */
export interface Ids {
  /** @param atMs the moment that the id contains, in Unix milliseconds. */
  next(atMs: number): string;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Ids that never go back within this process, even when the clock does.
 *
 * @param clock set where ids of several nodes must follow the order of their creation: no id then has an earlier moment
 * than its creation. Work that has waited for a lock passes the moment at which its wait began. Its ids nevertheless
 * come after those of the changes that were made to the same object meanwhile.
 */
export function createIds(clock?: Clock): Ids {
  let lastMs = 0;
  let counter = 0;
  // A separate pool: two id generators that advance in step read the same bits from a shared one, and generate the same
  // id in the same millisecond.
  const randomPool = Buffer.alloc(8 * 512);
  let poolAt = randomPool.length;
  return {
    next(atMs) {
      const ms = clock === undefined ? atMs : Math.max(atMs, clock.now());
      if (ms > lastMs) {
        lastMs = ms;
        counter = 0;
      } else if (++counter > 0xfff) {
        lastMs++;
        counter = 0;
      }
      if (poolAt >= randomPool.length) {
        randomFillSync(randomPool);
        poolAt = 0;
      }
      const time = lastMs.toString(16).padStart(12, "0");
      const random: string[] = [];
      for (let i = 0; i < 8; i++) random.push(hex[randomPool[poolAt + i] as number] as string);
      poolAt += 8;
      const variant = hex[((randomPool[poolAt - 8] as number) & 0x3f) | 0x80] as string;
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${variant}${random[1]}-${random.slice(2).join("")}`;
    },
  };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isUuidV7(text: string): boolean {
  return uuidPattern.test(text);
}

/** The Unix milliseconds that a UUIDv7 contains. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The id of the one object that belongs to an object, such as the outbound document of an event: the same for each
 * call, and a UUIDv7 of the same moment. The companion of a companion is the first id.
 */
export function companionOf(id: string): string {
  const digit = hex[Number.parseInt(id.charAt(24), 16) ^ 8]?.charAt(1);
  return `${id.slice(0, 24)}${digit}${id.slice(25)}`;
}

/** The next larger UUID: the first that a range after this one may contain. Not for the last UUID. */
export function idAfter(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * The smallest UUIDv7-ordered value of a moment: a bound for time ranges over id columns. Before 1970 it is the smallest
 * of all, because no id has an earlier moment.
 */
export function idBoundary(atMs: number): string {
  const time = Math.max(0, atMs).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

// The common protection of the three log-ins (console, token service, SFTP) against guessing.
import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/**
 * The owner of one IPv6 address commonly has 2^64 of them, which count as one network. An IPv4 address counts by
 * itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

/** The key of a log-in counter: bounded in length, and without a readable address or name. */
export function logInKey(what: string, ...parts: readonly string[]): string {
  return `${what} ${createHash("sha256").update(parts.join(" ")).digest("base64url")}`;
}

export type LogInDoor = "sign-in" | "secret" | "sftp";

/** The rate limiter of HTTP, over all nodes. */
export interface LogInCounter {
  take(key: string, limit: typeof wrongOfName): { readonly isAllowed: boolean };
  /** Like `take`, but counts nothing. */
  look(key: string, limit: typeof wrongOfName): { readonly isAllowed: boolean };
}

/** Slows down guesses at one name from many networks without a lock-out: the right password always passes. */
export interface NameDelay {
  /** How long the answer to an attempt for this name is delayed. */
  of(name: string): number;
  noteWrong(name: string): void;
}

/**
 * Wrong attempts for one name from all networks: the burst covers ordinary typing errors, and one more attempt is
 * forgiven each minute.
 */
export const wrongOfName = { perSecond: 1 / 60, burst: 30 };
export const nameDelayMs = 2_000;

export function createNameDelay(counter: LogInCounter, door: LogInDoor): NameDelay {
  const keyOf = (name: string) => logInKey(`${door} name`, name.toLowerCase());
  return {
    of: (name) => (counter.look(keyOf(name), wrongOfName).isAllowed ? 0 : nameDelayMs),
    noteWrong: (name) => void counter.take(keyOf(name), wrongOfName),
  };
}

// What the three log-ins (console, token service, SFTP) have in common against guessing.
import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Who has one address of IPv6 commonly has 2^64 of them: those count as one. An address of IPv4 counts by itself. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

/** The count of a log-in under a key that is bounded in length and stores no address and no name. */
export function logInKey(what: string, ...parts: readonly string[]): string {
  return `${what} ${createHash("sha256").update(parts.join(" ")).digest("base64url")}`;
}

export type LogInDoor = "sign-in" | "secret" | "sftp";

/** What the rate limiter of HTTP does, over all nodes. */
export interface LogInCounter {
  take(key: string, limit: typeof wrongOfName): { readonly isAllowed: boolean };
  /** Like `take`, and counts nothing. */
  look(key: string, limit: typeof wrongOfName): { readonly isAllowed: boolean };
}

/** Guesses of one name from many networks, slowed down without a lock-out: the right password always passes. */
export interface NameDelay {
  /** How long the answer to a try of this name is held back. */
  of(name: string): number;
  noteWrong(name: string): void;
}

/** Wrong tries of one name from everywhere: what people mistype is free, one more is forgiven each minute. */
export const wrongOfName = { perSecond: 1 / 60, burst: 30 };
export const nameDelayMs = 2_000;

export function createNameDelay(counter: LogInCounter, door: LogInDoor): NameDelay {
  const keyOf = (name: string) => logInKey(`${door} name`, name.toLowerCase());
  return {
    of: (name) => (counter.look(keyOf(name), wrongOfName).isAllowed ? 0 : nameDelayMs),
    noteWrong: (name) => void counter.take(keyOf(name), wrongOfName),
  };
}

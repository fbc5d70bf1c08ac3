import { argon2, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** OWASP's first choice of cost: 19 MiB and two passes, about 27 ms here, so never on a hot path. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const hashBytes = 32;
const saltBytes = 16;

/** Without the letters and digits that are easily confused when read aloud: i l o u 0 1. */
const letters = "abcdefghjkmnpqrstvwxyz23456789";

/** A random password that can be read out on the telephone: 25 characters in groups of five, 122 bits. */
export function makePassword(): string {
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: 5 }, group).join("-");
}

/** The argon2id hash (RFC 9106) of a password in the PHC string format, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const hash = await derive("argon2id", { message: password, nonce, tagLength: hashBytes, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

/**
 * Whether a hash of `hashPassword` belongs to this password; the hash contains its cost, so that older hashes stay
 * valid.
 */
export async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(
    stored,
  );
  if (!match) return false;
  const [, memory, passes, parallelism, salt = "", hash = ""] = match;
  const wanted = Buffer.from(hash, "base64");
  const found = await derive("argon2id", {
    message: password,
    nonce: Buffer.from(salt, "base64"),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(found, wanted);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

/** Compares passwords with hashes, a few at a time: each comparison costs 20 MiB and 30 ms of a processor. */
export interface PasswordChecks {
  /**
   * @param network from `networkOf`: networks take turns, and each has its own limit of waiting places.
   * @param stored undefined for a user without a password: the check costs as much, and never succeeds.
   * @returns undefined where too many checks wait already.
   */
  check(network: string, password: string, stored: string | undefined): Promise<boolean | undefined>;
}

const atATimeMax = 2;
const waitingMax = 100;
/** One network fills only a part of the places, so that a sign-in from another network waits for few of its checks. */
export const waitingOfNetworkMax = 10;
/** RFC 4252 sets no limit; no person types more. */
const passwordBytesMax = 1_024;

export async function createPasswordChecks(): Promise<PasswordChecks> {
  const nobodys = await hashPassword(makePassword());
  /** The waiting checks, by network, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let inProgress = 0;

  async function takeTurn(network: string): Promise<boolean> {
    if (inProgress < atATimeMax) {
      inProgress++;
      return true;
    }
    const queue = queues.get(network) ?? [];
    if (waiting >= waitingMax || queue.length >= waitingOfNetworkMax) return false;
    waiting++;
    queues.set(network, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
    return true;
  }

  function passOn(): void {
    const [entry] = queues;
    if (entry === undefined) {
      inProgress--;
      return;
    }
    const [network, queue] = entry;
    const next = queue.shift();
    waiting--;
    // After the other networks, if more of its checks wait.
    queues.delete(network);
    if (queue.length > 0) queues.set(network, queue);
    next?.();
  }

  return {
    async check(network, password, stored) {
      if (!(await takeTurn(network))) return undefined;
      try {
        const isRight = await isPasswordOf(password.slice(0, passwordBytesMax), stored ?? nobodys);
        return isRight && stored !== undefined && password.length <= passwordBytesMax;
      } finally {
        passOn();
      }
    },
  };
}

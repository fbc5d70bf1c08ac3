/** From a name to the addresses that may be connected to (contract/webhooks.md §2, Where it may connect). */
import dns from "node:dns/promises";
import { isIP } from "node:net";
import { BlockedError, NameError } from "#/delivery/webhooks/sending/answer.ts";
import { type AddressPolicy, refusalOfAddress } from "#/kernel/security/address-policy.ts";

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name; rejects where there is none. */
export type Lookup = (hostname: string) => Promise<readonly FoundAddress[]>;

/** Of libuv's four threads one is left to files and keys, however many names have a silent server. */
const lookupsAtOnceMax = 3;
/** And one of the three to names that have answered: whoever names servers that are silent slows no other. */
const strangersAtOnceMax = 2;
const silentAtOnceMax = 1;
const silentMs = 1_000;
/** So many names are remembered. */
const namesMax = 10_000;

/** How a name has answered the last time: whoever answers goes first, and who was silent goes last. */
type Standing = "known" | "unknown" | "silent";
const standings = ["known", "unknown", "silent"] as const;

const ofSystem: Lookup = (hostname) => dns.lookup(hostname, { all: true });

/**
 * The system's own, with its hosts file and search domains. It occupies a thread of the pool that files and keys use too, for
 * as long as the name's server is silent: so at the most one thread for each name, and not all of them for all names.
 */
export function createSystemLookup(find: Lookup = ofSystem): Lookup {
  const underWay = new Map<string, ReturnType<Lookup>>();
  const standingOf = new Map<string, Standing>();
  const waiting: Record<Standing, (() => void)[]> = { known: [], unknown: [], silent: [] };
  const running: Record<Standing, number> = { known: 0, unknown: 0, silent: 0 };

  function isFree(standing: Standing): boolean {
    const strangers = running.unknown + running.silent;
    if (running.known + strangers >= lookupsAtOnceMax) return false;
    if (standing === "known") return true;
    return strangers < strangersAtOnceMax && (standing === "unknown" || running.silent < silentAtOnceMax);
  }

  function giveOut(): void {
    for (const standing of standings) {
      while (waiting[standing].length > 0 && isFree(standing)) {
        running[standing]++;
        waiting[standing].shift()?.();
      }
    }
  }

  function note(hostname: string, standing: Standing): void {
    standingOf.delete(hostname);
    standingOf.set(hostname, standing);
    const [oldest] = standingOf.keys();
    if (standingOf.size > namesMax && oldest !== undefined) standingOf.delete(oldest);
  }

  async function findInTurn(hostname: string): ReturnType<Lookup> {
    const standing = standingOf.get(hostname) ?? "unknown";
    await new Promise<void>((resolve) => {
      waiting[standing].push(resolve);
      giveOut();
    });
    const startedMs = performance.now();
    let isFound = false;
    try {
      const found = await find(hostname);
      isFound = true;
      return found;
    } finally {
      const ms = performance.now() - startedMs;
      note(hostname, ms >= silentMs ? "silent" : isFound ? "known" : "unknown");
      underWay.delete(hostname);
      running[standing]--;
      giveOut();
    }
  }

  return (hostname) => {
    const started = underWay.get(hostname) ?? findInTurn(hostname);
    underWay.set(hostname, started);
    return started;
  };
}

/**
 * Looks up all addresses and refuses them all if any may not be connected to: which one of them a connection takes is not ours
 * to choose. The caller connects to these very ones; another look-up could answer something else.
 *
 * @param host a name, or a literal address, which needs no look-up.
 * @throws BlockedError, NameError, or what the look-up throws.
 */
export async function findAddresses(
  lookup: Lookup,
  policy: AddressPolicy,
  host: string,
): Promise<readonly FoundAddress[]> {
  const literal = isIP(host);
  const found = literal === 0 ? await lookup(host) : [{ address: host, family: literal }];
  if (found.length === 0) throw new NameError(`${host} has no address`);
  for (const { address } of found) {
    const refusal = refusalOfAddress(policy, address);
    if (refusal === undefined) continue;
    // Whoever chose the name reads this: which addresses our network knows it by is none of theirs.
    const isNamed = literal === 0 && !policy.isTerse;
    throw new BlockedError(isNamed ? `one of its name's addresses is refused: ${kindOf(refusal)}` : refusal);
  }
  return found;
}

/** The refusal without the address that a wrapped one stands for. */
const kindOf = (refusal: string): string => refusal.replace(/^it stands for \S+, /, "it is ");

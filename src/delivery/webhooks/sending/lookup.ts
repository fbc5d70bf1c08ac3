/** Resolves a name to the addresses that may be connected to (contract/webhooks.md §2, Where it may connect). */
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

/** One of libuv's four threads stays free for files and keys, however many names have a silent server. */
const lookupsAtOnceMax = 3;
/**
 * One of the three stays free for names that have answered: a client that names silent servers slows no other client.
 */
const strangersAtOnceMax = 2;
const silentAtOnceMax = 1;
const silentMs = 1_000;
/** The number of names that are remembered. */
const namesMax = 10_000;

/** The result of a name's last lookup: names that answered go first, and silent ones last. */
type HostState = "known" | "unknown" | "silent";
const hostStates = ["known", "unknown", "silent"] as const;

const ofSystem: Lookup = (hostname) => dns.lookup(hostname, { all: true });

/**
 * The system's own lookup, with its hosts file and search domains. It occupies a thread of the pool that files and keys
 * also use, for as long as the name's server is silent. Each name therefore uses at most one thread, and all names
 * together never use all of them.
 */
export function createSystemLookup(find: Lookup = ofSystem): Lookup {
  const inProgress = new Map<string, ReturnType<Lookup>>();
  const stateOf = new Map<string, HostState>();
  const waiting: Record<HostState, (() => void)[]> = { known: [], unknown: [], silent: [] };
  const running: Record<HostState, number> = { known: 0, unknown: 0, silent: 0 };

  function isFree(state: HostState): boolean {
    const strangers = running.unknown + running.silent;
    if (running.known + strangers >= lookupsAtOnceMax) return false;
    if (state === "known") return true;
    return strangers < strangersAtOnceMax && (state === "unknown" || running.silent < silentAtOnceMax);
  }

  function giveOut(): void {
    for (const state of hostStates) {
      while (waiting[state].length > 0 && isFree(state)) {
        running[state]++;
        waiting[state].shift()?.();
      }
    }
  }

  function note(hostname: string, state: HostState): void {
    stateOf.delete(hostname);
    stateOf.set(hostname, state);
    const [oldest] = stateOf.keys();
    if (stateOf.size > namesMax && oldest !== undefined) stateOf.delete(oldest);
  }

  async function findInTurn(hostname: string): ReturnType<Lookup> {
    const state = stateOf.get(hostname) ?? "unknown";
    await new Promise<void>((resolve) => {
      waiting[state].push(resolve);
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
      inProgress.delete(hostname);
      running[state]--;
      giveOut();
    }
  }

  return (hostname) => {
    const started = inProgress.get(hostname) ?? findInTurn(hostname);
    inProgress.set(hostname, started);
    return started;
  };
}

/**
 * Looks up all addresses, and refuses them all if one of them is blocked: the sender does not choose which one a
 * connection uses. The caller connects to exactly these addresses, because another lookup could return others.
 *
 * @param host a name, or a literal address, which needs no lookup.
 * @throws BlockedError, NameError, or the error of the lookup.
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
    // The client that chose the name reads this text: it must not reveal the addresses that our network resolves the
    // name to.
    const isNamed = literal === 0 && !policy.isTerse;
    throw new BlockedError(isNamed ? `one of the addresses of its name is refused: ${kindOf(refusal)}` : refusal);
  }
  return found;
}

/** The refusal without the embedded address of a wrapped one. */
const kindOf = (refusal: string): string => refusal.replace(/^it stands for \S+, /, "it is ");

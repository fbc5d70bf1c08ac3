import { hashPassword, isPasswordOf, makePassword } from "#/kernel/security/password.ts";

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

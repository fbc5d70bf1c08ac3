// How much memory request bodies may hold at a time: one sender's bodies can neither end the process nor lock out other
// senders.
import { totalmem } from "node:os";

export interface BodyBudget {
  /** @param holder the sender of the body: `client ACME`, `user ann`, `address 192.0.2.1`. */
  open(holder: string): BodyAccount;
}

/** The memory that one body holds. */
export interface BodyAccount {
  /** @throws OverBudgetError; memory that was taken before stays taken until `close`. */
  take(bytes: number): void;
  /** Releases all memory of the body. */
  close(): void;
}

/** The budget has no room for more of a body at present. */
export class OverBudgetError extends Error {
  override readonly name = "OverBudgetError";
  /** The share that is used up: that of the sender, or the whole budget. */
  readonly share: "holder" | "process";
  readonly retryAfterSeconds = 2;

  constructor(share: OverBudgetError["share"], bytesMax: number) {
    const whose = share === "holder" ? "in progress from this sender" : "in progress here";
    super(`The bodies ${whose} use ${Math.floor(bytesMax / mebibyte)} MiB, which is the limit; try again in 2 s`);
    this.share = share;
  }
}

const mebibyte = 1024 * 1024;
/** Two bodies of the largest size, and their overhead. */
const holderBytesMin = 42 * mebibyte;
/** At least two senders have room at the same time. */
export const budgetBytesMin = 2 * holderBytesMin;
const budgetBytesMax = 1024 * mebibyte;

/** An eighth of the memory that the process may use: the limit of its control group, otherwise the machine's memory. */
export function standardBudgetBytes(
  memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()),
): number {
  return Math.max(budgetBytesMin, Math.min(budgetBytesMax, Math.floor(memoryBytes / 8)));
}

/** The default share of a holder is a quarter of the whole. */
export function createBodyBudget(
  bytesMax = standardBudgetBytes(),
  holderBytesMax = Math.max(holderBytesMin, Math.floor(bytesMax / 4)),
): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  return {
    open(holder) {
      let heldBytes = 0;
      return {
        take(bytes) {
          const before = held.get(holder) ?? 0;
          if (before + bytes > holderBytesMax) throw new OverBudgetError("holder", holderBytesMax);
          if (total + bytes > bytesMax) throw new OverBudgetError("process", bytesMax);
          held.set(holder, before + bytes);
          total += bytes;
          heldBytes += bytes;
        },
        close() {
          if (heldBytes === 0) return;
          const left = (held.get(holder) as number) - heldBytes;
          if (left === 0) held.delete(holder);
          else held.set(holder, left);
          total -= heldBytes;
          heldBytes = 0;
        },
      };
    },
  };
}

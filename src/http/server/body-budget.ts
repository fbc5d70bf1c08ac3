// How much memory the bodies of requests may hold at a time: one sender's cannot end the process, nor shut the others out.
import { totalmem } from "node:os";

export interface BodyBudget {
  /** @param holder whom the body is from: `client ACME`, `user ann`, `address 192.0.2.1`. */
  open(holder: string): BodyAccount;
}

/** What one body holds. */
export interface BodyAccount {
  /** @throws OverBudgetError; what was taken before stays taken until `close`. */
  take(bytes: number): void;
  /** Gives all of it back. */
  close(): void;
}

/** There is no room for more of a body now. */
export class OverBudgetError extends Error {
  override readonly name = "OverBudgetError";
  /** Whose share is used up. */
  readonly share: "holder" | "process";
  readonly retryAfterSeconds = 2;

  constructor(share: OverBudgetError["share"], bytesMax: number) {
    const whose = share === "holder" ? "that are under way from this sender" : "that are under way here";
    super(
      `The bodies ${whose} hold ${Math.floor(bytesMax / mebibyte)} MiB, which is as much as they may; try again in 2 s`,
    );
    this.share = share;
  }
}

const mebibyte = 1024 * 1024;
/** Two bodies of the largest size, and what is about them. */
const holderBytesMin = 42 * mebibyte;
/** Two senders at the least have room beside each other. */
export const budgetBytesMin = 2 * holderBytesMin;
const budgetBytesMax = 1024 * mebibyte;

/** An eighth of what the process may take: the limit of its control group, else the machine's memory. */
export function standardBudgetBytes(
  memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()),
): number {
  return Math.max(budgetBytesMin, Math.min(budgetBytesMax, Math.floor(memoryBytes / 8)));
}

/** A holder's share is a quarter of the whole. */
export function createBodyBudget(
  bytesMax = standardBudgetBytes(),
  holderBytesMax = Math.max(holderBytesMin, Math.floor(bytesMax / 4)),
): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  return {
    open(holder) {
      let own = 0;
      return {
        take(bytes) {
          const before = held.get(holder) ?? 0;
          if (before + bytes > holderBytesMax) throw new OverBudgetError("holder", holderBytesMax);
          if (total + bytes > bytesMax) throw new OverBudgetError("process", bytesMax);
          held.set(holder, before + bytes);
          total += bytes;
          own += bytes;
        },
        close() {
          if (own === 0) return;
          const left = (held.get(holder) as number) - own;
          if (left === 0) held.delete(holder);
          else held.set(holder, left);
          total -= own;
          own = 0;
        },
      };
    },
  };
}

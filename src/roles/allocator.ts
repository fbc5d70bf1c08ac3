import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { isContention, isUnavailable, logLevelOf } from "#/db/errors.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";
import { startTurns, type Turns } from "#/kernel/turns.ts";
import { clearAllocationWants, listAllocationDue, listWantedSkus, openBook } from "#/modules/inventory/index.ts";
import { allocateOrders } from "#/modules/orders/index.ts";
import { allocateComponents } from "#/modules/workorders/index.ts";
import { createOutboxWriter } from "#/outbox/append.ts";

export interface AllocatorContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** There is something to publish. */
  readonly onCommit?: () => void;
  /** After a restore: nothing is given out as long as this says so. */
  readonly isHeld?: () => boolean;
}

const pollMs = 1_000;
/** Woken by each report of a busy warehouse, it would allocate a handful of lines at a time. */
const paceMs = 50;
const booksMax = 1_000;
const skusMax = 500;
/** For one statement over the waiting lines of many SKUs; what is left comes in the next turn. */
const statementTimeoutMs = 20_000;

/**
 * Gives stock that arrived, or was freed, to what waits for it: orders first, then work orders. What is to be looked at
 * stands in the store and is cleared in the transaction that allocates, so a worker that dies leaves it to the next one,
 * and the lock of the book keeps two from giving the same unit (lifecycle.md §1, Allocation).
 */
export function startAllocator(context: AllocatorContext): Turns {
  const { database, clock, ids, log } = context;
  const writer = createOutboxWriter(ids);

  /** One transaction of one book; answers whether there is more to do. */
  async function allocateBook(clientId: string, facilityCode: string): Promise<boolean> {
    const at = new Date(clock.now()).toISOString();
    const change: Change = { actor: "worker", origin: "allocation", at, ids };
    const hasMore = await database.transaction(
      async (tx) => {
        const book = await openBook(tx, clientId, facilityCode, at);
        const skus = await listWantedSkus(tx, clientId, facilityCode, skusMax);
        if (skus.length === 0) return false;
        const { drafts, isDone } = await allocateOrders(tx, change, book, { skus });
        // Nobody else marks the book's SKUs before the commit, and giving out frees nothing that was not looked at.
        if (isDone) clearAllocationWants(tx, clientId, facilityCode, skus);
        const ofWorkOrders = isDone ? await allocateComponents(tx, change, book, skus) : [];
        writer.append(tx, clientId, at, [...drafts, ...ofWorkOrders]);
        return !isDone || skus.length === skusMax;
      },
      { statementTimeoutMs },
    );
    context.onCommit?.();
    return hasMore;
  }

  async function turn(isStopping: () => boolean): Promise<boolean> {
    let hasMore = false;
    if (context.isHeld?.()) return false;
    for (const { clientId, facilityCode } of await listAllocationDue(database, booksMax)) {
      if (isStopping() || context.isHeld?.()) break;
      try {
        if (await allocateBook(clientId, facilityCode)) hasMore = true;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        if (!isContention(error)) log.error({ err: error, clientId, facilityCode }, "stock could not be allocated");
      }
    }
    return hasMore;
  }

  const onInterrupted = (error: Error) => log[logLevelOf(error)]({ err: error }, "allocation was interrupted");
  return startTurns({ turn, onInterrupted, paceMs, pollMs });
}

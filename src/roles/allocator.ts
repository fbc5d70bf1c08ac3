import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { isContention, logLevelOf, scopeOf } from "#/db/errors.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
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
/** Of a batch, in SKUs: below the minimum the fixed costs of a transaction decide. */
const sizes = { sizeMin: 20, sizeMax: 500 };
/** The other connections of a worker are the relay's, the fan-out's and the jobs'. */
const placesMax = 2;
/** For one statement over the waiting lines of many SKUs; what is left comes in the next batch. */
const statementTimeoutMs = 20_000;

interface Book {
  readonly clientId: string;
  readonly facilityCode: string;
}

const nothing: Batch = { weight: 0, hasMore: false };

/**
 * Gives stock that arrived, or was freed, to what waits for it: orders first, then work orders. What is to be looked at
 * stands in the store and is cleared in the transaction that allocates, so a worker that dies leaves it to the next one,
 * and the lock of the book keeps two from giving the same unit (lifecycle.md §1, Allocation).
 */
export function startAllocator(context: AllocatorContext): FairTurns {
  const { database, clock, ids, log } = context;
  const writer = createOutboxWriter(ids);

  async function allocateBook({ clientId, facilityCode }: Book, skusMax: number): Promise<Batch> {
    const at = new Date(clock.now()).toISOString();
    const change: Change = { actor: "worker", origin: "allocation", at, ids };
    const batch = await database.transaction(
      async (tx) => {
        const book = await openBook(tx, clientId, facilityCode, at);
        const skus = await listWantedSkus(tx, clientId, facilityCode, skusMax);
        if (skus.length === 0) return nothing;
        const { drafts, isDone } = await allocateOrders(tx, change, book, { skus });
        // Nobody else marks the book's SKUs before the commit, and giving out frees nothing that was not looked at.
        if (isDone) clearAllocationWants(tx, clientId, facilityCode, skus);
        const ofWorkOrders = isDone ? await allocateComponents(tx, change, book, skus) : [];
        writer.append(tx, clientId, at, [...drafts, ...ofWorkOrders]);
        return { weight: skus.length, hasMore: !isDone || skus.length === skusMax };
      },
      { statementTimeoutMs },
    );
    context.onCommit?.();
    return batch;
  }

  return startFairTurns<Book>({
    ...sizes,
    ...{ placesMax, paceMs, pollMs, scopeOf },
    async find() {
      const due = context.isHeld?.() ? [] : await listAllocationDue(database, booksMax);
      return new Map(due.map((book) => [`${book.clientId} ${book.facilityCode}`, book]));
    },
    work: async (_, book, size) => (context.isHeld?.() ? nothing : allocateBook(book, size)),
    onError(error, book) {
      const [clientId, facilityCode] = book?.split(" ") ?? [];
      if (!isContention(error)) {
        log[logLevelOf(error)]({ err: error, clientId, facilityCode }, "stock could not be allocated");
      }
    },
  });
}

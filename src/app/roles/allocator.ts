import type { Clock } from "#/kernel/clock.ts";
import { type Batch, type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import {
  clearAllocationWants,
  listAllocationDue,
  listFacilitiesToAllocate,
  listWantedSkus,
  openBook,
} from "#/modules/inventory/index.ts";
import { allocateOrders, movePromisedDays } from "#/modules/orders/index.ts";
import { allocateComponents } from "#/modules/workorders/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, logLevelOf, scopeOf } from "#/store/db/errors.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

export interface AllocatorContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Called when there are events to publish. */
  readonly onCommit?: (clientId: string) => void;
  /** While true after a restore, no stock is allocated. */
  readonly isHeld?: () => boolean;
}

const pollMs = 1_000;
/**
 * Minimum pause between rounds. Without it, each report of a busy warehouse wakes the allocator for a handful of lines.
 */
const paceMs = 50;
const booksMax = 1_000;
/** Batch size in SKUs. Below the minimum, the fixed costs of a transaction dominate. */
const sizes = { sizeMin: 20, sizeMax: 500 };
/** The relay, the fan-out and the jobs use the other connections of a worker. */
const placesMax = 2;
/** Timeout for one statement over the waiting lines of many SKUs. The rest comes in the next batch. */
const statementTimeoutMs = 20_000;

interface Book {
  readonly clientId: string;
  readonly facilityCode: string;
}

const nothing: Batch = { weight: 0, hasMore: false };

/**
 * Allocates arrived or released stock to waiting orders, then to work orders. The store holds the SKUs to check, and
 * the allocating transaction clears them. If a worker crashes, the next one continues. The lock of the book prevents
 * two workers from allocating the same unit (lifecycle.md §1, Allocation).
 */
export function startAllocator(context: AllocatorContext): FairTurns {
  const { database, clock, ids, log } = context;
  const writer = createOutboxWriter(ids, context);

  async function allocateBook({ clientId, facilityCode }: Book, skusMax: number): Promise<Batch> {
    const at = new Date(clock.now()).toISOString();
    const change: Change = { actor: "worker", origin: "allocation", at, ids };
    const batch = await database.ofClient(clientId).transaction(
      async (tx) => {
        const view = tx.of(clientId);
        const book = await openBook(view, facilityCode, at);
        const skus = await listWantedSkus(view, facilityCode, skusMax);
        if (skus.length === 0) return nothing;
        const { drafts, isDone } = await allocateOrders(tx.of(book.clientId, change), book, { skus });
        // No other transaction marks the book's SKUs before the commit, and allocation releases no stock that was not
        // checked.
        if (isDone) clearAllocationWants(view, facilityCode, skus);
        const promised = isDone ? await movePromisedDays(tx.of(book.clientId, change), book, skus) : [];
        const ofWorkOrders = isDone ? await allocateComponents(tx.of(book.clientId, change), book, skus) : [];
        writer.append(view, at, [...drafts, ...promised, ...ofWorkOrders]);
        return { weight: skus.length, hasMore: !isDone || skus.length === skusMax };
      },
      { statementTimeoutMs },
    );
    return batch;
  }

  return startFairTurns<Book>({
    name: "allocation",
    ...sizes,
    placesMax,
    paceMs,
    pollMs,
    scopeOf,
    async find() {
      const due = context.isHeld?.() ? [] : await listAllocationDue(database.lookUps, booksMax);
      return new Map(due.map((book) => [`${book.clientId} ${book.facilityCode}`, book]));
    },
    async findNamed(clientId) {
      const view = database.ofClient(clientId).reads.of(clientId);
      const facilityCodes = context.isHeld?.() ? [] : await listFacilitiesToAllocate(view);
      return new Map(facilityCodes.map((facilityCode) => [`${clientId} ${facilityCode}`, { clientId, facilityCode }]));
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

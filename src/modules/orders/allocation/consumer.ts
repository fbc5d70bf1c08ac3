import type { Ids } from "#/kernel/values/ids.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { allocateAll } from "#/modules/orders/allocation/allocation.ts";
import { trackAndTrace, wakesAllocation } from "#/modules/orders/events.ts";
import { codesOfReceipt, findReached, insertMilestones } from "#/modules/orders/milestone-repository.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import type { Consumer } from "#/store/outbox/relay.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";

const topics: ReadonlySet<string> = wakesAllocation;

/**
 * Allocates stock for orders that were accepted, changed or released, in the transaction that publishes the event. It
 * is the first of the relay's consumers, because it opens books, and a transaction must open its books before it locks
 * rows.
 */
export function createAllocationConsumer({ ids }: { readonly ids: Ids }): Consumer {
  return {
    span: { name: "allocate", concerns: (row) => topics.has(row.topic) && row.facilityCode !== null },
    async consume(tx, at, rows) {
      const concerned = rows.filter((row) => topics.has(row.topic) && row.facilityCode !== null);
      if (concerned.length === 0) return [];
      const byFacility = Map.groupBy(concerned, ({ facilityCode }) => facilityCode as string);
      const books = await openBooks(tx, [...byFacility.keys()], at);
      // Behind the lock of the books, no other change of these orders raises codes.
      const unit = tx.with({ actor: "worker", origin: "allocation", at, ids });
      const drafts = await raiseReceipts(unit, concerned);
      for (const [facilityCode, book] of books) {
        const orderIds = [...new Set(byFacility.get(facilityCode)?.map(({ objectId }) => objectId))];
        drafts.push(...(await allocateAll(unit, book, { orderIds })));
      }
      return drafts;
    },
  };
}

/**
 * The codes of the receipt are raised here to keep them off the path of the feed, except those of orders for which a
 * later code was raised first: orders that are held from the start, or that changed before this event was published.
 */
async function raiseReceipts(tx: UnitOfWork, rows: readonly OutboxRow[]): Promise<EventDraft[]> {
  const received = rows.filter(({ topic }) => topic === "order:received");
  const reached = await findReached(
    tx,
    received.map(({ objectId }) => objectId),
  );
  const fresh = received.filter(({ objectId }) => !reached.has(objectId));
  const codes = fresh.flatMap((row) => codesOfReceipt.map((code) => ({ row, code })));
  insertMilestones(
    tx,
    codes.map(({ row, code }) => ({
      orderId: row.objectId,
      milestoneId: tx.change.ids.next(Date.parse(tx.change.at)),
      code,
      at: row.occurredAt,
      receivedAt: tx.change.at,
    })),
  );
  return codes.map(({ row, code }) =>
    trackAndTrace({
      orderId: row.objectId,
      facilityCode: row.facilityCode as string,
      code,
      occurredAt: row.occurredAt,
    }),
  );
}

import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { allocateAll } from "#/modules/orders/allocation/allocation.ts";
import { trackAndTrace } from "#/modules/orders/events.ts";
import { insertMilestones } from "#/modules/orders/milestone-repository.ts";
import type { EventDraft } from "#/outbox/append.ts";
import type { Consumer } from "#/outbox/relay.ts";
import type { OutboxRow } from "#/outbox/repository.ts";

const topics: ReadonlySet<string> = new Set(["order:received", "order:updated", "order:released"]);
/** Order Received and Order Validated. They are raised here to keep them off the path of the feed. */
const codesOfReceipt = [10, 20] as const;

/**
 * Allocates stock for orders that were accepted, changed or released, in the transaction that publishes the event. It
 * is the first of the relay's consumers, because it opens books, and a transaction must open its books before it locks
 * rows.
 */
export function createAllocationConsumer({ ids }: { readonly ids: Ids }): Consumer {
  return {
    span: { name: "allocate", concerns: (row) => topics.has(row.topic) && row.facility_code !== null },
    async consume(tx, clientId, at, rows) {
      const concerned = rows.filter((row) => topics.has(row.topic) && row.facility_code !== null);
      if (concerned.length === 0) return [];
      const change: Change = { actor: "worker", origin: "allocation", at, ids };
      const drafts = raiseReceipts(tx, clientId, change, concerned);
      const byFacility = Map.groupBy(concerned, ({ facility_code }) => facility_code as string);
      const books = await openBooks(tx, clientId, [...byFacility.keys()], at);
      for (const [facilityCode, book] of books) {
        const orderIds = [...new Set(byFacility.get(facilityCode)?.map(({ object_id }) => object_id))];
        drafts.push(...(await allocateAll(tx, change, book, { orderIds })));
      }
      return drafts;
    },
  };
}

function raiseReceipts(tx: Transaction, clientId: string, change: Change, rows: readonly OutboxRow[]): EventDraft[] {
  const received = rows.filter(({ topic }) => topic === "order:received");
  const codes = received.flatMap((row) => codesOfReceipt.map((code) => ({ row, code })));
  insertMilestones(
    tx,
    clientId,
    codes.map(({ row, code }) => ({
      orderId: row.object_id,
      milestoneId: change.ids.next(Date.parse(change.at)),
      code,
      at: row.occurred_at,
      receivedAt: change.at,
    })),
  );
  return codes.map(({ row, code }) =>
    trackAndTrace({
      orderId: row.object_id,
      facilityCode: row.facility_code as string,
      code,
      occurredAt: row.occurred_at,
    }),
  );
}

import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { listExpiredLots } from "#/modules/inventory/adjustments/expiry-repository.ts";
import type { FreeAllocations } from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { facilityToday } from "#/modules/inventory/quantities.ts";
import type { EventDraft } from "#/outbox/append.ts";

const lotsMax = 200;

/**
 * Takes back from orders and work orders what they hold of goods whose last day is over and that nobody has picked
 * (lifecycle.md §1): they look for other stock. What is picked is in the warehouse's hands and stays.
 *
 * @returns the events to append; none when nothing expired is held any more.
 */
export async function freeExpired(
  tx: Transaction,
  change: Change,
  book: Book,
  free: FreeAllocations,
): Promise<EventDraft[]> {
  const { clientId, facilityCode } = book;
  const today = await facilityToday(tx, facilityCode, change.at);
  const lots = await listExpiredLots(tx, clientId, facilityCode, today, lotsMax);
  const drafts: EventDraft[] = [];
  for (const { allocated, ...lot } of lots) drafts.push(...(await free(tx, change, book, lot, allocated)).drafts);
  return drafts;
}

import { idBoundary } from "#/kernel/values/ids.ts";
import { findBook } from "#/modules/inventory/ledger/book.ts";
import { type MovementRecord, movementCursor } from "#/modules/inventory/rest/history-contract.ts";
import { listMovements } from "#/modules/inventory/rest/history-repository.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export interface MovementPlace {
  readonly position: number;
  /** Unix milliseconds: entries after the position were booked then or later. */
  readonly fromMs: number;
}

export interface MovementListRequest {
  readonly facilityCode: string;
  readonly sku: string | undefined;
  readonly type: string | undefined;
  readonly after: MovementPlace;
  readonly limit: number;
  readonly serialsMax?: number;
}

/**
 * Entries of one type may be few among millions, and no index finds them: a page scans this number of positions, and
 * the next page continues after them.
 */
const lookedThroughMax = 50_000;
/** An entry has up to 10 000 serial numbers of 64 characters: 500 such entries would be 320 MB. */
export const serialsMaxDefault = 20_000;

/**
 * A page of the ledger after a place. Positions are assigned under the lock of the book and become visible in order, so
 * a later read never returns an earlier entry. The moment of the place keeps an up-to-date reader from opening older
 * months.
 */
export async function readMovements(
  database: Database,
  clientId: string,
  { facilityCode, sku, type, after, limit, serialsMax = serialsMaxDefault }: MovementListRequest,
): Promise<{ readonly items: MovementRecord[]; readonly nextCursor: string }> {
  const to = type === undefined ? Number.MAX_SAFE_INTEGER : after.position + lookedThroughMax;
  const page = { sku, type, after: after.position, to, fromId: idBoundary(after.fromMs), limit, serialsMax };
  const [book, rows] = await readSnapshot(database.ofClient(clientId), (tx) =>
    Promise.all([findBook(tx.of(clientId), facilityCode), listMovements(tx.of(clientId), facilityCode, page)]),
  );
  const last = rows.at(-1);
  const end = book?.last_position ?? 0;
  let next = after;
  if (last && (rows.length === limit || rows.length < last.found)) next = placeBehind(last);
  else if (end > to) next = { position: to, fromMs: last ? placeBehind(last).fromMs : after.fromMs };
  else if (book && end >= after.position) next = { position: end, fromMs: momentOf(book.last_booked_at) };
  return { items: rows, nextCursor: cursorOf(facilityCode, sku, type, next) };
}

/** The place after an entry. */
export function placeBehind({ position, at }: MovementRecord): MovementPlace {
  return { position, fromMs: momentOf(at) };
}

/** A cursor of movement/list for these filters. */
export function cursorOf(
  facility: string,
  sku: string | undefined,
  type: string | undefined,
  { position, fromMs }: MovementPlace,
): string {
  return movementCursor.encode({
    facility,
    ...(sku === undefined ? {} : { sku }),
    ...(type === undefined ? {} : { type }),
    position,
    fromMs,
  });
}

/** Unix milliseconds of a stored moment; a book without entries has `-infinity`. */
export function momentOf(at: string): number {
  return at === "-infinity" ? 0 : Math.max(0, Date.parse(at));
}

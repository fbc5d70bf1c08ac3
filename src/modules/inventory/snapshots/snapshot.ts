import type { ClientTransaction, ClientTx, UnitOfWork } from "#/db/database.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { openBook } from "#/modules/inventory/ledger/book.ts";
import { findBook, writeBook } from "#/modules/inventory/ledger/book-repository.ts";
import { facilityToday } from "#/modules/inventory/quantities.ts";
import * as repository from "#/modules/inventory/snapshots/repository.ts";

export interface SnapshotRequest {
  readonly kind: "MIDNIGHT" | "REQUEST";
  /** The facility's local date, `YYYY-MM-DD`: for a midnight the day that ended, for a request the current day. */
  readonly snapshotDate: string;
  /** For a midnight: the moment, ISO 8601. Entries that are booked from then on are left out. */
  readonly boundary?: string | undefined;
  readonly wantsInv: boolean;
  readonly wantsIms: boolean;
  /** Message ids of the first parts, if they have been announced; generated otherwise. */
  readonly messageIds?: { readonly inv?: string | undefined; readonly ims?: string | undefined } | undefined;
}

export interface Snapshot {
  readonly snapshotId: string;
  readonly facilityCode: string;
  readonly kind: "MIDNIGHT" | "REQUEST";
  /** `YYYY-MM-DD` */
  readonly snapshotDate: string;
  /** The snapshot includes all entries up to this position and none after it. */
  readonly position: number;
  /** ISO 8601. */
  readonly takenAt: string;
  /** The opening snapshot of its movement statement; undefined: the statement opens with nothing, at position 0. */
  readonly previousId: string | undefined;
  readonly invMessageId: string | undefined;
  readonly imsMessageId: string | undefined;
}

/** SKUs without stock are listed if something moved within this time (outbound.md, INV). */
const movedDays = 400;
/** Rows are kept for 400 days; a statement must not open with rows that may be deleted while it is written. */
const previousDaysMax = 380;

/**
 * Stores the stock of a client in a facility at a position (lifecycle.md §8): the last position before the midnight, or
 * the last one of all. For one midnight only the first call stores it; later calls return undefined.
 *
 * It takes no lock, with one exception: a midnight after which nothing has been booked yet. Then it closes the book up
 * to that midnight, so that a transaction that began before midnight cannot book into the reported day. A `sealBook` in
 * an earlier transaction keeps the lock short.
 */
export async function takeSnapshot(
  tx: UnitOfWork,
  facilityCode: string,
  request: SnapshotRequest,
): Promise<Snapshot | undefined> {
  const { kind, snapshotDate, boundary, wantsInv, wantsIms, messageIds } = request;
  if (boundary !== undefined) await sealBook(tx, facilityCode, boundary);
  const book = await findBook(tx, facilityCode);
  const lastAtMs = book === undefined || book.last_booked_at === "-infinity" ? 0 : Date.parse(book.last_booked_at);
  const position =
    boundary === undefined ? (book?.last_position ?? 0) : await repository.positionBefore(tx, facilityCode, boundary);
  const atMs = Date.parse(tx.change.at);
  const oldestId = idBoundary(atMs - previousDaysMax * dayMs);
  const [previousId, today] = await Promise.all([
    repository.findPrevious(tx, facilityCode, position, oldestId),
    kind === "MIDNIGHT" ? dayAfter(snapshotDate) : facilityToday(tx.plain, facilityCode, tx.change.at),
  ]);
  const snapshotId = tx.change.ids.next(atMs);
  const invMessageId = wantsInv ? (messageIds?.inv ?? tx.change.ids.next(atMs)) : undefined;
  const imsMessageId = wantsIms ? (messageIds?.ims ?? tx.change.ids.next(atMs)) : undefined;
  const head = { snapshotId, facilityCode, kind, snapshotDate, position, previousId, invMessageId, imsMessageId };
  if (!(await repository.insertSnapshot(tx, { ...head, at: tx.change.at }))) return undefined;
  repository.insertSnapshotRows(tx, facilityCode, {
    snapshotId,
    position,
    // Entries after the position are booked at this moment or later, and their ids contain their moment.
    laterFromId: idBoundary(boundary === undefined ? lastAtMs : Date.parse(boundary)),
    movedSince: new Date(atMs - movedDays * dayMs).toISOString(),
    today,
  });
  return { ...head, takenAt: tx.change.at };
}

/**
 * Ensures that nothing is booked before a moment (ISO 8601) from now on. A book that already has a later entry is
 * unchanged.
 */
export async function sealBook(tx: ClientTransaction, facilityCode: string, at: string): Promise<void> {
  const seen = await findBook(tx, facilityCode);
  if (seen !== undefined && seen.last_booked_at !== "-infinity" && Date.parse(seen.last_booked_at) >= Date.parse(at))
    return;
  const book = await openBook(tx, facilityCode, at);
  writeBook(tx, facilityCode, book.position, book.at);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
}

/** Snapshots with unwritten documents, oldest first. */
export async function listUnwrittenSnapshots(tx: ClientTx, limit = 100): Promise<Snapshot[]> {
  return (await repository.listUnwritten(tx, limit)).map(snapshotOf);
}

export async function findSnapshot(tx: ClientTx, snapshotId: string): Promise<Snapshot | undefined> {
  const row = await repository.findSnapshot(tx, snapshotId);
  return row && snapshotOf(row);
}

function snapshotOf(row: repository.SnapshotHead): Snapshot {
  return {
    snapshotId: row.snapshot_id,
    facilityCode: row.facility_code,
    kind: row.kind,
    snapshotDate: row.snapshot_date,
    position: row.position,
    takenAt: row.taken_at,
    previousId: row.previous_id ?? undefined,
    invMessageId: row.inv_message_id ?? undefined,
    imsMessageId: row.ims_message_id ?? undefined,
  };
}

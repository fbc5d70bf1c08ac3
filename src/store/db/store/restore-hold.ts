import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/**
 * The parts that are held after a restore (contract operations.md §3, CROSSDOCK_RESTORED). DELIVERIES are deliveries to
 * external systems. ALLOCATION is the allocation and all other work that follows from accepted input, except tasks.
 * TASKS are the tasks for the warehouses. Each part is released separately.
 */
export const restoreParts = ["DELIVERIES", "ALLOCATION", "TASKS"] as const;
export type RestorePart = (typeof restoreParts)[number];

export interface RestoreHold {
  /** The restore, as CROSSDOCK_RESTORED names it. */
  readonly restored_to: string;
  readonly part: RestorePart;
  readonly held_at: string;
  readonly released_at: string | null;
  readonly released_by: string | null;
}

/** Returns whether a part is held. A worker calls it before each turn. */
export type AskHold = (part: RestorePart) => boolean;

const rowsMax = 1_000;

/** All holds ever recorded, the newest first. */
export function listHolds(tx: Tx): Promise<RestoreHold[]> {
  return tx.query(
    sql`select restored_to, part, held_at, released_at, released_by from restore_hold
      order by held_at desc, restored_to, part limit ${rowsMax}`,
  );
}

/** The parts that are held now. */
export async function listHeldParts(tx: Tx): Promise<RestorePart[]> {
  const rows = await tx.query<{ part: RestorePart }>(
    sql`select distinct part from restore_hold where released_at is null limit ${restoreParts.length}`,
  );
  return rows.map(({ part }) => part);
}

/** The holds of a restore of this name, released or not. */
export async function findHolds(tx: Tx, restoredTo: string): Promise<RestoreHold[]> {
  return await tx.query(
    sql`select restored_to, part, held_at, released_at, released_by from restore_hold
      where restored_to = ${restoredTo} order by part limit ${restoreParts.length}`,
  );
}

export async function insertHolds(tx: Tx, restoredTo: string, at: string): Promise<void> {
  await tx.query(
    sql`insert into restore_hold (restored_to, part, held_at)
      select ${restoredTo}, p, ${at}::timestamptz from unnest(${[...restoreParts]}::text[]) as p
      on conflict (restored_to, part) do nothing returning part`,
  );
}

/** Releases parts, whichever restore holds them; returns those that were held. */
export async function releaseHolds(
  tx: Transaction,
  change: Change,
  parts: readonly RestorePart[],
): Promise<readonly RestorePart[]> {
  const rows = await tx.query<{ restored_to: string; part: RestorePart }>(
    sql`update restore_hold set released_at = ${change.at}::timestamptz, released_by = ${change.actor}
      where part = any(${[...parts]}::text[]) and released_at is null returning restored_to, part`,
  );
  for (const [restoredTo, released] of Map.groupBy(rows, (row) => row.restored_to)) {
    const detail = { parts: released.map(({ part }) => part).sort() };
    recordAudit(tx.of(platformClient, change), {
      action: "release",
      objectType: "restore",
      objectId: restoredTo,
      detail,
    });
  }
  const released = new Set(rows.map(({ part }) => part));
  return restoreParts.filter((part) => released.has(part));
}

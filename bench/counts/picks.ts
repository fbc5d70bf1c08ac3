import type pg from "pg";
import { dayMs } from "#/kernel/values/durations.ts";

export interface PickedBook {
  readonly clientId: string;
  readonly facilityCode: string;
  readonly skus: number;
}

interface Past {
  readonly picks: number;
  readonly days: number;
  readonly nowMs: number;
}

const chunkPicks = 100_000;
const entriesOfPick = 3;

/**
 * Inserts the ledger and the stock of a client as 90 days of picks leave them, and before them the entries of the rest
 * of the oldest month. A few SKUs have most picks: SKU number is the square of an even distribution. Every SKU was
 * counted a year and more ago, so that a night reads all picks.
 *
 * @returns the number of entries
 */
export async function insertPicks(
  client: pg.Client,
  { clientId, facilityCode, skus }: PickedBook,
  { picks, days, nowMs }: Past,
): Promise<number> {
  await client.query(
    `insert into stock_balance (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date, qty,
       received_at, last_position, last_moved_at)
     select $1, $2, 'SKU-' || g, 'DEFAULT', 'GOOD', '', 'infinity', 100, now(), g, now() from generate_series(0, $3::int - 1) g`,
    [clientId, facilityCode, skus],
  );
  await client.query(
    `insert into stock_last_count (client_id, facility_code, sku, counted_at)
     select $1, $2, 'SKU-' || g, now() - interval '400 days' from generate_series(0, $3::int - 1) g`,
    [clientId, facilityCode, skus],
  );
  const since = new Date(nowMs - days * dayMs);
  const fromMs = Date.UTC(since.getUTCFullYear(), since.getUTCMonth(), 1);
  const msOfPick = (days * dayMs) / picks;
  const all = Math.floor((nowMs - fromMs) / msOfPick);
  await client.query("set synchronous_commit = off");
  for (let from = 0; from < all; from += chunkPicks) {
    await client.query(
      `insert into stock_movement (client_id, movement_id, facility_code, position, type, sku, stock_pool, condition,
         batch_ref, expiry_date, qty, affects_on_hand, allocated_change, reference_type, reference_id, booked_at, occurred_at)
       select $1, (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n), 3, '0') || '8' || lpad(to_hex(g), 15, '0'))::uuid, $2,
         g * ${entriesOfPick} + n + 1, (array['ALLOCATION', 'PICK', 'DESPATCH'])[n + 1],
         'SKU-' || floor($3::int * power((g * 7919 % 100003) / 100003.0, 2)), 'DEFAULT', 'GOOD', '', 'infinity',
         case when n = 2 then -1 else 1 end, n = 2, 1 - n, 'order', 'O-' || g / 3, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
       from (select g, n, ($4::float8 + g * $5::float8)::bigint as ms
         from generate_series($6::bigint, $7::bigint) g, generate_series(0, ${entriesOfPick - 1}) n) entry`,
      [clientId, facilityCode, skus, fromMs, msOfPick, from, Math.min(all, from + chunkPicks) - 1],
    );
  }
  return all * entriesOfPick;
}

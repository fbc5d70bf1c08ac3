import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import { type Lot, lotKey } from "#/modules/inventory/lot.ts";
import { storedQuantity } from "#/modules/inventory/stored-quantity.ts";

/** What one line holds of one lot of GOOD stock; quantities in integer thousandths of the stock unit. */
export interface Reservation extends Lot {
  readonly ownerType: "ORDER" | "WORK_ORDER";
  readonly ownerId: string;
  readonly lineNumber: number;
  readonly facilityCode: string;
  readonly sku: string;
  readonly allocated: number;
  readonly picked: number;
  readonly packed: number;
  /** Why this lot; PICK where the warehouse named another one. */
  readonly chosenBy: "FEFO" | "FIFO" | "PICK";
  readonly allocatedAt: string;
}

interface Row {
  readonly owner_type: Reservation["ownerType"];
  readonly owner_id: string;
  readonly line_number: number;
  readonly facility_code: string;
  readonly sku: string;
  readonly stock_pool: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty_allocated: string;
  readonly qty_picked: string;
  readonly qty_packed: string;
  readonly chosen_by: Reservation["chosenBy"];
  readonly allocated_at: string;
}

function reservationOf(row: Row): Reservation {
  return {
    ownerType: row.owner_type,
    ownerId: row.owner_id,
    lineNumber: row.line_number,
    facilityCode: row.facility_code,
    sku: row.sku,
    stockPool: row.stock_pool,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    allocated: storedQuantity(row.qty_allocated),
    picked: storedQuantity(row.qty_picked),
    packed: storedQuantity(row.qty_packed),
    chosenBy: row.chosen_by,
    allocatedAt: row.allocated_at,
  };
}

const listMax = 1_000_000;

/** All that these orders or work orders hold, in the order of owner and line. */
export async function listReservations(
  tx: Tx,
  clientId: string,
  ownerType: Reservation["ownerType"],
  ownerIds: readonly string[],
): Promise<Reservation[]> {
  if (ownerIds.length === 0) return [];
  const rows = await tenantQuery<Row>(
    tx,
    clientId,
    sql`select owner_type, owner_id, line_number, facility_code, sku, stock_pool, batch_ref, expiry_date, qty_allocated,
        qty_picked, qty_packed, chosen_by, allocated_at
      from stock_reservation
      where client_id = ${tenant} and owner_type = ${ownerType} and owner_id = any(${ownerIds}::text[])
      order by owner_id, line_number, allocated_at limit ${listMax}`,
  );
  return rows.map(reservationOf);
}

/** Whoever holds something of these lots. */
export async function listReservationsOfLots(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  lots: readonly ({ readonly sku: string } & Lot)[],
): Promise<Reservation[]> {
  if (lots.length === 0) return [];
  const rows = lots.map((lot) => ({ s: lot.sku, p: lot.stockPool, b: lot.batchRef, e: lot.expiryDate }));
  const found = await tenantQuery<Row>(
    tx,
    clientId,
    sql`select r.owner_type, r.owner_id, r.line_number, r.facility_code, r.sku, r.stock_pool, r.batch_ref, r.expiry_date,
        r.qty_allocated, r.qty_picked, r.qty_packed, r.chosen_by, r.allocated_at
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, p text, b text, e date)
      join stock_reservation r on r.client_id = ${tenant} and r.facility_code = ${facilityCode} and r.sku = x.s
        and r.sku > '' and r.stock_pool = x.p and r.batch_ref = x.b and r.expiry_date = x.e
      limit ${listMax}`,
  );
  return found.map(reservationOf);
}

/**
 * Writes what each line holds of each lot from now on; a row with nothing left goes. Of one line and lot the last row
 * counts. The entries in the ledger (ALLOCATION and so on) are the caller's.
 */
export function writeReservations(tx: Transaction, clientId: string, reservations: readonly Reservation[]): void {
  const byKey = new Map(reservations.map((each) => [keyOf(each), each]));
  const isEmpty = ({ allocated, picked, packed }: Reservation) => allocated === 0 && picked === 0 && packed === 0;
  const kept = [...byKey.values()].filter((each) => !isEmpty(each)).map(rowOf);
  const gone = [...byKey.values()].filter(isEmpty).map(rowOf);
  if (gone.length > 0) {
    // Named once more as lists, so that every plan goes by the key and none reads all that the client has reserved.
    const ownerIds = [...new Set(gone.map(({ o }) => o))];
    tenantSend(
      tx,
      clientId,
      sql`delete from stock_reservation r using json_to_recordset(${JSON.stringify(gone)}::json)
          as x(y text, o text, n integer, p text, b text, e date)
        where r.client_id = ${tenant} and r.owner_type = any(array['ORDER', 'WORK_ORDER'])
          and r.owner_id = any(${ownerIds}::text[]) and r.owner_type = x.y and r.owner_id = x.o and r.line_number = x.n
          and r.stock_pool = x.p and r.batch_ref = x.b and r.expiry_date = x.e`,
    );
  }
  if (kept.length > 0) {
    tenantSend(
      tx,
      clientId,
      sql`insert into stock_reservation as r (client_id, owner_type, owner_id, line_number, facility_code, sku, stock_pool,
          batch_ref, expiry_date, qty_allocated, qty_picked, qty_packed, chosen_by, allocated_at)
        select t.client_id, x.y, x.o, x.n, x.f, x.s, x.p, x.b, x.e, x.a, x.k, x.c, x.w, x.t
        from tenant t cross join json_to_recordset(${JSON.stringify(kept)}::json) as x(y text, o text, n integer, f text,
          s text, p text, b text, e date, a numeric, k numeric, c numeric, w text, t timestamptz)
        where t.client_id = ${tenant}
        on conflict (client_id, owner_type, owner_id, line_number, stock_pool, batch_ref, expiry_date) do update set
          qty_allocated = excluded.qty_allocated, qty_picked = excluded.qty_picked, qty_packed = excluded.qty_packed,
          chosen_by = excluded.chosen_by, allocated_at = excluded.allocated_at
        returning r.line_number`,
    );
  }
}

function keyOf(reservation: Reservation): string {
  return `${reservation.ownerType} ${reservation.lineNumber} ${JSON.stringify(reservation.ownerId)} ${lotKey(reservation)}`;
}

function rowOf(reservation: Reservation) {
  return {
    y: reservation.ownerType,
    o: reservation.ownerId,
    n: reservation.lineNumber,
    f: reservation.facilityCode,
    s: reservation.sku,
    p: reservation.stockPool,
    b: reservation.batchRef,
    e: reservation.expiryDate,
    a: formatQuantity(reservation.allocated),
    k: formatQuantity(reservation.picked),
    c: formatQuantity(reservation.packed),
    w: reservation.chosenBy,
    t: reservation.allocatedAt,
  };
}

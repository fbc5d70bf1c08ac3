import { formatQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import { type Lot, lotKey } from "#/modules/inventory/lot.ts";
import { stockReservation } from "#/modules/inventory/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, deleteFrom, insertInto, selectFrom } from "#/store/db/table.ts";

/** The objects that hold stock. */
export const reservationOwners = ["ORDER", "WORK_ORDER", "TRANSFER"] as const;

/** The reservation of one line on one lot of GOOD stock; quantities in integer thousandths of the stock unit. */
export interface Reservation extends Lot {
  readonly ownerType: (typeof reservationOwners)[number];
  readonly ownerId: string;
  readonly lineNumber: number;
  readonly facilityCode: string;
  readonly sku: string;
  readonly allocated: number;
  readonly picked: number;
  readonly packed: number;
  /** Why this lot was chosen; PICK if the warehouse named another lot. */
  readonly chosenBy: "FEFO" | "FIFO" | "PICK";
  readonly allocatedAt: string;
}

type Row = Answered<typeof stockReservation.columns>;

function reservationOf(row: Row): Reservation {
  return {
    ownerType: row.owner_type as Reservation["ownerType"],
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
    chosenBy: row.chosen_by as Reservation["chosenBy"],
    allocatedAt: row.allocated_at,
  };
}

const listMax = 1_000_000;

/** All reservations of these orders, work orders or transfers, by owner and line. */
export async function listReservations(
  tx: ClientTx,
  ownerType: Reservation["ownerType"],
  ownerIds: readonly string[],
): Promise<Reservation[]> {
  if (ownerIds.length === 0) return [];
  const rows = await tx.query<Row>(
    setOf(
      ownerIds,
      (
        ids,
      ) => sql`select owner_type, owner_id, line_number, facility_code, sku, stock_pool, batch_ref, expiry_date, qty_allocated,
        qty_picked, qty_packed, chosen_by, allocated_at
      from stock_reservation
      where client_id = ${tenant} and owner_type = ${ownerType} and owner_id = any(${ids}::text[])
      order by owner_id, line_number, allocated_at limit ${listMax}`,
      { reads: "stock_reservation", keys: byColumn("owner_id") },
    ),
  );
  return rows.map(reservationOf);
}

const listByLot = selectFrom(stockReservation, {
  by: ["facility_code", "sku", "stock_pool", "batch_ref", "expiry_date"],
  where: sql`stock_reservation.sku > ''`,
  limit: listMax,
});

/** All reservations of orders, work orders and transfers on these lots. */
export async function listReservationsOfLots(
  tx: ClientTx,
  facilityCode: string,
  lots: readonly ({ readonly sku: string } & Lot)[],
): Promise<Reservation[]> {
  const rows = lots.map((lot) => ({
    facility_code: facilityCode,
    sku: lot.sku,
    stock_pool: lot.stockPool,
    batch_ref: lot.batchRef,
    expiry_date: lot.expiryDate,
  }));
  return (await listByLot.query(tx, rows)).map(reservationOf);
}

const deleteReservations = deleteFrom(stockReservation);
const upsertReservations = insertInto(stockReservation, {
  onConflict: { set: ["qty_allocated", "qty_picked", "qty_packed", "chosen_by", "allocated_at"] },
  returning: ["line_number"],
});

/**
 * Writes the new reservations; an empty one is deleted. For the same line and lot the last one counts. The caller posts
 * the ledger entries (ALLOCATION and so on).
 */
export function writeReservations(tx: ClientTransaction, reservations: readonly Reservation[]): void {
  const byKey = new Map(reservations.map((reservation) => [keyOf(reservation), reservation]));
  const isEmpty = ({ allocated, picked, packed }: Reservation) => allocated === 0 && picked === 0 && packed === 0;
  const [kept, gone] = [
    [...byKey.values()].filter((reservation) => !isEmpty(reservation)),
    [...byKey.values()].filter(isEmpty),
  ];
  deleteReservations.send(tx, gone.map(keyColumnsOf));
  upsertReservations.send(tx, kept.map(rowOf));
}

function keyOf(reservation: Reservation): string {
  return `${reservation.ownerType} ${reservation.lineNumber} ${JSON.stringify(reservation.ownerId)} ${lotKey(reservation)}`;
}

const keyColumnsOf = (reservation: Reservation) => ({
  owner_type: reservation.ownerType,
  owner_id: reservation.ownerId,
  line_number: reservation.lineNumber,
  stock_pool: reservation.stockPool,
  batch_ref: reservation.batchRef,
  expiry_date: reservation.expiryDate,
});

const rowOf = (reservation: Reservation) => ({
  ...keyColumnsOf(reservation),
  facility_code: reservation.facilityCode,
  sku: reservation.sku,
  qty_allocated: formatQuantity(reservation.allocated),
  qty_picked: formatQuantity(reservation.picked),
  qty_packed: formatQuantity(reservation.packed),
  chosen_by: reservation.chosenBy,
  allocated_at: reservation.allocatedAt,
});

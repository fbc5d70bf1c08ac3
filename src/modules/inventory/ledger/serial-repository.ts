import type { Condition, Lot } from "#/modules/inventory/lot.ts";
import { stockSerial } from "#/modules/inventory/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, selectFrom } from "#/store/db/table.ts";

/** The place of the unit with this serial number; for a GONE unit its last place. */
export interface SerialPlace extends Lot {
  readonly sku: string;
  readonly serial: string;
  readonly state: "IN_STOCK" | "GONE";
  readonly facilityCode: string;
  readonly condition: Condition;
  /** `ORDER` or `WORK_ORDER` from the pick on, `TRANSFER` from the shipment on. */
  readonly ownerType?: string | undefined;
  readonly ownerId?: string | undefined;
}

type Row = Omit<Answered<typeof stockSerial.columns>, "updated_at">;

const findBySerial = selectFrom(stockSerial, { limit: 1_000_000 });
const upsertSerials = insertInto(stockSerial, { onConflict: "replace", returning: ["serial"] });

function placeOf(row: Row): SerialPlace {
  return {
    sku: row.sku,
    serial: row.serial,
    state: row.state as SerialPlace["state"],
    facilityCode: row.facility_code,
    stockPool: row.stock_pool,
    condition: row.condition as Condition,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    ownerType: row.owner_type ?? undefined,
    ownerId: row.owner_id ?? undefined,
  };
}

/** The places of these serial numbers of a SKU; unknown serial numbers are absent. */
export async function listSerials(tx: ClientTx, sku: string, serials: readonly string[]): Promise<SerialPlace[]> {
  if (serials.length === 0) return [];
  const rows =
    await tx.query<Row>(sql`select sku, serial, state, facility_code, stock_pool, condition, batch_ref, expiry_date, owner_type, owner_id
      from stock_serial where client_id = ${tenant} and sku = ${sku} and serial = any(${serials}::text[]) limit 1000000`);
  return rows.map(placeOf);
}

/** All serial numbers of these SKUs that are in stock in a facility. */
export async function listSerialsInStock(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
): Promise<SerialPlace[]> {
  if (skus.length === 0) return [];
  const rows =
    await tx.query<Row>(sql`select sku, serial, state, facility_code, stock_pool, condition, batch_ref, expiry_date, owner_type, owner_id
      from stock_serial
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])
        and state = 'IN_STOCK' limit 1000000`);
  return rows.map(placeOf);
}

/** Writes the new places of serial numbers. For a repeated serial number the last place counts. */
export function writeSerials(tx: ClientTransaction, at: string, places: readonly SerialPlace[]): void {
  const bySerial = new Map(places.map((place) => [JSON.stringify([place.sku, place.serial]), place]));
  const rows = [...bySerial.values()].map((place) => ({
    sku: place.sku,
    serial: place.serial,
    state: place.state,
    facility_code: place.facilityCode,
    stock_pool: place.stockPool,
    condition: place.condition,
    batch_ref: place.batchRef,
    expiry_date: place.expiryDate,
    owner_type: place.ownerType,
    owner_id: place.ownerId,
    updated_at: at,
  }));
  upsertSerials.send(tx, rows);
}

/** The places of serial numbers of several SKUs. */
export async function findSerials(
  tx: ClientTx,
  serials: readonly { readonly sku: string; readonly serial: string }[],
): Promise<SerialPlace[]> {
  const wanted = serials.map(({ sku, serial }) => ({ sku, serial }));
  return (await findBySerial.query(tx, wanted)).map(placeOf);
}

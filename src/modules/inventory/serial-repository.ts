import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { Condition, Lot } from "#/modules/inventory/lot.ts";

/** Where the one unit with this serial number is; of one that is GONE, where it was. */
export interface SerialPlace extends Lot {
  readonly sku: string;
  readonly serial: string;
  readonly state: "IN_STOCK" | "GONE";
  readonly facilityCode: string;
  readonly condition: Condition;
  /** `ORDER` or `WORK_ORDER`, from pick on. */
  readonly ownerType?: string | undefined;
  readonly ownerId?: string | undefined;
}

interface Row {
  readonly sku: string;
  readonly serial: string;
  readonly state: SerialPlace["state"];
  readonly facility_code: string;
  readonly stock_pool: string;
  readonly condition: Condition;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly owner_type: string | null;
  readonly owner_id: string | null;
}

function placeOf(row: Row): SerialPlace {
  return {
    sku: row.sku,
    serial: row.serial,
    state: row.state,
    facilityCode: row.facility_code,
    stockPool: row.stock_pool,
    condition: row.condition,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    ownerType: row.owner_type ?? undefined,
    ownerId: row.owner_id ?? undefined,
  };
}

/** The places of these serial numbers of a SKU; those that nobody has seen are absent. */
export async function listSerials(
  tx: Tx,
  clientId: string,
  sku: string,
  serials: readonly string[],
): Promise<SerialPlace[]> {
  if (serials.length === 0) return [];
  const rows = await tenantQuery<Row>(
    tx,
    clientId,
    sql`select sku, serial, state, facility_code, stock_pool, condition, batch_ref, expiry_date, owner_type, owner_id
      from stock_serial where client_id = ${tenant} and sku = ${sku} and serial = any(${serials}::text[]) limit 1000000`,
  );
  return rows.map(placeOf);
}

/** All serial numbers that these SKUs have in stock in a facility. */
export async function listSerialsInStock(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  skus: readonly string[],
): Promise<SerialPlace[]> {
  if (skus.length === 0) return [];
  const rows = await tenantQuery<Row>(
    tx,
    clientId,
    sql`select sku, serial, state, facility_code, stock_pool, condition, batch_ref, expiry_date, owner_type, owner_id
      from stock_serial
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])
        and state = 'IN_STOCK' limit 1000000`,
  );
  return rows.map(placeOf);
}

/** Puts serial numbers where they are from now on. Of one named twice the last place counts. */
export function writeSerials(tx: Transaction, clientId: string, at: string, places: readonly SerialPlace[]): void {
  if (places.length === 0) return;
  const bySerial = new Map(places.map((place) => [JSON.stringify([place.sku, place.serial]), place]));
  const rows = [...bySerial.values()].map((place) => ({
    s: place.sku,
    n: place.serial,
    t: place.state,
    f: place.facilityCode,
    p: place.stockPool,
    c: place.condition,
    b: place.batchRef,
    e: place.expiryDate,
    y: place.ownerType,
    o: place.ownerId,
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into stock_serial as s (client_id, sku, serial, state, facility_code, stock_pool, condition, batch_ref,
        expiry_date, owner_type, owner_id, updated_at)
      select t.client_id, x.s, x.n, x.t, x.f, x.p, x.c, x.b, x.e, x.y, x.o, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, n text, t text, f text,
        p text, c text, b text, e date, y text, o text)
      where t.client_id = ${tenant}
      on conflict (client_id, sku, serial) do update set state = excluded.state, facility_code = excluded.facility_code,
        stock_pool = excluded.stock_pool, condition = excluded.condition, batch_ref = excluded.batch_ref,
        expiry_date = excluded.expiry_date, owner_type = excluded.owner_type, owner_id = excluded.owner_id,
        updated_at = excluded.updated_at
      returning s.serial`,
  );
}

/** The same for serial numbers of several SKUs. */
export async function findSerials(
  tx: Tx,
  clientId: string,
  serials: readonly { readonly sku: string; readonly serial: string }[],
): Promise<SerialPlace[]> {
  if (serials.length === 0) return [];
  const wanted = serials.map(({ sku, serial }) => ({ s: sku, n: serial }));
  const rows = await tenantQuery<Row>(
    tx,
    clientId,
    sql`select s.sku, s.serial, s.state, s.facility_code, s.stock_pool, s.condition, s.batch_ref, s.expiry_date,
        s.owner_type, s.owner_id
      from json_to_recordset(${JSON.stringify(wanted)}::json) as x(s text, n text)
      join stock_serial s on s.client_id = ${tenant} and s.sku = x.s and s.serial = x.n limit 1000000`,
  );
  return rows.map(placeOf);
}

import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { beyondPlace, byReceipt, type ReceiptColumns } from "#/http/requests/receipt-repository.ts";
import type { ParcelFacts, ParcelStatus } from "#/modules/parcels/domain.ts";
import { packedParcel, parcel, readContents, type StoredContent, shortContents } from "#/modules/parcels/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, updateOf } from "#/store/db/table.ts";

type StoredParcel = Answered<typeof parcel.columns>;

const columns = sql`olpn_id, order_id, facility_code, status, status_at, carrier_code, carrier_service_code, decision_id,
  tracking_number, tracking_url, is_generated_tracking_number, weight, weight_uom_code, length, width, height, dimensions_uom_code, contents, load_id, packed_at,
  loaded_at, despatched_at, is_delivered, is_returning, version`;

/** An order of 1 000 lines has hardly more parcels than units; a load has the parcels of one lorry. */
const parcelsMax = 100_000;

/** The parcels of these orders, including voided ones, in the order of packing. */
export async function listParcels(tx: ClientTx, orderIds: readonly string[]): Promise<ParcelFacts[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.query<StoredParcel>(
    setOf(
      orderIds,
      (ids) => sql`select ${columns} from parcel
        where client_id = ${tenant} and order_id > '' and order_id = any(${ids}::text[])
        order by packed_at, olpn_id limit ${parcelsMax}`,
      { reads: "parcel", keys: byColumn("order_id") },
    ),
  );
  return rows.map(factsOf);
}

export interface ParcelPageRequest {
  readonly orderId: string;
  /** The order by the moment of packing. */
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

/** A page of an order's parcels, including voided ones, each with its place in the list. */
export async function listParcelPage(
  tx: ClientTx,
  { orderId, sort, after, limit }: ParcelPageRequest,
): Promise<{ readonly parcel: ParcelFacts; readonly place: ReceiptPlace }[]> {
  // The moment is also read in microseconds: with milliseconds a cursor could step back over parcels of the same
  // millisecond.
  const listed = sql`${columns}, (extract(epoch from packed_at) * 1000000)::bigint as packed_us`;
  const conditions = sql`order_id > '' and order_id = ${orderId} and ${after === undefined ? sql`true` : beyondPlace(byPacking, after, sort)}`;
  const rows = await tx.query<
    StoredParcel & { readonly packed_us: number }
  >(sql`select ${listed} from parcel where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byPacking, sort)} limit ${limit}`);
  return rows.map((row) => ({ parcel: factsOf(row), place: { us: row.packed_us, id: row.olpn_id } }));
}

const byPacking: ReceiptColumns = { receivedAt: sql`packed_at`, id: sql`olpn_id` };

/** The parcels with these numbers, in their order; numbers that the client does not have are absent. */
export async function listParcelsById(tx: ClientTx, olpnIds: readonly string[]): Promise<ParcelFacts[]> {
  if (olpnIds.length === 0) return [];
  const rows = await tx.query<StoredParcel>(
    setOf(
      olpnIds,
      (ids) => sql`select ${columns} from parcel
        where client_id = ${tenant} and olpn_id = any(${ids}::text[]) order by olpn_id limit ${parcelsMax}`,
      { reads: "parcel", keys: byColumn("olpn_id") },
    ),
  );
  return rows.map(factsOf);
}

/** The parcels of these orders that the facilities have packed, without voided ones, in the order of packing. */
export async function listPackedParcels(
  tx: ClientTx,
  facilityCodes: readonly string[] | null,
  { orderIds, limit }: { readonly orderIds: readonly string[]; readonly limit: number },
): Promise<ParcelFacts[]> {
  const rows = await tx.query<StoredParcel>(sql`select ${columns} from parcel
      where client_id = ${tenant} and order_id > '' and order_id = any(${orderIds}::text[])
        and (${facilityCodes}::text[] is null or facility_code = any(${facilityCodes}::text[])) and status <> 'VOIDED'
      order by packed_at, olpn_id limit ${limit}`);
  return rows.map(factsOf);
}

/** The client's parcels of a load of the facility, in any later state. */
export async function listParcelsOfLoad(tx: ClientTx, facilityCode: string, loadId: string): Promise<ParcelFacts[]> {
  const rows = await tx.query<StoredParcel>(sql`select ${columns} from parcel
      where client_id = ${tenant} and facility_code = ${facilityCode} and load_id is not null and load_id = ${loadId}
      order by olpn_id limit ${parcelsMax}`);
  return rows.map(factsOf);
}

/** The numbers of these orders' parcels, without voided ones, in the order of packing. */
export async function listOlpnIds(tx: ClientTx, orderIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (orderIds.length === 0) return found;
  const rows = await tx.query<{ order_id: string; olpn_id: string }>(sql`select order_id, olpn_id from parcel
      where client_id = ${tenant} and order_id > '' and order_id = any(${orderIds}::text[]) and status <> 'VOIDED'
      order by packed_at, olpn_id limit ${parcelsMax}`);
  for (const { order_id, olpn_id } of rows) found.set(order_id, [...(found.get(order_id) ?? []), olpn_id]);
  return found;
}

function factsOf(row: StoredParcel): ParcelFacts {
  const number = (text: string | null) => (text === null ? undefined : Number(text));
  return {
    olpnId: row.olpn_id,
    orderId: row.order_id,
    facilityCode: row.facility_code,
    status: row.status as ParcelStatus,
    statusAt: row.status_at ?? undefined,
    isDelivered: row.is_delivered,
    isReturning: row.is_returning,
    carrierCode: row.carrier_code ?? undefined,
    carrierServiceCode: row.carrier_service_code ?? undefined,
    trackingNumber: row.tracking_number ?? undefined,
    decisionId: row.decision_id ?? undefined,
    trackingUrl: row.tracking_url ?? undefined,
    isGeneratedTrackingNumber: row.is_generated_tracking_number,
    weight: Number(row.weight),
    weightUomCode: row.weight_uom_code,
    length: number(row.length),
    width: number(row.width),
    height: number(row.height),
    dimensionsUomCode: row.dimensions_uom_code ?? undefined,
    contents: readContents(row.contents as readonly StoredContent[]),
    loadId: row.load_id ?? undefined,
    packedAt: row.packed_at,
    loadedAt: row.loaded_at ?? undefined,
    despatchedAt: row.despatched_at ?? undefined,
    version: row.version,
  };
}

const insertAll = insertInto(parcel, { columns: [...packedParcel.names, "status", "updated_at"] });

/** Inserts new parcels. */
export function insertParcels(tx: ClientTransaction, at: string, parcels: readonly ParcelFacts[]): void {
  const rows = parcels.map((facts) => ({
    ...packedParcel.rowOf(facts),
    ...(tx.writesPacked ? { contents: shortContents(facts.contents) } : {}),
    status: facts.status,
    updated_at: at,
  }));
  insertAll.send(tx, rows);
}

const updateAll = updateOf(parcel, {
  set: ["status", "status_at", "load_id", "loaded_at", "despatched_at", "is_delivered", "is_returning", "updated_at"],
  also: { version: sql`parcel.version + 1` },
});

/** Writes the later state of parcels: everything but the packed data. */
export function updateParcels(tx: ClientTransaction, at: string, parcels: readonly ParcelFacts[]): void {
  const rows = parcels.map((facts) => ({
    olpn_id: facts.olpnId,
    status: facts.status,
    status_at: facts.statusAt,
    load_id: facts.loadId,
    loaded_at: facts.loadedAt,
    despatched_at: facts.despatchedAt,
    is_delivered: facts.isDelivered,
    is_returning: facts.isReturning,
    updated_at: at,
  }));
  updateAll.send(tx, rows);
}

/** Writes the number and the page of the carrier that has made the parcel's label. */
export function labelParcel(tx: ClientTransaction, at: string, facts: ParcelFacts): void {
  tx.send(sql`update parcel set tracking_number = ${facts.trackingNumber ?? null}, tracking_url = ${facts.trackingUrl ?? null},
        is_generated_tracking_number = ${facts.isGeneratedTrackingNumber}, version = version + 1, updated_at = ${at}::timestamptz
      where client_id = ${tenant} and olpn_id = ${facts.olpnId}`);
}

import Type, { type Static } from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { noExpiry } from "#/modules/inventory/index.ts";
import {
  entriesMax,
  lotOrder,
  lotReceipt,
  lotReservation,
  lotReturn,
  lotStock,
  lotUse,
  stockMax,
} from "#/modules/lots/contract.ts";
import { readContents } from "#/modules/orders/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

/** A product and one of its lots, whose number is not empty. */
export interface LotKey {
  readonly sku: string;
  readonly lotNumber: string;
}

/** A unit by its serial number. */
export interface UnitKey {
  readonly sku: string;
  readonly serialNumber: string;
}

const skusOf = (lots: readonly LotKey[]) => lots.map(({ sku }) => sku);
const numbersOf = (lots: readonly LotKey[]) => lots.map(({ lotNumber }) => lotNumber);

/** The lots of a statement. */
const lotRows = (lots: readonly LotKey[]): Statement =>
  sql`unnest(${skusOf(lots)}::text[], ${numbersOf(lots)}::text[]) as g(sku, batch_ref)`;

// Each list reads one entry more than it answers, which shows that there are more.

const expiryDate = (column: Statement): Statement => sql`nullif(${column}, ${noExpiry}::date)`;

const stockColumns = columnsOf(lotStock, "b", {
  lotNumber: sql`b.batch_ref`,
  distributionCentre: sql`b.facility_code`,
  isHeld: sql`b.condition <> 'GOOD'`,
  expiryDate: expiryDate(sql`b.expiry_date`),
});

export function listStock(tx: ClientTx, lots: readonly LotKey[]): Promise<(Static<typeof lotStock> & LotKey)[]> {
  return tx.query(sql`select ${stockColumns} from ${lotRows(lots)}
      join stock_balance b on b.client_id = ${tenant} and b.sku = g.sku and b.batch_ref = g.batch_ref and b.batch_ref > ''
      where b.qty > 0
      order by b.sku, b.batch_ref, b.facility_code, b.stock_pool, b.condition, b.expiry_date limit ${stockMax + 1}`);
}

const reservationColumns = columnsOf(lotReservation, "r", {
  lotNumber: sql`r.batch_ref`,
  distributionCentre: sql`r.facility_code`,
});

/** @param places where stock of the lots is allocated. */
export function listReservations(
  tx: ClientTx,
  places: readonly (LotKey & { readonly distributionCentre: string })[],
): Promise<Static<typeof lotReservation>[]> {
  const facilities = places.map(({ distributionCentre }) => distributionCentre);
  return tx.query(sql`select ${reservationColumns}
      from unnest(${facilities}::text[], ${skusOf(places)}::text[], ${numbersOf(places)}::text[])
        as g(facility_code, sku, batch_ref)
      join stock_reservation r on r.client_id = ${tenant} and r.facility_code = g.facility_code and r.sku = g.sku
        and r.sku > '' and r.batch_ref = g.batch_ref
      order by r.owner_type, r.owner_id, r.line_number, r.stock_pool, r.expiry_date limit ${stockMax + 1}`);
}

const receiptColumns = columnsOf(lotReceipt, "l", {
  lotNumber: sql`l.batch_ref`,
  poNumber: "r",
  vendorOrderId: sql`nullif(r.vendor_order_id, '')`,
  distributionCentre: sql`l.facility_code`,
  bookedAt: "r",
  correctedBy: "r",
  expiryDate: expiryDate(sql`l.expiry_date`),
});
const newestReceipts = (
  source: Statement,
  condition: Statement,
): Statement => sql`select ${receiptColumns} from ${source}
      join goods_receipt r on r.client_id = ${tenant} and r.facility_code = l.facility_code and r.receipt_id = l.receipt_id
      where l.client_id = ${tenant} and ${condition}
      order by r.booked_at desc, l.facility_code, l.receipt_id, l.entry limit ${entriesMax + 1}`;

export function listReceipts(tx: ClientTx, lots: readonly LotKey[]): Promise<Static<typeof lotReceipt>[]> {
  const lines = sql`${lotRows(lots)} join goods_receipt_line l on l.client_id = ${tenant} and l.sku = g.sku and l.batch_ref = g.batch_ref`;
  return tx.query(newestReceipts(lines, sql`l.batch_ref > ''`));
}

export function listReceiptsOfUnit(tx: ClientTx, { sku, serialNumber }: UnitKey): Promise<Static<typeof lotReceipt>[]> {
  const isOfUnit = sql`l.serials is not null and l.sku = ${sku} and ${serialNumber} = any(l.serials)`;
  return tx.query(newestReceipts(sql`goods_receipt_line l`, isOfUnit));
}

const returnColumns = columnsOf(lotReturn, "d", {
  lotNumber: sql`nullif(d.batch_ref, '')`,
  rmaNumber: sql`nullif(d.rma_number, '')`,
  distributionCentre: sql`d.facility_code`,
  serials: sql`coalesce(d.serials, '{}')`,
});
const newestReturns = (source: Statement, condition: Statement): Statement => sql`select ${returnColumns} from ${source}
      where d.client_id = ${tenant} and ${condition}
      order by d.booked_at desc, d.entry_id limit ${entriesMax + 1}`;

export function listReturns(tx: ClientTx, lots: readonly LotKey[]): Promise<Static<typeof lotReturn>[]> {
  const goods = sql`${lotRows(lots)} join return_disposition d on d.client_id = ${tenant} and d.sku = g.sku and d.batch_ref = g.batch_ref`;
  return tx.query(newestReturns(goods, sql`d.batch_ref > ''`));
}

export function listReturnsOfUnit(tx: ClientTx, { sku, serialNumber }: UnitKey): Promise<Static<typeof lotReturn>[]> {
  const isOfUnit = sql`d.serials is not null and d.sku = ${sku} and ${serialNumber} = any(d.serials)`;
  return tx.query(newestReturns(sql`return_disposition d`, isOfUnit));
}

/** The orders that returned units had left with. */
export async function listReturnedOrders(
  tx: ClientTx,
  returns: readonly Pick<Static<typeof lotReturn>, "rmaNumber" | "olpnId">[],
): Promise<string[]> {
  const rows = await tx.query<{ orderId: string }>(sql`select order_id as "orderId" from return_authorisation
      where client_id = ${tenant} and rma_number = any(${returns.map(({ rmaNumber }) => rmaNumber)}::text[])
        and order_id is not null
      union select order_id from parcel
      where client_id = ${tenant} and olpn_id = any(${returns.map(({ olpnId }) => olpnId)}::text[])
      limit ${2 * entriesMax}`);
  return rows.map(({ orderId }) => orderId);
}

const useColumns = columnsOf(Type.Omit(lotUse, ["qty", "bookedAt"]), "w", {
  componentLotNumber: sql`nullif(w.component_batch_ref, '')`,
  goodsSku: sql`w.finished_sku`,
  goodsLotNumber: sql`nullif(w.finished_batch_ref, '')`,
});
const usesOf = (source: Statement) =>
  sql`select ${useColumns}, sum(w.qty)::float8 as qty, max(w.booked_at) as "bookedAt" from ${source}
      group by w.work_order_id, w.component_sku, w.component_batch_ref, w.finished_sku, w.finished_batch_ref
      order by w.work_order_id, w.component_sku, w.component_batch_ref, w.finished_sku, w.finished_batch_ref
      limit ${entriesMax + 1}`;

/** Lots that work orders made of these lots. */
export function listUses(tx: ClientTx, lots: readonly LotKey[]): Promise<Static<typeof lotUse>[]> {
  return tx.query(
    usesOf(sql`${lotRows(lots)} join work_order_lot w on w.client_id = ${tenant} and w.component_sku = g.sku
        and w.component_batch_ref = g.batch_ref and w.component_batch_ref > ''`),
  );
}

/** Lots of a product that a work order made. */
export function listUsesOfWorkOrder(
  tx: ClientTx,
  { workOrderId, sku }: { readonly workOrderId: string; readonly sku: string },
): Promise<Static<typeof lotUse>[]> {
  return tx.query(
    usesOf(sql`work_order_lot w where w.client_id = ${tenant} and w.work_order_id = ${workOrderId}
        and w.component_sku = ${sku}`),
  );
}

/** Components of this lot; those that were reported without a finished good count for every lot. */
export function listComponents(tx: ClientTx, lot: LotKey): Promise<Static<typeof lotUse>[]> {
  return tx.query(
    usesOf(sql`work_order_lot w where w.client_id = ${tenant} and w.finished_batch_ref in ('', ${lot.lotNumber})
        and w.work_order_id in (
          select m.work_order_id from work_order_lot m where m.client_id = ${tenant} and m.finished_sku = ${lot.sku}
            and m.finished_batch_ref = ${lot.lotNumber} and m.finished_batch_ref > '')`),
  );
}

/** The lots that these work orders made. */
export function listMade(
  tx: ClientTx,
  workOrderIds: readonly string[],
): Promise<(LotKey & { readonly workOrderId: string })[]> {
  return tx.query(sql`select distinct w.finished_sku as sku, w.finished_batch_ref as "lotNumber", w.work_order_id as "workOrderId"
      from work_order_lot w
      where w.client_id = ${tenant} and w.work_order_id = any(${workOrderIds}::text[]) and w.finished_batch_ref > ''
      order by 1, 2, 3 limit ${entriesMax + 1}`);
}

/** A despatched quantity of a lot with one order. */
export interface Despatched {
  /** The place of its lot among the lots of the trace. */
  readonly lot: number;
  readonly orderId: string;
  readonly qty: number;
  readonly despatchedAt: string | null;
}

/** Units of these lots that left, order by order. @param after the last order of the previous page, in the first of the lots. */
export function listDespatched(
  tx: ClientTx,
  lots: readonly (LotKey & { readonly place: number })[],
  after: string,
  limit: number,
): Promise<Despatched[]> {
  const places = lots.map(({ place }) => place);
  const afters = lots.map((_, i) => (i === 0 ? after : ""));
  return tx.query(sql`select g.place as lot, d.reference_id as "orderId", d.qty, d.despatched_at as "despatchedAt"
      from unnest(${skusOf(lots)}::text[], ${numbersOf(lots)}::text[], ${places}::integer[], ${afters}::text[])
        as g(sku, batch_ref, place, after)
      cross join lateral (
        select m.reference_id, sum(-m.qty)::float8 as qty, max(m.occurred_at) as despatched_at from stock_movement m
        where m.client_id = ${tenant} and m.sku = g.sku and m.batch_ref = g.batch_ref and m.batch_ref > ''
          and m.type = 'DESPATCH' and m.reference_type = 'order' and m.reference_id > g.after
        group by m.reference_id order by m.reference_id limit ${limit}
      ) d
      order by g.place, d.reference_id limit ${limit}`);
}

const storedOrder = Type.Omit(lotOrder, ["sku", "lotNumber", "qty", "despatchedAt", "parcels"]);
const orderColumns = columnsOf(storedOrder, "o", { personalDataErasedAt: sql`o.erased_at` });
type StoredOrder = Static<typeof storedOrder>;

export async function listOrders(tx: ClientTx, orderIds: readonly string[]): Promise<StoredOrder[]> {
  const found = tx.query<StoredOrder>(sql`select ${orderColumns} from sales_order o
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[]) limit ${orderIds.length}`);
  const [orders, contents] = await Promise.all([found, readContents(tx, orderIds)]);
  return orders.map((order) => ({ ...order, ...contents.get(order.orderId) }));
}

/** The facilities that have stock of a lot, by code. */
export async function listFacilities(tx: ClientTx, { sku, lotNumber }: LotKey): Promise<string[]> {
  const rows = await tx.query<{ code: string }>(sql`select distinct facility_code as code from stock_balance
      where client_id = ${tenant} and sku = ${sku} and batch_ref = ${lotNumber} and batch_ref > '' and qty > 0
      order by 1 limit 1000`);
  return rows.map(({ code }) => code);
}

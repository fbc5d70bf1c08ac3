import { findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import { openBooks } from "#/modules/inventory/ledger/book.ts";
import {
  facilityToday,
  quantitiesToNumbers,
  readQuantities,
  type SkuQuantities,
} from "#/modules/inventory/quantities.ts";
import { stockChange } from "#/modules/inventory/tables.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { updateOf } from "#/store/db/table.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

const skusMax = 1_000;

/**
 * `inventory:changed` for SKUs whose first unreported change is at least as old as `olderThan` (ISO 8601), with the
 * current quantities and their position. Called with now − 10 s, it reports a SKU to a client at most every 10 seconds.
 * `inventory:low` if the available quantity has fallen to the item's threshold since it was last above it.
 *
 * The books stay locked while it reads, so that quantities and position belong together. One call takes a thousand
 * SKUs: if as many `inventory:changed` come back, there may be more.
 */
export async function publishChanges(tx: UnitOfWork, olderThan: string): Promise<EventDraft[]> {
  const hints = await listUnpublished(tx, olderThan, skusMax);
  if (hints.length === 0) return [];
  const books = await openBooks(
    tx,
    hints.map(({ facilityCode }) => facilityCode),
    tx.change.at,
  );
  // Another worker may have reported them while this one waited for the books.
  const unpublished = (await listUnpublished(tx, olderThan, skusMax)).filter(({ facilityCode }) =>
    books.has(facilityCode),
  );
  const rules = await findItemRules(
    tx,
    unpublished.map(({ sku }) => sku),
  );
  const drafts: EventDraft[] = [];
  for (const [facilityCode, rows] of Map.groupBy(unpublished, (row) => row.facilityCode)) {
    const today = await facilityToday(tx.plain, facilityCode, tx.change.at);
    const skus = rows.map(({ sku }) => sku);
    const quantities = await readQuantities(tx, facilityCode, skus, today);
    const position = books.get(facilityCode)?.position ?? 0;
    const published = rows.map((row) => {
      const { total } = quantities.get(row.sku) as SkuQuantities;
      const isLow = isLowNow(total.available, rules.get(row.sku));
      drafts.push(changedDraft(row, total, position));
      if (isLow && !row.isLow) drafts.push(lowDraft(row, total, rules.get(row.sku)));
      return { sku: row.sku, isLow };
    });
    markPublished(tx, facilityCode, published);
  }
  return drafts;
}

function isLowNow(available: number, rules: ItemRules | undefined): boolean {
  return rules?.lowStockThreshold !== undefined && available <= rules.lowStockThreshold;
}

function draftOf(topic: string, { facilityCode, sku }: Unpublished, data: object): EventDraft {
  return {
    topic,
    objectType: "stock",
    objectId: `${facilityCode}/${sku}`,
    facilityCode,
    data: { sku, distributionCentre: facilityCode, ...data },
  };
}

function changedDraft(row: Unpublished, total: SkuQuantities["total"], position: number): EventDraft {
  return draftOf("inventory:changed", row, { quantities: quantitiesToNumbers(total), reason: null, position });
}

function lowDraft(row: Unpublished, total: SkuQuantities["total"], rules: ItemRules | undefined): EventDraft {
  const threshold = (rules?.lowStockThreshold ?? 0) / 1000;
  return draftOf("inventory:low", row, { quantities: quantitiesToNumbers(total), reason: "LOW_STOCK", threshold });
}

const settle = updateOf(stockChange, { set: ["is_low"], also: { changed_at: sql`null` } });

/** Facilities with newly free stock of the client that lines may wait for, in no order. */
export async function listFacilitiesToAllocate(tx: ClientTx, limit = 10_000): Promise<string[]> {
  const rows = await tx.query<{ facility_code: string }>(sql`select distinct facility_code from stock_change
      where client_id = ${tenant} and needs_allocation limit ${limit}`);
  return rows.map(({ facility_code }) => facility_code);
}

/**
 * SKUs with newly free or newly expected stock that waiting lines may want. Purchase orders set the mark without the
 * lock on the book: they wait for the rows until the mark is cleared.
 */
export async function listWantedSkus(tx: ClientTx, facilityCode: string, limit: number): Promise<string[]> {
  // The partial index has no SKU: an order by SKU of the same query reads all changes of the facility by their key.
  const rows = await tx.query<{ sku: string }>(sql`select sku from stock_change
      where client_id = ${tenant} and facility_code = ${facilityCode} and needs_allocation and sku = any(array(
        select w.sku from stock_change w
        where w.client_id = ${tenant} and w.facility_code = ${facilityCode} and w.needs_allocation limit ${limit}))
      order by sku limit ${limit} for no key update`);
  return rows.map(({ sku }) => sku);
}

/**
 * Clears the mark of SKUs that allocation has processed. The lock on the book ensures that nothing arrived in between.
 */
export function clearAllocationWants(tx: ClientTransaction, facilityCode: string, skus: readonly string[]): void {
  if (skus.length === 0) return;
  tx.send(sql`update stock_change set needs_allocation = false
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])`);
  deleteSettled(tx, facilityCode, skus);
}

/** Marks the SKUs among these that open purchase orders expect: lines have begun to wait for them. */
export function wantExpected(tx: ClientTransaction, facilityCode: string, skus: readonly string[]): void {
  if (skus.length === 0) return;
  tx.send(sql`insert into stock_change (client_id, facility_code, sku, needs_allocation)
      select t.client_id, ${facilityCode}, given.sku, true
      from tenant t cross join (select sku from unnest(${skus.toSorted()}::text[]) as named(sku) limit ${skus.length}) given
      where t.client_id = ${tenant} and (
        select true from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = given.sku and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ${openPurchaseOrder} limit 1)
      on conflict (client_id, facility_code, sku) do update set needs_allocation = true returning sku`);
}

/** Marks the SKUs of purchase orders that lines wait for: what is expected of them has changed. */
export function wantOfPurchaseOrders(tx: ClientTransaction, poNumbers: readonly string[]): void {
  if (poNumbers.length === 0) return;
  tx.send(sql`insert into stock_change (client_id, facility_code, sku, needs_allocation)
      select t.client_id, given.facility_code, given.sku, true from tenant t cross join (
        select distinct p.distribution_centre as facility_code, l.sku from purchase_order p
        join purchase_order_line l on l.client_id = ${tenant} and l.po_number = p.po_number
          and l.vendor_order_id = p.vendor_order_id
        where p.client_id = ${tenant} and p.po_number = any(${poNumbers}::text[]) and (
          select true from sales_order_line w
          where w.client_id = ${tenant} and w.facility_code = p.distribution_centre and w.sku = l.sku
            and w.qty_open + w.qty_backordered > 0 limit 1)
      ) given
      where t.client_id = ${tenant} order by given.facility_code, given.sku
      on conflict (client_id, facility_code, sku) do update set needs_allocation = true returning sku`);
}

/** Marks the SKUs of lines that wait for goods which were promised for a day before `today`: the goods are late. */
export function wantOverdue(tx: ClientTransaction, facilityCode: string, today: string): void {
  tx.send(sql`insert into stock_change (client_id, facility_code, sku, needs_allocation)
      select t.client_id, ${facilityCode}, given.sku, true from tenant t cross join (
        select distinct l.sku from sales_order_line l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode}
          and l.promised_on is not null and l.qty_open + l.qty_backordered > 0 and l.promised_on < ${today}::date
      ) given
      where t.client_id = ${tenant} order by given.sku
      on conflict (client_id, facility_code, sku) do update set needs_allocation = true returning sku`);
}

type Unpublished = { readonly facilityCode: string; readonly sku: string; readonly isLow: boolean };

/** Unreported changes that are at least as old as `olderThan`, oldest first. */
function listUnpublished(tx: ClientTx, olderThan: string, limit: number): Promise<Unpublished[]> {
  return tx.query(sql`select facility_code as "facilityCode", sku, is_low as "isLow" from stock_change
      where client_id = ${tenant} and changed_at is not null and changed_at <= ${olderThan}::timestamptz
      order by changed_at limit ${limit}`);
}

/** Marks the changes as reported and deletes rows without further use. */
function markPublished(
  tx: ClientTransaction,
  facilityCode: string,
  rows: readonly { readonly sku: string; readonly isLow: boolean }[],
): void {
  settle.send(
    tx,
    rows.map(({ sku, isLow }) => ({ facility_code: facilityCode, sku, is_low: isLow })),
  );
  deleteSettled(
    tx,
    facilityCode,
    rows.map(({ sku }) => sku),
  );
}

function deleteSettled(tx: ClientTransaction, facilityCode: string, skus: readonly string[]): void {
  tx.send(sql`delete from stock_change
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])
        and changed_at is null and not needs_allocation and not is_low`);
}

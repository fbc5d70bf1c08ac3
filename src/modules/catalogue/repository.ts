import type { Finding } from "#/kernel/feed-codes.ts";
import type { KitComponent } from "#/modules/catalogue/kit-component.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import { openReturn } from "#/modules/returns/states.ts";
import { openWorkOrder } from "#/modules/workorders/states.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

export interface KnownItem {
  readonly sku: string;
  readonly ean_code: string | null;
  readonly stock_uom: string;
  readonly weight_uom_code: string | null;
  readonly dated_at: string;
}

/** The stored items of these SKUs, locked in key order until the transaction ends. */
export function lockItems(tx: ClientTx, skus: readonly string[]): Promise<KnownItem[]> {
  return tx.query(sql`select sku, ean_code, stock_uom, weight_uom_code, dated_at from item
      where client_id = ${tenant} and sku = any(${skus}::text[]) order by sku limit 100000 for no key update`);
}

export interface StockUnit {
  readonly sku: string;
  readonly stock_uom: string;
  /** Null: the item is not a kit. */
  readonly components: readonly KitComponent[] | null;
  readonly packs: Record<string, string> | null;
  readonly is_active: boolean;
  /** The extended attribute AvailableFrom, as sent. */
  readonly available_from: string | null;
}

/** The SKUs among these that are known through CAT, with their units. */
export function findStockUnits(tx: ClientTx, skus: readonly string[]): Promise<StockUnit[]> {
  return tx.query(
    sql`select sku, stock_uom, packs, is_active, components, extended_attributes ->> 'AvailableFrom' as available_from from item where client_id = ${tenant} and sku = any(${skus}::text[]) limit 100000`,
  );
}

/** Items whose AvailableFrom has moved since their pre-orders were compared with it, locked. */
export async function lockMovedItems(tx: ClientTx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(sql`select sku from item
      where client_id = ${tenant} and available_moved_at is not null
      order by sku limit ${limit} for no key update skip locked`);
  return rows.map(({ sku }) => sku);
}

/** Their pre-orders are compared with the days of these items. */
export function settleMovedItems(tx: ClientTransaction, skus: readonly string[]): void {
  tx.send(sql`update item set available_moved_at = null
      where client_id = ${tenant} and sku = any(${skus}::text[])`);
}

/** The items among these SKUs, and whether each is a kit. */
export function findKitItems(
  tx: ClientTx,
  skus: readonly string[],
): Promise<{ sku: string; stock_uom: string; is_kit: boolean }[]> {
  return tx.query(sql`select sku, stock_uom, components is not null as is_kit from item
      where client_id = ${tenant} and sku = any(${skus}::text[]) limit 100000`);
}

/** The kits that have any of these SKUs as a component. */
export function findKitsOf(tx: ClientTx, skus: readonly string[]): Promise<{ kitSku: string; sku: string }[]> {
  return tx.query(sql`select i.sku as "kitSku", c.sku from item i cross join jsonb_to_recordset(i.components) as c(sku text)
      where i.client_id = ${tenant} and i.components is not null and c.sku = any(${skus}::text[]) limit 100000`);
}

/** The SKUs among these that are dangerous goods. */
export function findHazmatSkus(tx: ClientTx, skus: readonly string[]): Promise<{ sku: string }[]> {
  return tx.query(sql`select sku from item where client_id = ${tenant} and sku = any(${skus}::text[])
      and (lower(btrim(extended_attributes ->> 'IsHazmat')) in ('true', '1')
        or btrim(upper(extended_attributes ->> 'UnNumber')) ~ '^UN ?[0-9]{4}$') limit 100000`);
}

/**
 * The current holders of these EANs, each looked up by the index. A plan for an empty table compares every item of the
 * client with every EAN: in a catalogue that is written piece by piece that took 60 s for 50,000 items.
 */
export function findEanHolders(tx: ClientTx, eans: readonly string[]): Promise<{ sku: string; ean_code: string }[]> {
  return tx.query(sql`select i.sku, i.ean_code
      from (select code from unnest(${eans}::text[]) code limit ${eans.length}) given
      join item i on i.ean_code = given.code
      where i.client_id = ${tenant} limit 100000`);
}

/** The items that have any of these barcodes. */
export function findBarcodeHolders(
  tx: ClientTx,
  barcodes: readonly string[],
): Promise<{ sku: string; barcodes: string[] }[]> {
  return tx.query(sql`select sku, barcodes from item
      where client_id = ${tenant} and barcodes && ${barcodes}::text[] and barcodes <> '{}' limit 10000`);
}

/** The SKUs among these with stock or in an open document: their stock unit cannot change. */
export function findSkusInUse(tx: ClientTx, skus: readonly string[]): Promise<{ sku: string }[]> {
  return tx.query(sql`select distinct sku from (
        select l.sku from sales_order_line l
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[])
          and l.qty_despatched + l.qty_cancelled < l.qty_ordered
        union all
        select l.sku from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and p.status in ${openPurchaseOrder}
        union all
        select l.sku from return_authorisation_line l
        join return_authorisation r on r.client_id = ${tenant} and r.rma_number = l.rma_number
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and r.status in ${openReturn}
        union all
        select b.sku from stock_balance b
        where b.client_id = ${tenant} and b.sku = any(${skus}::text[]) and b.sku > '' and b.qty > 0
        union all
        select c.sku from work_order_component c
        join work_order w on w.client_id = ${tenant} and w.work_order_id = c.work_order_id
        where c.client_id = ${tenant} and c.sku = any(${skus}::text[]) and w.status in ${openWorkOrder}
        union all
        select k.sku from item i cross join jsonb_to_recordset(i.components) as k(sku text)
        where i.client_id = ${tenant} and i.components is not null and k.sku = any(${skus}::text[])
      ) used limit 100000`);
}

export interface ItemChange {
  readonly json: Uint8Array;
  readonly datedAt: string;
  readonly token: string;
  readonly at: string;
}

const recordColumns = sql`sku text, alt_sku text, ean_code text, name text, weight numeric, weight_uom_code text,
  height numeric, length numeric, width numeric, dimensions_uom_code text, product_type text, country_of_origin text,
  image_url text, capture_batch_ref boolean, extended_attributes jsonb, barcodes text[], stock_uom text, packs jsonb,
  is_active boolean, components jsonb, warnings jsonb`;

function insertion(change: ItemChange): Statement {
  return sql`insert into item as i (client_id, sku, alt_sku, ean_code, name, weight, weight_uom_code, height, length, width,
      dimensions_uom_code, product_type, country_of_origin, image_url, capture_batch_ref, extended_attributes, barcodes,
      stock_uom, packs, is_active, components, warnings, dated_at, feed_token, created_at, updated_at)
    select t.client_id, x.sku, x.alt_sku, x.ean_code, x.name, x.weight, x.weight_uom_code, x.height, x.length, x.width,
      x.dimensions_uom_code, x.product_type, x.country_of_origin, x.image_url, coalesce(x.capture_batch_ref, false),
      coalesce(x.extended_attributes, '{}'), coalesce(x.barcodes, '{}'), coalesce(x.stock_uom, 'EA'), x.packs,
      coalesce(x.is_active, true), x.components, coalesce(x.warnings, '[]'), ${change.datedAt}::timestamptz, ${change.token}::uuid, ${change.at}::timestamptz,
      ${change.at}::timestamptz
    from tenant t cross join json_to_recordset(${Buffer.from(change.json.buffer, change.json.byteOffset, change.json.byteLength)}::json) as x(${recordColumns})
    where t.client_id = ${tenant}`;
}

/** Inserts items that are all new. */
export async function insertItems(tx: ClientTx, change: ItemChange): Promise<void> {
  await tx.query(insertion(change));
}

/** Marks an item whose AvailableFrom moves, for its accepted pre-orders. */
const movedAt = (after: Statement, { at }: ItemChange): Statement =>
  sql`case when i.extended_attributes ->> 'AvailableFrom' is distinct from ${after}.extended_attributes ->> 'AvailableFrom'
    then ${at}::timestamptz else i.available_moved_at end`;

/** REPLACE: the document's item replaces the stored one, field by field. An item that is the same is not written. */
export async function replaceItems(tx: ClientTx, change: ItemChange): Promise<void> {
  await tx.query(sql`${insertion(change)}
      on conflict (client_id, sku) do update set
        alt_sku = excluded.alt_sku, ean_code = excluded.ean_code, name = excluded.name, weight = excluded.weight,
        weight_uom_code = excluded.weight_uom_code, height = excluded.height, length = excluded.length,
        width = excluded.width, dimensions_uom_code = excluded.dimensions_uom_code,
        product_type = excluded.product_type, country_of_origin = excluded.country_of_origin,
        image_url = excluded.image_url, capture_batch_ref = excluded.capture_batch_ref,
        extended_attributes = excluded.extended_attributes, barcodes = excluded.barcodes,
        stock_uom = excluded.stock_uom, packs = excluded.packs, is_active = excluded.is_active,
        components = excluded.components,
        warnings = excluded.warnings,
        dated_at = excluded.dated_at, feed_token = excluded.feed_token, updated_at = excluded.updated_at,
        available_moved_at = ${movedAt(sql`excluded`, change)}, version = i.version + 1, feed_position = null
      where (i.alt_sku, i.ean_code, i.name, i.weight, i.weight_uom_code, i.height, i.length, i.width,
          i.dimensions_uom_code, i.product_type, i.country_of_origin, i.image_url, i.capture_batch_ref,
          i.extended_attributes, i.barcodes, i.stock_uom, i.packs, i.is_active, i.components, i.warnings)
        is distinct from (excluded.alt_sku, excluded.ean_code, excluded.name, excluded.weight, excluded.weight_uom_code,
          excluded.height, excluded.length, excluded.width, excluded.dimensions_uom_code, excluded.product_type,
          excluded.country_of_origin, excluded.image_url, excluded.capture_batch_ref, excluded.extended_attributes,
          excluded.barcodes, excluded.stock_uom, excluded.packs, excluded.is_active, excluded.components,
          excluded.warnings)
      returning i.sku`);
}

/**
 * MERGE: a field that the document omits keeps its stored value; extended attributes merge by name. An item that stays
 * the same is not written.
 */
export async function mergeItems(tx: ClientTx, change: ItemChange): Promise<void> {
  await tx.query(sql`update item i set
        alt_sku = m.alt_sku, ean_code = m.ean_code, name = m.name, weight = m.weight, weight_uom_code = m.weight_uom_code,
        height = m.height, length = m.length, width = m.width, dimensions_uom_code = m.dimensions_uom_code,
        product_type = m.product_type, country_of_origin = m.country_of_origin, image_url = m.image_url,
        capture_batch_ref = m.capture_batch_ref, extended_attributes = m.extended_attributes, barcodes = m.barcodes,
        stock_uom = m.stock_uom, packs = m.packs, is_active = m.is_active,
        components = m.components, warnings = m.warnings,
        dated_at = ${change.datedAt}::timestamptz, feed_token = ${change.token}::uuid,
        updated_at = ${change.at}::timestamptz, available_moved_at = ${movedAt(sql`m`, change)},
        version = i.version + 1, feed_position = null
      from (
        select i.sku, coalesce(x.alt_sku, i.alt_sku) as alt_sku, coalesce(x.ean_code, i.ean_code) as ean_code, x.name,
          coalesce(x.weight, i.weight) as weight, coalesce(x.weight_uom_code, i.weight_uom_code) as weight_uom_code,
          coalesce(x.height, i.height) as height, coalesce(x.length, i.length) as length, coalesce(x.width, i.width) as width,
          coalesce(x.dimensions_uom_code, i.dimensions_uom_code) as dimensions_uom_code,
          coalesce(x.product_type, i.product_type) as product_type,
          coalesce(x.country_of_origin, i.country_of_origin) as country_of_origin,
          coalesce(x.image_url, i.image_url) as image_url,
          coalesce(x.capture_batch_ref, i.capture_batch_ref) as capture_batch_ref,
          i.extended_attributes || coalesce(x.extended_attributes, '{}') as extended_attributes,
          coalesce(x.barcodes, i.barcodes) as barcodes, coalesce(x.stock_uom, i.stock_uom) as stock_uom,
          case when i.packs is null then x.packs else i.packs || coalesce(x.packs, '{}') end as packs,
          coalesce(x.is_active, i.is_active) as is_active, coalesce(x.components, i.components) as components,
          coalesce(x.warnings, '[]') as warnings
        from item i, json_to_recordset(${Buffer.from(change.json.buffer, change.json.byteOffset, change.json.byteLength)}::json) as x(${recordColumns})
        where i.client_id = ${tenant} and i.sku = x.sku
      ) m
      where i.client_id = ${tenant} and i.sku = m.sku
        and (i.alt_sku, i.ean_code, i.name, i.weight, i.weight_uom_code, i.height, i.length, i.width,
          i.dimensions_uom_code, i.product_type, i.country_of_origin, i.image_url, i.capture_batch_ref,
          i.extended_attributes, i.barcodes, i.stock_uom, i.packs, i.is_active, i.components, i.warnings)
        is distinct from (m.alt_sku, m.ean_code, m.name, m.weight, m.weight_uom_code, m.height, m.length, m.width,
          m.dimensions_uom_code, m.product_type, m.country_of_origin, m.image_url, m.capture_batch_ref,
          m.extended_attributes, m.barcodes, m.stock_uom, m.packs, m.is_active, m.components, m.warnings)`);
  await tx.query(sql`${insertion(change)} on conflict (client_id, sku) do nothing returning i.sku`);
}

/** Adds warnings of the store to those of the document. */
export function addWarnings(
  tx: ClientTransaction,
  warnings: readonly { readonly sku: string; readonly warnings: readonly Finding[] }[],
): void {
  tx.send(sql`update item i set warnings = i.warnings || x.warnings
      from json_to_recordset(${JSON.stringify(warnings)}::json) as x(sku text, warnings jsonb)
      where i.client_id = ${tenant} and i.sku = x.sku`);
}

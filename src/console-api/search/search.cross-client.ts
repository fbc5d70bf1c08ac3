/**
 * The objects that a text may name, over all clients: read-only, each client's part by its own index. An index that
 * starts with the client is searched once per client, which is a look-up, not a scan, of some microseconds.
 */
import { ordersOfCustomer } from "#/console-api/orders/found-orders.cross-client.ts";
import type { Found } from "#/console-api/search/contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface FoundObject extends Omit<Found, "kind" | "label" | "isExact"> {
  readonly label: string | null;
}

/** The search terms for each of the sources. */
export interface SearchAsk extends Scope {
  /** The text as typed, and in upper case where that differs. */
  readonly prefixes: readonly string[];
  readonly limit: number;
}

const end = "\u{10FFFF}";

/**
 * The query starts from `tenant`, whose rows are colocated with their clients' rows, so that each node looks up its own
 * (docs/citus.md).
 */
const clientsOf = (clientIds: readonly string[] | null): Statement =>
  sql`(select t.client_id from tenant t where ${within(sql`t.client_id`, clientIds)}) c`;

/** Each client with each prefix. `distinct` keeps them together, so that each look-up concerns one client. */
const beginningsOf = (clientIds: readonly string[] | null, prefixes: readonly string[]): Statement =>
  sql`(select distinct t.client_id, x.prefix from tenant t cross join unnest(${prefixes}::text[]) as x(prefix)
    where ${within(sql`t.client_id`, clientIds)}) c`;

const within = (column: Statement, codes: readonly string[] | null): Statement =>
  codes === null ? sql`true` : sql`${column} = any(${codes}::text[])`;

/** A feed document; its label is the number of its object. */
export interface FoundFeed extends FoundObject {
  readonly feed_type: string;
}

/** A feed document by its token, which contains its month. */
export function findFeeds(tx: Tx, { clientIds }: Scope, token: string): Promise<FoundFeed[]> {
  return tx.query(
    sql`select d.client_id as "clientId", d.token::text as id, null as "parentId", d.object_id as label, d.feed_type, d.state,
        d.received_at as at
      from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.token, n.feed_type, n.object_id, n.state, n.received_at from feed_document n
        where n.client_id = c.client_id and n.token = ${token}::uuid limit 1) d
      limit 20`,
  );
}

export function findDeliveries(tx: Tx, { clientIds }: Scope, deliveryId: string): Promise<FoundObject[]> {
  return tx.query(
    sql`select d.client_id as "clientId", d.delivery_id::text as id, d.webhook_id::text as "parentId",
        concat_ws(' ', d.topic_name, d.object_id) as label, d.status as state, d.completed_at as at
      from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.delivery_id, n.webhook_id, n.topic_name, n.object_id, n.status, n.completed_at
        from webhook_delivery n where n.client_id = c.client_id and n.delivery_id = ${deliveryId}::uuid limit 1) d
      limit 20`,
  );
}

export function findOutbound(tx: Tx, { clientIds, facilityCodes }: Scope, messageId: string): Promise<FoundObject[]> {
  return tx.query(
    sql`select d.client_id as "clientId", d.message_id::text as id, null as "parentId", concat_ws(' ', d.type, d.object_id) as label,
        null as state, d.created_at as at
      from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.message_id, n.type, n.object_id, n.created_at from outbound_document n
        where n.client_id = c.client_id and n.message_id = ${messageId}::uuid
          and ${within(sql`n.facility_code`, facilityCodes)} limit 1) d
      limit 20`,
  );
}

/** By the prefix of the orderId or of the reference, ignoring case. */
export function findOrders(tx: Tx, ask: SearchAsk, prefix: string): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, limit } = ask;
  const columns = sql`n.client_id, n.order_id, n.external_order_reference, n.status, n.received_at, n.distribution_centre`;
  return tx.query(
    sql`select distinct o.client_id as "clientId", o.order_id as id, null as "parentId", o.external_order_reference as label,
        o.status as state, o.received_at as at
      from ${clientsOf(clientIds)} cross join lateral (
        (select ${columns} from sales_order n
          where n.client_id = c.client_id and n.order_id > '' and ${within(sql`n.distribution_centre`, facilityCodes)}
            and upper(n.order_id collate "C") >= ${prefix} and upper(n.order_id collate "C") < ${prefix + end}
          order by upper(n.order_id collate "C") limit ${limit})
        union all
        (select ${columns} from sales_order n
          where n.client_id = c.client_id and n.external_order_reference > ''
            and ${within(sql`n.distribution_centre`, facilityCodes)}
            and upper(n.external_order_reference collate "C") >= ${prefix}
            and upper(n.external_order_reference collate "C") < ${prefix + end}
          order by upper(n.external_order_reference collate "C") limit ${limit})) o
      order by o.order_id limit ${2 * limit}`,
  );
}

/** Orders by their customer; the label is the customer. @param text in upper case */
export function findOrdersOfCustomer(tx: Tx, ask: SearchAsk, text: string): Promise<FoundObject[]> {
  const { facilityCodes, limit } = ask;
  return tx.query(
    sql`select distinct o.client_id as "clientId", o.order_id as id, null as "parentId",
        coalesce(nullif(concat_ws(' ', o.ship_to_address ->> 'firstName', o.ship_to_address ->> 'lastName'), ''),
          o.ship_to_address ->> 'companyName') as label,
        o.status as state, o.received_at as at
      from ${ordersOfCustomer(text, ask)} where ${within(sql`o.distribution_centre`, facilityCodes)}
      order by o.received_at desc limit ${limit}`,
  );
}

/**
 * Parcels by SSCC or tracking number. The owner of a key is stored separately from the client's rows, and is looked up
 * first.
 */
export async function findParcels(
  tx: Tx,
  { clientIds, facilityCodes }: Scope,
  keys: readonly string[],
): Promise<FoundObject[]> {
  const named = await tx.query<{ key: string; client_id: string; olpn_id: string }>(
    sql`select k.key, k.client_id, k.olpn_id from parcel_key k
      where k.key = any(${keys}::text[]) and ${within(sql`k.client_id`, clientIds)}
      order by k.key, k.client_id limit 1000`,
  );
  if (named.length === 0) return [];
  const [found, clients, parcels] = [
    named.map((parcelKey) => parcelKey.key),
    named.map((parcelKey) => parcelKey.client_id),
    named.map((parcelKey) => parcelKey.olpn_id),
  ];
  return tx.query(
    sql`select p.client_id as "clientId", p.olpn_id as id, p.order_id as "parentId", p.tracking_number as label, p.status as state,
        p.updated_at as at
      from unnest(${found}::text[], ${clients}::text[], ${parcels}::text[]) as k(key, client_id, olpn_id)
        join parcel p on p.client_id = k.client_id and p.olpn_id = k.olpn_id
      where ${within(sql`p.facility_code`, facilityCodes)}
      order by k.key, k.client_id limit 20`,
  );
}

/** Items by the prefix of their SKU. */
export function findItems(tx: Tx, { clientIds, prefixes, limit }: SearchAsk): Promise<FoundObject[]> {
  return tx.query(
    sql`select i.client_id as "clientId", i.sku as id, null as "parentId", i.name as label,
        case when i.is_active then 'ACTIVE' else 'INACTIVE' end as state, i.updated_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.sku, n.name, n.is_active, n.updated_at from item n
        where n.client_id = c.client_id and n.sku >= c.prefix and n.sku < c.prefix || ${end}::text
        order by n.sku limit ${limit}) i
      order by i.sku, i.client_id limit ${limit}`,
  );
}

/** Items by EAN or another barcode. */
export function findBarcodes(tx: Tx, { clientIds, limit }: SearchAsk, code: string): Promise<FoundObject[]> {
  const columns = sql`n.client_id as "clientId", n.sku as id, null as "parentId", n.name as label,
    case when n.is_active then 'ACTIVE' else 'INACTIVE' end as state, n.updated_at as at`;
  return tx.query(
    sql`(select i."clientId", i.id, i."parentId", i.label, i.state, i.at
        from ${clientsOf(clientIds)} cross join lateral (select ${columns} from item n
          where n.client_id = c.client_id and n.ean_code is not null and n.ean_code = ${code} limit 1) i limit ${limit})
      union
      (select ${columns} from item n
        where n.barcodes <> '{}' and n.barcodes @> array[${code}::text] and ${within(sql`n.client_id`, clientIds)}
        limit ${limit})
      limit ${limit}`,
  );
}

/** Products with a lot of this batch, used-up ones too. */
export function findLots(tx: Tx, { clientIds, facilityCodes, prefixes, limit }: SearchAsk): Promise<FoundObject[]> {
  return tx.query(
    sql`select b.client_id as "clientId", b.batch_ref as id, b.sku as "parentId", b.sku as label, null as state,
        max(b.last_moved_at) as at
      from stock_balance b
      where b.batch_ref > '' and b.batch_ref = any(${prefixes}::text[]) and ${within(sql`b.client_id`, clientIds)}
        and ${within(sql`b.facility_code`, facilityCodes)}
      group by b.client_id, b.batch_ref, b.sku order by b.client_id, b.batch_ref, b.sku limit ${limit}`,
  );
}

/** Units with this serial number, and the order that took each. */
export function findSerials(tx: Tx, { clientIds, facilityCodes, prefixes, limit }: SearchAsk): Promise<FoundObject[]> {
  return tx.query(
    sql`select s.client_id as "clientId", s.serial as id, case when s.owner_type = 'ORDER' then s.owner_id end as "parentId",
        s.sku as label, s.state, s.updated_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.sku, n.serial, n.state, n.owner_type, n.owner_id, n.updated_at from stock_serial n
        where n.client_id = c.client_id and n.serial = c.prefix and ${within(sql`n.facility_code`, facilityCodes)}
        order by n.sku limit ${limit}) s
      order by s.client_id, s.sku, s.serial limit ${limit}`,
  );
}

export function findPurchaseOrders(tx: Tx, ask: SearchAsk): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, prefixes, limit } = ask;
  return tx.query(
    sql`select p.client_id as "clientId", p.po_number as id, p.vendor_order_id as "parentId", p.vendor_order_id as label,
        p.status as state, p.received_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.po_number, n.vendor_order_id, n.status, n.received_at from purchase_order n
        where n.client_id = c.client_id and n.po_number >= c.prefix and n.po_number < c.prefix || ${end}::text
          and ${within(sql`n.distribution_centre`, facilityCodes)}
        order by n.po_number, n.vendor_order_id limit ${limit}) p
      order by p.po_number, p.client_id limit ${limit}`,
  );
}

export function findReturns(tx: Tx, ask: SearchAsk): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, prefixes, limit } = ask;
  return tx.query(
    sql`select r.client_id as "clientId", r.rma_number as id, null as "parentId", r.order_id as label, r.status as state,
        r.received_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.rma_number, n.order_id, n.status, n.received_at from return_authorisation n
        where n.client_id = c.client_id and n.rma_number >= c.prefix and n.rma_number < c.prefix || ${end}::text
          and ${within(sql`n.distribution_centre`, facilityCodes)}
        order by n.rma_number limit ${limit}) r
      order by r.rma_number, r.client_id limit ${limit}`,
  );
}

export function findWorkOrders(tx: Tx, ask: SearchAsk): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, prefixes, limit } = ask;
  return tx.query(
    sql`select w.client_id as "clientId", w.work_order_id as id, null as "parentId", w.finished_good_sku as label, w.status as state,
        w.received_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.work_order_id, n.finished_good_sku, n.status, n.received_at from work_order n
        where n.client_id = c.client_id and n.work_order_id >= c.prefix and n.work_order_id < c.prefix || ${end}::text
          and ${within(sql`n.facility_code`, facilityCodes)}
        order by n.work_order_id limit ${limit}) w
      order by w.work_order_id, w.client_id limit ${limit}`,
  );
}

/** By the facility that ships. */
export function findTransfers(tx: Tx, ask: SearchAsk): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, prefixes, limit } = ask;
  return tx.query(
    sql`select w.client_id as "clientId", w.transfer_id as id, null as "parentId", w.to_facility as label, w.status as state,
        w.received_at as at
      from ${beginningsOf(clientIds, prefixes)} cross join lateral (
        select n.client_id, n.transfer_id, n.to_facility, n.status, n.received_at from transfer n
        where n.client_id = c.client_id and n.transfer_id >= c.prefix and n.transfer_id < c.prefix || ${end}::text
          and ${within(sql`n.from_facility`, facilityCodes)}
        order by n.transfer_id limit ${limit}) w
      order by w.transfer_id, w.client_id limit ${limit}`,
  );
}

/** Clients by the prefix of identifier or name. @param prefix in lower case */
export function findClients(tx: Tx, ask: SearchAsk, prefix: string): Promise<FoundObject[]> {
  const { clientIds, facilityCodes, limit } = ask;
  const isServed =
    facilityCodes === null
      ? sql`true`
      : sql`client_id in (select f.client_id from client_facility f where f.facility_code = any(${facilityCodes}::text[]))`;
  return tx.query(
    sql`select client_id as "clientId", client_id as id, null as "parentId", name as label, status as state, updated_at as at from client
      where (starts_with(lower(client_id), ${prefix}) or starts_with(lower(name), ${prefix}))
        and ${within(sql`client_id`, clientIds)} and ${isServed}
      order by client_id limit ${limit}`,
  );
}

/** Facilities by the prefix of code or name. @param prefix in lower case */
export function findFacilities(tx: Tx, { facilityCodes, limit }: SearchAsk, prefix: string): Promise<FoundObject[]> {
  return tx.query(
    sql`select null as "clientId", facility_code as id, null as "parentId", name as label, status as state, created_at as at
      from facility
      where (starts_with(lower(facility_code), ${prefix}) or starts_with(lower(name), ${prefix}))
        and ${within(sql`facility_code`, facilityCodes)}
      order by facility_code limit ${limit}`,
  );
}

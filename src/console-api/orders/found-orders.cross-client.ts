/** Orders of all clients by their customer or their goods, for operators: read-only, by an index. */
import type { OrderName } from "#/console-api/orders/orders.cross-client.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

interface Some {
  readonly clientIds: readonly string[] | null;
  readonly limit: number;
}

/** From `tenant`, as `clientsOf` of the list of orders: each node looks up its own clients. */
const clientsOf = (clientIds: readonly string[] | null): Statement =>
  clientIds === null
    ? sql`tenant c`
    : sql`(select t.client_id from tenant t where t.client_id = any(${clientIds}::text[])) c`;

// The expressions of the indexes (migrations/0038_customers_of_orders.sql, 0046_telephone_numbers_of_orders.sql), on an
// order `n`.
const nameKey = sql`upper(coalesce((n.ship_to_address ->> 'lastName') || ' ' || (n.ship_to_address ->> 'firstName'),
  n.ship_to_address ->> 'lastName', n.ship_to_address ->> 'companyName', n.ship_to_address ->> 'firstName') collate "C")`;
const emailKey = sql`upper(n.ship_to_address ->> 'email' collate "C")`;
const phoneKey = sql`nullif(right(regexp_replace(n.ship_to_address ->> 'phone' collate "C", '[^0-9]', '', 'g'), 8), '')::integer`;
const postcodeKey = sql`upper(replace(n.ship_to_address ->> 'zip', ' ', '') collate "C")`;

/** An E.164 number has at most 15 digits; with fewer than six, a text is rather a postcode or a house number. */
const phoneDigits = { min: 6, max: 15 };

/** The key of a telephone number: with and without the prefix of a country, its last digits are the same. */
function phoneKeyOf(text: string): number | undefined {
  if (!/^\+?[\d\s()./-]+$/.test(text)) return undefined;
  const digits = text.replace(/\D/g, "");
  return digits.length < phoneDigits.min || digits.length > phoneDigits.max ? undefined : Number(digits.slice(-8));
}

/**
 * The orders, as `o`, of customers whose name, e-mail address or postcode begins with a text, or whose telephone number it
 * is, at most `limit` of each.
 * @param columns of an order `n`
 * @param text in upper case
 */
export function ordersOfCustomer(columns: Statement, text: string, { clientIds, limit }: Some): Statement {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  // The key of the index begins with the last name, and users type the first name first.
  const names = [...new Set([words.join(" "), [...words.slice(-1), ...words.slice(0, -1)].join(" ")])];
  const parts = [
    ...names.map((prefix) => ({ key: nameKey, prefix, condition: sql`true` })),
    ...(words.length === 1 ? [{ key: emailKey, prefix: text, condition: sql`n.ship_to_address ? 'email'` }] : []),
    ...(/\d/.test(text) ? [{ key: postcodeKey, prefix: words.join(""), condition: sql`true` }] : []),
  ];
  const ofPrefixes = parts.map(
    ({ key, prefix, condition }) => sql`(select ${columns} from sales_order n
        where n.client_id = c.client_id and n.erased_at is null and ${condition}
          and ${key} >= ${prefix} and ${key} < ${`${prefix}\u{10FFFF}`} order by ${key} limit ${limit})`,
  );
  const phone = phoneKeyOf(text);
  const ofPhone = sql`(select ${columns} from sales_order n
        where n.client_id = c.client_id and n.erased_at is null and n.ship_to_address ? 'phone'
          and ${phoneKey} = ${phone ?? null}::integer limit ${limit})`;
  const union = [...ofPrefixes, ...(phone === undefined ? [] : [ofPhone])].reduce(
    (all, part) => sql`${all} union all ${part}`,
  );
  return sql`${clientsOf(clientIds)} cross join lateral (${union}) o`;
}

const nameColumns = sql`n.client_id, n.order_id`;

/** Orders of a customer. @param text in upper case */
export function findByCustomer(tx: Tx, text: string, some: Some): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct o.client_id, o.order_id from ${ordersOfCustomer(nameColumns, text, some)} limit ${some.limit}`,
  );
}

/** Orders with lines of a product that have not left. */
export function findBySku(tx: Tx, sku: string, { clientIds, limit }: Some): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct l.client_id, l.order_id from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.order_id from sales_order_line n
        where n.client_id = c.client_id and n.sku = ${sku} and n.qty_despatched + n.qty_cancelled < n.qty_ordered
        limit ${limit}) l
      limit ${limit}`,
  );
}

/** Orders that goods of a lot left with. */
export function findByLot(tx: Tx, lotNumber: string, { clientIds, limit }: Some): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct m.client_id, m.reference_id as order_id
      from (
        select distinct n.client_id, n.sku from stock_balance n
        where n.batch_ref > '' and n.batch_ref = ${lotNumber}
          and (${clientIds}::text[] is null or n.client_id = any(${clientIds}::text[]))
      ) b
      cross join lateral (
        select n.client_id, n.reference_id from stock_movement n
        where n.client_id = b.client_id and n.sku = b.sku and n.batch_ref = ${lotNumber} and n.batch_ref > ''
          and n.type = 'DESPATCH' and n.reference_type = 'order'
        order by n.reference_id limit ${limit}) m
      limit ${limit}`,
  );
}

/** Orders that took a unit. */
export function findBySerial(tx: Tx, serialNumber: string, { clientIds, limit }: Some): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct s.client_id, s.owner_id as order_id from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.owner_id from stock_serial n
        where n.client_id = c.client_id and n.serial = ${serialNumber} and n.owner_type = 'ORDER'
        order by n.sku limit ${limit}) s
      limit ${limit}`,
  );
}

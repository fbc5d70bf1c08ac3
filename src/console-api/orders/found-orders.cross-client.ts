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

// The expressions of the indexes (migrations/0050_contents_of_orders.sql), on an address `a`. Those of sales_order are the
// same, for orders that have their content in their own row (0046, 0050).
const nameKey = sql`upper(coalesce((a.ship_to_address ->> 'lastName') || ' ' || (a.ship_to_address ->> 'firstName'),
  a.ship_to_address ->> 'lastName', a.ship_to_address ->> 'companyName', a.ship_to_address ->> 'firstName') collate "C")`;
const emailKey = sql`upper(a.ship_to_address ->> 'email' collate "C")`;
const phoneKey = sql`nullif(right(regexp_replace(a.ship_to_address ->> 'phone' collate "C", '[^0-9]', '', 'g'), 8), '')::integer`;
const postcodeKey = sql`upper(replace(a.ship_to_address ->> 'zip', ' ', '') collate "C")`;

const hasOwnContent = sql`a.erased_at is null and a.ship_to_address <> '{}'`;
const keys = {
  name: { key: nameKey, own: hasOwnContent, aside: sql`a.ship_to_address ?| '{lastName,firstName,companyName}'` },
  email: {
    key: emailKey,
    own: sql`a.erased_at is null and a.ship_to_address ? 'email'`,
    aside: sql`a.ship_to_address ? 'email'`,
  },
  postcode: { key: postcodeKey, own: hasOwnContent, aside: sql`a.ship_to_address ? 'zip'` },
  phone: {
    key: phoneKey,
    own: sql`a.erased_at is null and a.ship_to_address ? 'phone'`,
    aside: sql`a.ship_to_address ? 'phone'`,
  },
} as const;

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
 * @param text in upper case
 */
export function ordersOfCustomer(text: string, { clientIds, limit }: Some): Statement {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  // The key of the index begins with the last name, and users type the first name first.
  const names = [...new Set([words.join(" "), [...words.slice(-1), ...words.slice(0, -1)].join(" ")])];
  const phone = phoneKeyOf(text);
  const parts = [
    ...names.map((prefix) => ({ by: keys.name, prefix })),
    ...(words.length === 1 ? [{ by: keys.email, prefix: text }] : []),
    ...(/\d/.test(text) ? [{ by: keys.postcode, prefix: words.join("") }] : []),
    ...(phone === undefined ? [] : [{ by: keys.phone, prefix: phone }]),
  ];
  const found = parts.flatMap(({ by: { key, own, aside }, prefix }) => {
    const isWanted =
      typeof prefix === "number"
        ? sql`${key} = ${prefix}::integer limit ${limit}`
        : sql`${key} >= ${prefix} and ${key} < ${`${prefix}\u{10FFFF}`} order by ${key} limit ${limit}`;
    return [
      sql`(select a.client_id, a.order_id, a.status, a.received_at, a.distribution_centre, a.ship_to_address from sales_order a
        where a.client_id = c.client_id and ${own} and ${isWanted})`,
      sql`(select n.client_id, n.order_id, n.status, n.received_at, n.distribution_centre, a.ship_to_address from order_content a
          join sales_order n on n.client_id = a.client_id and n.order_id = a.order_id
        where a.client_id = c.client_id and ${aside} and ${isWanted})`,
    ];
  });
  const union = found.reduce((all, part) => sql`${all} union all ${part}`);
  return sql`${clientsOf(clientIds)} cross join lateral (${union}) o`;
}

/** Orders of a customer. @param text in upper case */
export function findByCustomer(tx: Tx, text: string, some: Some): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct o.client_id, o.order_id from ${ordersOfCustomer(text, some)} limit ${some.limit}`,
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

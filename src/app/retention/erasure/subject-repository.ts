// Finds orders whose personal data is due for blanking, and the objects that belong to them.

import { done } from "#/modules/orders/states.ts";
import { openReturn } from "#/modules/returns/states.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";

/** End states, after which the address is not needed. The wording matches the index sales_order_erasable. */
const isEnded = sql`status in ${done}`;

/** End time of an order. If it has left and no carrier reported its end, the time of its last change counts. */
const endedAt = sql`coalesce(ended_at, updated_at)`;

export interface ErasableOrder {
  readonly order_id: string;
  /** End time, with microseconds. */
  readonly due: string;
}

/** Orders that ended before a given time and are not blanked yet, oldest first, starting after a given order. */
export function listErasable(
  tx: ClientTx,
  before: string,
  after: ErasableOrder | undefined,
  limit: number,
): Promise<ErasableOrder[]> {
  const afterCursor = after && sql`(${endedAt}, order_id) > (${after.due}::timestamptz, ${after.order_id})`;
  return tx.query(sql`select order_id, ${endedAt}::text as due from sales_order
      where client_id = ${tenant} and erased_at is null and ${isEnded} and ${endedAt} < ${before}::timestamptz
        and ${allOf([afterCursor])}
      order by ${endedAt}, order_id limit ${limit}`);
}

export interface ErasedOrder {
  readonly order_id: string;
  readonly is_ended: boolean;
  readonly status: string;
  readonly erased_at: string | null;
  readonly received_at: string;
  readonly updated_at: string;
}

export function lockErased(tx: ClientTransaction, orderIds: readonly string[]): Promise<ErasedOrder[]> {
  return tx.query(sql`select order_id, ${isEnded} as is_ended, status, erased_at, received_at, updated_at from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) order by order_id limit 1000 for update`);
}

export function listReturnsOf(tx: ClientTx, orderIds: readonly string[]): Promise<ReturnOf[]> {
  return tx.query(sql`select rma_number, order_id, status, status in ${openReturn} as is_open, updated_at
      from return_authorisation
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and order_id is not null
      order by rma_number limit 10000`);
}

/**
 * Texts of the addresses that name the person: mail addresses, telephone numbers, first with last name. A placeholder,
 * such as `-`, or an initial names no one.
 */
export async function listPersonTexts(tx: ClientTx, orderIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ address: Readonly<Record<string, string>> | null }>(
    sql`select unnest(array[ship_to_address, bill_to_address]) as address from sales_order
        where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      union all
      select unnest(array[ship_to_address, bill_to_address]) from order_content
        where client_id = ${tenant} and order_id = any(${orderIds}::text[]) limit 4000`,
  );
  const texts = rows.flatMap(({ address }) => {
    const { email, phone, mobile, firstName, lastName } = address ?? {};
    const names = [firstName, lastName].map((name) => name?.trim() ?? "");
    return [
      ...[email].filter((text) => /[^\s@]@[^\s@]+\.[^\s@]/.test(text ?? "")),
      ...[phone, mobile].filter((text) => (text?.match(/\d/g) ?? []).length >= phoneDigitsMin),
      ...(names.every((name) => name.length > 1) ? [names.join(" ")] : []),
    ];
  });
  return [...new Set(texts.flatMap((text) => text?.trim() ?? []))];
}

/** A local number without its area code. */
const phoneDigitsMin = 7;

export interface ReturnOf {
  readonly rma_number: string;
  readonly order_id: string;
  readonly status: string;
  readonly is_open: boolean;
  readonly updated_at: string;
}

export async function listParcelsOf(tx: ClientTx, orderIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ olpn_id: string }>(sql`select olpn_id from parcel
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and order_id > '' limit 100000`);
  return rows.map(({ olpn_id }) => olpn_id);
}

export interface FeedOf {
  readonly token: string;
  readonly state: string;
  readonly received_at: string;
  readonly ack: Buffer;
  readonly findings: Record<string, unknown> | null;
}

/** Feed documents about these orders and returns, in any state. */
export function listFeedsOf(
  tx: ClientTx,
  { orderIds, rmaNumbers }: { readonly orderIds: readonly string[]; readonly rmaNumbers: readonly string[] },
): Promise<FeedOf[]> {
  const objects = [
    ...orderIds.map((id) => ({ object_id: id, feed_type: "NO" })),
    ...rmaNumbers.map((id) => ({ object_id: id, feed_type: "RMA" })),
  ];
  return tx.query(
    // Looks up one object at a time by the index of objects, because a document about an object may be in any month.
    sql`select l.token, l.state, l.received_at, l.ack, l.findings
      from json_to_recordset(${JSON.stringify(objects)}::json) as given(object_id text, feed_type text)
      cross join lateral (
        select d.token, d.state, d.received_at, d.ack, d.findings from feed_document d
        where d.client_id = ${tenant} and d.object_id = given.object_id and d.object_id > ''
          and d.feed_type = given.feed_type
        order by d.token limit 1000
      ) l limit 100000`,
  );
}

/** Times of free text about these orders: carrier milestones, and remarks on returned goods. */
export function listRemarks(
  tx: ClientTx,
  { orderIds, rmaNumbers, olpnIds }: Record<"orderIds" | "rmaNumbers" | "olpnIds", readonly string[]>,
): Promise<{ readonly object_id: string; readonly at: string }[]> {
  return tx.query(sql`select m.order_id as object_id, m.received_at as at from order_milestone m
        where m.client_id = ${tenant} and m.order_id = any(${orderIds}::text[])
          and (m.location is not null or m.text is not null)
      union all select d.rma_number, d.booked_at from return_disposition d
        where d.client_id = ${tenant} and d.rma_number = any(${rmaNumbers}::text[]) and d.note is not null
      union all select p.olpn_id, p.booked_at from return_disposition p
        where p.client_id = ${tenant} and p.olpn_id = any(${olpnIds}::text[]) and p.olpn_id is not null
          and p.note is not null
      limit 100000`);
}

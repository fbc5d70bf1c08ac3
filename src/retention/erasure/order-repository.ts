// Blanks personal data of orders and their returns in their own tables.
import type { ClientTransaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { keptReason } from "#/modules/orders/index.ts";

// Citus accepts a function of a column in an update only if it is immutable, as jsonb_set is. It does not look into a
// subquery, unless that is in a CASE or COALESCE.

/**
 * The order keeps its country, its amounts and its references, and of its reason what the platform worded. Its version increases, because its content changes. Its
 * change time stays: otherwise clients that poll for changes get every past order once.
 */
export function blankOrders(tx: ClientTransaction, at: string, orderIds: readonly string[]): void {
  tx.send(sql`update sales_order o set
        bill_to_address = case when o.bill_to_address is not null
          then jsonb_strip_nulls(jsonb_set('{}', '{country}', coalesce(o.bill_to_address -> 'country', 'null'))) end,
        ship_to_address = jsonb_strip_nulls(
          jsonb_set('{}', '{country}', coalesce(o.ship_to_address -> 'country', 'null'))),
        payments = null, customer = null, extended_attributes = '{}', cancel_reason = null,
        status_reason = substring(o.status_reason from ${keptReason}),
        holds = (
          select coalesce(jsonb_agg(h.hold || '{"reason": ""}' order by h.place), '[]')
          from jsonb_array_elements(o.holds) with ordinality as h(hold, place)),
        version = o.version + case when o.erased_at is null then 1 else 0 end,
        erased_at = coalesce(o.erased_at, ${at}::timestamptz)
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[])`);
  tx.send(sql`update sales_order_line set extended_attributes = '{}'
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and extended_attributes <> '{}'`);
  tx.send(sql`update order_milestone set location = null, text = null
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and (location is not null or text is not null)`);
  tx.send(sql`delete from order_note where client_id = ${tenant} and order_id = any(${orderIds}::text[])`);
  // Packing slips, labels and invoices hold names and addresses.
  tx.send(sql`delete from order_document
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and order_id > ''`);
}

/** The choice and its cost stay. Of the inputs only the country stays, and of the reasons only the codes. */
export function blankDecisions(tx: ClientTransaction, orderIds: readonly string[]): void {
  tx.send(sql`update carrier_decision d set
        request = (d.request - 'extendedAttributes') || jsonb_strip_nulls(jsonb_set(
          '{"isBlanked": true, "shipTo": {}}', '{shipTo,country}',
          coalesce(d.request -> 'shipTo' -> 'country', 'null'))),
        decision = jsonb_set(d.decision::jsonb, '{reasons}', (
          select coalesce(jsonb_agg(jsonb_set(r.reason, '{text}', coalesce(r.reason -> 'code', 'null')) order by r.place), '[]')
          from jsonb_array_elements(d.decision::jsonb -> 'reasons') with ordinality as r(reason, place)))::json
      where d.client_id = ${tenant} and d.order_id = any(${orderIds}::text[]) and d.order_id is not null
        and not d.request ? 'isBlanked'`);
}

export function blankReturns(
  tx: ClientTransaction,
  { rmaNumbers, olpnIds }: { readonly rmaNumbers: readonly string[]; readonly olpnIds: readonly string[] },
): void {
  tx.send(sql`update return_authorisation_line set attribute_one = null, attribute_three = null
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
        and (attribute_one is not null or attribute_three is not null)`);
  tx.send(sql`update return_disposition set note = null
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) and note is not null`);
  tx.send(sql`update return_disposition set note = null
      where client_id = ${tenant} and olpn_id = any(${olpnIds}::text[]) and olpn_id is not null and note is not null`);
}

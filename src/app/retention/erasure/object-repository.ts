// Blanks personal data of orders and their returns in their own tables.

import { dropPayloads } from "#/intake/feeds/repository.ts";
import { feedDocument } from "#/intake/feeds/tables.ts";
import { packDecision, unpackDecision } from "#/modules/carriers/index.ts";
import { keptReason } from "#/modules/orders/index.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { table, updateOf } from "#/store/db/table.ts";

// Citus accepts a function of a column in an update only if it is immutable, as jsonb_set is. It does not look into a
// subquery, unless that is in a CASE or COALESCE.

/**
 * The order keeps its country, its amounts and its references, and of its reason what the platform worded. Its version increases, because its content changes. Its
 * change time stays: otherwise clients that poll for changes get every past order once.
 */
export function blankOrders(tx: ClientTransaction, at: string, orderIds: readonly string[]): void {
  const blankContent = sql`bill_to_address = case when o.bill_to_address is not null
          then jsonb_strip_nulls(jsonb_set('{}', '{country}', coalesce(o.bill_to_address -> 'country', 'null'))) end,
        ship_to_address = jsonb_strip_nulls(
          jsonb_set('{}', '{country}', coalesce(o.ship_to_address -> 'country', 'null'))),
        payments = null, extended_attributes = '{}'`;
  tx.send(sql`update order_content o set ${blankContent}
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[])`);
  tx.send(sql`update sales_order o set ${blankContent}, customer = null, cancel_reason = null,
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
  tx.send(sql`update label_purchase set request = null
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and request is not null`);
  tx.send(sql`update address_check set address_key = null, reason = null, correction = null, due_at = null
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and address_key is not null`);
  tx.send(sql`delete from agent_proposal
      where client_id = ${tenant} and object_type = 'order' and object_id = any(${orderIds}::text[])`);
  // Packing slips, labels and invoices hold names and addresses.
  tx.send(sql`delete from order_document
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and order_id > ''`);
}

const carrierDecision = table("carrier_decision", ["decision_id"], {
  decision_id: "uuid",
  decision: "json",
  request: "jsonb",
});
const setDecision = updateOf(carrierDecision, {
  set: ["decision"],
  also: {
    request: sql`(carrier_decision.request - 'extendedAttributes') || jsonb_strip_nulls(jsonb_set(
      '{"isBlanked": true, "shipTo": {}}', '{shipTo,country}',
      coalesce(carrier_decision.request -> 'shipTo' -> 'country', 'null')))`,
  },
});

/** The choice and its cost stay. Of the inputs only the country stays, and of the reasons only the codes. */
export async function blankDecisions(tx: ClientTransaction, orderIds: readonly string[]): Promise<void> {
  const rows = await tx.query<{ decision_id: string; decision: ReturnType<typeof packDecision> }>(
    sql`select decision_id, decision from carrier_decision
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and order_id is not null
        and not request ? 'isBlanked' limit 100000`,
  );
  setDecision.send(
    tx,
    rows.map(({ decision_id, decision: stored }) => {
      const { reasons, ...decision } = unpackDecision(stored);
      const blanked = reasons.map((reason) => ({ ...reason, text: reason.code }));
      return { decision_id, decision: packDecision(tx, { ...decision, reasons: blanked }) };
    }),
  );
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

// Blanks the feed documents of orders: the bytes go, the findings stay without the values.

// Citus accepts a function of a column in an update only if it is immutable. decode is, convert_to is not.
const setAck = updateOf(feedDocument, {
  set: ["findings"],
  with: { ack_base64: "text" },
  also: { ack: sql`decode(given.ack_base64, 'base64')` },
});

export interface BlankedFeed {
  readonly token: string;
  readonly ack: Buffer;
  readonly findings: object | null;
}

/** Hash, keys and token stay, so that a document that is sent again is recognised as a duplicate. */
export function blankFeeds(tx: ClientTransaction, feeds: readonly BlankedFeed[]): void {
  if (feeds.length === 0) return;
  const tokens = feeds.map(({ token }) => token);
  const rows = feeds.map(({ token, ack, findings }) => ({
    token,
    findings,
    ack_base64: ack.toString("base64"),
  }));
  dropPayloads(tx, tokens);
  setAck.send(tx, rows);
  // The document's file leaves /archive or /rejected with its bytes. The ACK stays listed, with its new size.
  const sizes = JSON.stringify(feeds.map(({ token, ack }) => ({ token, ack_bytes: ack.byteLength })));
  const acks = sql`(
      select token, ack_bytes from json_to_recordset(${sizes}::json) as given(token uuid, ack_bytes integer)
      limit ${rows.length}
    ) given`;
  tx.send(sql`update feed_file f set archive_name = null, ack_bytes = given.ack_bytes from ${acks}
      where f.client_id = ${tenant} and f.is_accepted = true and f.token = given.token and f.ordinal > 0`);
  tx.send(sql`update feed_file f set archive_name = null, ack_bytes = given.ack_bytes from ${acks}
      where f.client_id = ${tenant} and f.is_accepted = false and f.token = given.token and f.ordinal > 0`);
}

// Blanks personal data in the warehouse's tasks and reports, and in the operators' exceptions.

/** Task types whose content has fields of the order. */
const taskTypes = ["PICK", "CANCEL_REQUEST", "HOLD"];

/** Tasks end long before the data of their order are erased: their lines are not needed any more either. */
export function blankTasks(
  tx: ClientTransaction,
  { orderIds, rmaNumbers }: { readonly orderIds: readonly string[]; readonly rmaNumbers: readonly string[] },
): void {
  tx.send(sql`update warehouse_task set content = '{"lines": []}'
      where client_id = ${tenant} and type = any(${taskTypes}::text[]) and object_id = any(${orderIds}::text[])
        and content <> '{"lines": []}'`);
  tx.send(sql`update warehouse_task set content = '{"lines": []}'
      where client_id = ${tenant} and type = 'RETURN' and object_id = any(${rmaNumbers}::text[])
        and content <> '{"lines": []}'`);
}

export interface TaskOf {
  readonly task_id: string;
  readonly facility_code: string;
}

/** The tasks that `blankTasks` blanks. */
export function listTasksOf(
  tx: ClientTx,
  { orderIds, rmaNumbers }: { readonly orderIds: readonly string[]; readonly rmaNumbers: readonly string[] },
): Promise<TaskOf[]> {
  return tx.query(sql`select task_id, facility_code from warehouse_task
        where client_id = ${tenant} and type = any(${taskTypes}::text[]) and object_id = any(${orderIds}::text[])
      union all select task_id, facility_code from warehouse_task
        where client_id = ${tenant} and type = 'RETURN' and object_id = any(${rmaNumbers}::text[])
      limit 100000`);
}

/** A rejected report is stored as received. Its type and its response stay, its content goes. */
export function blankExceptions(tx: ClientTransaction, objectIds: readonly string[], blankedWord: string): void {
  tx.send(sql`update operator_exception set summary = ${blankedWord},
        detail = jsonb_strip_nulls(coalesce((
          select jsonb_object_agg(member.name, member.value) from jsonb_each(detail) as member(name, value)
          where member.name = any(array['key', 'report', 'status', 'carrierCode'])), '{}'))
      where client_id = ${tenant} and object_id = any(${objectIds}::text[]) and summary <> ${blankedWord}`);
}

/** Notes that operators added to exceptions of these objects. */
export function blankAnnotations(
  tx: ClientTransaction,
  { types, keys }: { readonly types: readonly string[]; readonly keys: readonly string[] },
): void {
  tx.send(sql`update exception_annotation set note = null, reason = case when reason is not null then '' end
      where client_id = ${tenant} and type = any(${types}::text[]) and object_key = any(${keys}::text[])
        and (note is not null or reason is not null)`);
}

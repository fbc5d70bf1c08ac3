/**
 * The source of each type of exception, over all clients: the current rows, read by an index of only such rows
 * (docs/decisions/0025-exceptions.md). Each source returns
 * `client_id, object_key, since, ordered, facility_code, object_type, object_id, facts`; its index uses `ordered`,
 * which represents the same moment as `since`.
 */

import { findLongestWaiting, named } from "#/console-api/exceptions/sources/silence/silence.cross-client.ts";
import type { ExceptionType } from "#/console-api/exceptions/types.ts";
import { accepted } from "#/intake/feeds/states.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { failedPurchase } from "#/modules/labels/states.ts";
import { atRiskBeforeMs } from "#/modules/orders/index.ts";
import { beforeLeaving, done } from "#/modules/orders/states.ts";
import { waitingUnidentified } from "#/modules/warehouse/unidentified/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface Source {
  readonly type: ExceptionType;
  /** Type of `ordered`: a time, or its ISO 8601 text with milliseconds. */
  readonly order: "timestamptz" | "text";
  /** How much later `ordered` is than `since`, in microseconds; the same for all rows. */
  readonly aheadUs?: number;
  /** `facility_code` is always null. */
  readonly isOfNoFacility?: true;
  /** `object_key` is the same for all rows. */
  readonly isOfOneKey?: true;
  /** @param at ISO 8601: the moment to which the source compares due times and waiting times. */
  select(at: string, tx: Tx): Statement | Promise<Statement>;
}

/** A document that no client fetches for this long is an exception (sftp.md). */
const takenWithin = sql`interval '24 hours'`;
/** A warehouse that does not request its waiting work for this long is an exception (lifecycle.md §6). */
const askedWithin = sql`interval '30 minutes'`;
const atRiskBefore = sql`${atRiskBeforeMs}::integer * interval '1 millisecond'`;
/** A receipt reopens a closed purchase order for this long (lifecycle.md §2); afterwards no action is possible. */
const reopenedWithin = sql`interval '30 days'`;

/** Refused permanently, unless a later document of the same object was accepted. */
const rejected: Source = {
  type: "FEED_REJECTED",
  order: "timestamptz",
  isOfNoFacility: true,
  select: () =>
    sql`select d.client_id, d.token::text as object_key, d.completed_at as since, d.completed_at as ordered,
      null::text as facility_code, 'feed' as object_type, d.token::text as object_id,
      jsonb_build_object('feedType', d.feed_type, 'objectId', d.object_id, 'channel', d.channel,
        'error', d.findings -> 'errors' -> 0, 'errors', jsonb_array_length(coalesce(d.findings -> 'errors', '[]'))) as facts
    from feed_document d
    where d.state = 'REJECTED' and not exists (
      select from feed_document l where l.client_id = d.client_id and l.object_id = d.object_id and l.object_id > ''
        and l.token > d.token and l.feed_type = d.feed_type and l.state in ${accepted})`,
};

const parked: Source = {
  type: "FEED_PARKED",
  order: "timestamptz",
  isOfNoFacility: true,
  select: () =>
    sql`select d.client_id, d.token::text as object_key, d.received_at as since, d.received_at as ordered,
      null::text as facility_code, 'feed' as object_type, d.token::text as object_id,
      jsonb_build_object('feedType', d.feed_type, 'objectId', d.object_id, 'missingSkus', d.findings -> 'missingSkus') as facts
    from feed_document d where d.state = 'PARKED'`,
};

const overdue: Source = {
  type: "FEED_OVERDUE",
  order: "timestamptz",
  isOfNoFacility: true,
  select: () =>
    sql`select d.client_id, d.token::text as object_key, d.overdue_at as since, d.overdue_at as ordered,
      null::text as facility_code, 'feed' as object_type, d.token::text as object_id,
      jsonb_build_object('feedType', d.feed_type, 'objectId', d.object_id, 'receivedAt', d.received_at) as facts
    from feed_document d where d.state = 'ACCEPTED' and d.overdue_at is not null`,
};

const failed: Source = {
  type: "FEED_FAILED",
  order: "timestamptz",
  isOfNoFacility: true,
  select: () =>
    sql`select d.client_id, d.token::text as object_key, d.completed_at as since, d.completed_at as ordered,
      null::text as facility_code, 'feed' as object_type, d.token::text as object_id,
      jsonb_build_object('feedType', d.feed_type, 'objectId', d.object_id) as facts
    from feed_document d where d.state = 'FAILED'`,
};

/** A hold that ends at a date or with an answer needs no operator. */
const held: Source = {
  type: "ORDER_HELD",
  order: "text",
  select: () =>
    sql`select o.client_id, o.order_id as object_key, (o.holds -> -1 ->> 'since')::timestamptz as since,
      (o.holds -> -1 ->> 'since') as ordered, o.distribution_centre as facility_code, 'order' as object_type,
      o.order_id as object_id,
      jsonb_build_object('status', o.status, 'holds', o.holds, 'despatchBy', o.despatch_by) as facts
    from sales_order o
    where o.holds <> '[]' and o.status not in ${done}
      and (jsonb_array_length(o.holds) > 1 or o.holds -> 0 ->> 'type' not in ('SHIP_AFTER', 'PRE_ORDER', 'ADDRESS_CHECK'))`,
};

const backordered: Source = {
  type: "ORDER_BACKORDERED",
  order: "timestamptz",
  select: () =>
    sql`select o.client_id, o.order_id as object_key, o.backordered_since as since, o.backordered_since as ordered,
      o.distribution_centre as facility_code, 'order' as object_type, o.order_id as object_id,
      jsonb_build_object('status', o.status, 'despatchBy', o.despatch_by, 'lines', (
        select jsonb_agg(jsonb_build_object('sku', w.sku, 'qty', w.qty_backordered))
        from (
          select l.sku, l.qty_backordered from sales_order_line l
          where l.client_id = o.client_id and l.order_id = o.order_id and l.qty_backordered > 0
            and l.kit_qty is distinct from 0
          order by l.line_number limit 4
        ) w)) as facts
    from sales_order o where o.backordered_since is not null`,
};

const dueAt = sql`coalesce(o.despatch_by, 'infinity'::timestamptz)`;

/**
 * Orders that have not left, by their due time. Held orders and orders short of stock belong to those types instead.
 */
const dueOrders = (since: Statement, isDue: Statement) =>
  sql`select o.client_id, o.order_id as object_key, ${since} as since, ${dueAt} as ordered,
      o.distribution_centre as facility_code, 'order' as object_type, o.order_id as object_id,
      jsonb_build_object('status', o.status, 'despatchBy', o.despatch_by) as facts
    from sales_order o
    where o.status in ${beforeLeaving}
      and o.status not in ('ON_HOLD', 'BACKORDERED') and o.holds = '[]' and o.backordered_since is null
      and ${isDue}`;

/**
 * Applies until the due time of the order passes. It is then another exception, ORDER_LATE, which a resolved exception
 * of this type does not hide.
 */
const atRisk: Source = {
  type: "ORDER_AT_RISK",
  order: "timestamptz",
  aheadUs: atRiskBeforeMs * 1_000,
  select: (at) =>
    dueOrders(
      sql`o.despatch_by - ${atRiskBefore}`,
      sql`${dueAt} >= ${at}::timestamptz and ${dueAt} < ${at}::timestamptz + ${atRiskBefore}`,
    ),
};

const late: Source = {
  type: "ORDER_LATE",
  order: "timestamptz",
  select: (at) => dueOrders(sql`o.despatch_by`, sql`${dueAt} < ${at}::timestamptz`),
};

const cancelUnanswered: Source = {
  type: "CANCEL_UNANSWERED",
  order: "timestamptz",
  select: () =>
    sql`select o.client_id, o.order_id as object_key, o.cancel_escalated_at as since, o.cancel_escalated_at as ordered,
      o.distribution_centre as facility_code, 'order' as object_type, o.order_id as object_id,
      jsonb_build_object('status', o.status, 'requestedAt', o.cancel_requested_at, 'reason', o.cancel_reason) as facts
    from sales_order o where o.cancel_escalated_at is not null and o.cancel_requested_at is not null`,
};

/**
 * Stock that a pick did not find stays on hold until a count, or an operator who moves it by hand, establishes where it
 * is.
 */
const shortPick: Source = {
  type: "SHORT_PICK",
  order: "timestamptz",
  select: () =>
    sql`select b.client_id, concat_ws(' ', b.facility_code, b.sku, b.stock_pool, nullif(b.batch_ref, ''),
        nullif(b.expiry_date, 'infinity')) as object_key,
      s.since, s.since as ordered, b.facility_code, 'sku' as object_type, b.sku as object_id,
      jsonb_build_object('qty', least(s.qty, b.qty), 'batchRef', b.batch_ref, 'order', s.reference) as facts
    from stock_balance b cross join lateral (
      select sum(m.qty) as qty, max(m.booked_at) filter (where m.qty > 0) as since,
        max(m.reference_id) filter (where m.qty > 0) as reference
      from stock_movement m
      where m.client_id = b.client_id and m.facility_code = b.facility_code and m.sku = b.sku and m.reason = 'SHORT_PICK'
        and m.condition = 'ON_HOLD' and m.affects_on_hand and m.stock_pool = b.stock_pool and m.batch_ref = b.batch_ref
        and m.expiry_date = b.expiry_date
    ) s
    where b.condition = 'ON_HOLD' and b.qty > 0 and s.qty > 0`,
};

/** Differences of requested counts above the tolerance, until an operator approves or rejects them. */
const countDifference: Source = {
  type: "COUNT_DIFFERENCE",
  order: "timestamptz",
  select: () =>
    sql`select c.client_id, c.count_id as object_key, c.reported_at as since, c.reported_at as ordered, c.facility_code,
      'count' as object_type, c.count_id as object_id,
      jsonb_build_object(
        'lines', jsonb_array_length(jsonb_path_query_array(c.lines, '$[*].state ? (@ == "WAITING")')),
        'cause', c.cause, 'by', c.requested_by,
        'line', jsonb_path_query_first(c.lines, '$[*] ? (@.state == "WAITING")') - 'changes') as facts
    from stock_count c where c.status = 'WAITING' and c.reported_at is not null`,
};

/**
 * No further receipt is expected, and some of the goods are missing or were damaged. The index knows the headers with
 * such lines: without it a client that closes a million orders in a month makes the list read them all.
 */
const closedShort: Source = {
  type: "RECEIPT_DISCREPANCY",
  order: "timestamptz",
  select: (at) =>
    sql`select p.client_id, concat_ws(' ', p.po_number, nullif(p.vendor_order_id, '')) as object_key, p.closed_at as since,
      p.closed_at as ordered, p.distribution_centre as facility_code, 'purchaseOrder' as object_type,
      concat_ws('/', p.po_number, nullif(p.vendor_order_id, '')) as object_id, jsonb_build_object('kind', 'CLOSED_SHORT', 'lines', s.lines, 'sku', s.sku) as facts
    from purchase_order p cross join lateral (
      select count(*) as lines, min(l.sku) as sku from purchase_order_line l
      where l.client_id = p.client_id and l.po_number = p.po_number and l.vendor_order_id = p.vendor_order_id
        and l.discrepancy in ('SHORT', 'DAMAGED')
    ) s
    where p.has_discrepancy and p.closed_at is not null and p.closed_at > ${at}::timestamptz - ${reopenedWithin} and s.lines > 0`,
};

/** Report objects without their own page in the console: the link goes to their client. */
const withoutPage = sql`('adjustment', 'carton', 'count', 'load')`;

/** Exceptions that are raised on an occurrence: no other row shows them. */
function raised(type: ExceptionType, kind: string): Source {
  return {
    type,
    order: "timestamptz",
    select: () =>
      sql`select x.client_id, x.exception_id::text as object_key, x.raised_at as since, x.raised_at as ordered, x.facility_code,
        case when x.kind = 'BLIND_RETURN' then 'sku' when x.object_type = 'olpn' then 'parcel'
          when x.object_type in ${withoutPage} then 'client' else x.object_type end as object_type,
        case when x.kind = 'BLIND_RETURN' then coalesce(x.detail -> 'lines' -> 0 ->> 'sku', x.object_id)
          when x.object_type in ${withoutPage} then x.client_id else x.object_id end as object_id,
        jsonb_build_object('kind', x.kind, 'summary', x.summary, 'report', x.detail -> 'report', 'status',
          x.detail -> 'status', 'repeats', x.repeats, 'repeatedAt', x.repeated_at) as facts
      from operator_exception x where x.state = 'OPEN' and x.kind = ${kind}`,
  };
}

const carrier: Source = {
  type: "CARRIER_EXCEPTION",
  order: "timestamptz",
  select: () =>
    sql`select p.client_id, p.olpn_id as object_key, p.status_at as since, p.status_at as ordered, p.facility_code,
      'parcel' as object_type, p.olpn_id as object_id,
      jsonb_build_object('status', p.status, 'orderId', p.order_id, 'carrierCode', p.carrier_code, 'trackingNumber',
        p.tracking_number, 'code', (
          select m.code from order_milestone m
          where m.client_id = p.client_id and m.order_id = p.order_id and m.olpn_id = p.olpn_id and m.at = p.status_at
          order by m.milestone_id desc limit 1)) as facts
    from parcel p where p.status in ('EXCEPTION', 'LOST') and p.status_at is not null`,
};

const labelFailed: Source = {
  type: "LABEL_FAILED",
  order: "timestamptz",
  select: () =>
    sql`select l.client_id, l.purchase_id::text as object_key, l.updated_at as since, l.updated_at as ordered,
      l.facility_code, 'parcel' as object_type, l.olpn_id as object_id,
      jsonb_build_object('purchaseId', l.purchase_id, 'status', l.status, 'orderId', l.order_id, 'sourceCode', l.source_code,
        'error', l.error) as facts
    from label_purchase l where l.status in ${failedPurchase}`,
};

const unidentified: Source = {
  type: "RECEIPT_UNIDENTIFIED",
  order: "timestamptz",
  select: () =>
    sql`select u.client_id, u.unidentified_id as object_key, u.received_at as since, u.received_at as ordered,
      u.distribution_centre as facility_code, 'unidentifiedReceipt' as object_type, u.unidentified_id as object_id,
      jsonb_build_object('receiptId', u.receipt_id, 'packages', u.packages, 'sscc', u.sscc, 'trackingNumber',
        u.tracking_number, 'marks', u.marks) as facts
    from unidentified_receipt u where u.status in ${waitingUnidentified}`,
};

/** Given-up deliveries of an existing subscription; a disabled subscription represents all its deliveries. */
function givenUp(type: ExceptionType, kind: "WEBHOOK" | "OUTBOUND"): Source {
  return {
    type,
    order: "timestamptz",
    select: () =>
      sql`select d.client_id, d.delivery_id::text as object_key, d.completed_at as since, d.completed_at as ordered,
        nullif(w.facility_code, '*') as facility_code, 'delivery' as object_type, d.delivery_id::text as object_id,
        jsonb_build_object('topicName', d.topic_name, 'objectType', d.object_type, 'objectId', d.object_id, 'tries', d.attempts,
          'lastError', d.last_error, 'webhookId', d.webhook_id, 'url', w.url) as facts
      from webhook_delivery d join webhook w on w.client_id = d.client_id and w.webhook_id = d.webhook_id
      where d.status = 'FAILED' and d.completed_at is not null and w.status <> 'DISABLED' and w.kind = ${kind}`,
  };
}

/** Lanes whose last attempt could not open the secret or the headers. A moment that is not a number is ignored. */
const unreadable: Source = {
  type: "SUBSCRIPTION_UNREADABLE",
  order: "timestamptz",
  select: () =>
    sql`select l.client_id, l.webhook_id::text as object_key, l.since, l.since as ordered,
        nullif(w.facility_code, '*') as facility_code, 'webhook' as object_type, l.webhook_id::text as object_id,
        jsonb_build_object('topicName', w.topic_name, 'additionalTopicNames', w.additional_topic_names, 'kind', w.kind,
          'url', w.url) as facts
      from (
        select n.client_id, n.webhook_id, to_timestamp((n.breaker ->> 'unreadableSinceMs')::double precision / 1000) as since
        from webhook_lane n
        where n.breaker ? 'unreadableSinceMs'
          and jsonb_path_exists(n.breaker, '$.unreadableSinceMs ? (@ >= 0 && @ < 8000000000000)')
      ) l join webhook w on w.client_id = l.client_id and w.webhook_id = l.webhook_id
      where w.status in ('ACTIVE', 'FAILING')`,
};

const disabled: Source = {
  type: "SUBSCRIPTION_DISABLED",
  order: "timestamptz",
  select: () =>
    sql`select w.client_id, w.webhook_id::text as object_key, w.updated_at as since, w.updated_at as ordered,
      nullif(w.facility_code, '*') as facility_code, 'webhook' as object_type, w.webhook_id::text as object_id,
      jsonb_build_object('topicName', w.topic_name, 'additionalTopicNames', w.additional_topic_names, 'kind', w.kind,
        'url', w.url) as facts
    from webhook w where w.status = 'DISABLED'`,
};

/**
 * One exception for each client and channel, however many documents wait: the cause is the client that does not fetch
 * them. @param oldest `client_id, type, created_at`
 */
function notTaken(channel: "HTTP" | "SFTP", oldest: Statement): Source {
  return {
    type: "OUTBOUND_NOT_TAKEN",
    order: "timestamptz",
    isOfNoFacility: true,
    isOfOneKey: true,
    select: (at) =>
      sql`select n.client_id, ${channel}::text as object_key, n.created_at + ${takenWithin} as since,
        n.created_at + ${takenWithin} as ordered, null::text as facility_code, 'client' as object_type,
        n.client_id as object_id,
        jsonb_build_object('channel', ${channel}::text, 'type', n.type, 'oldestAt', n.created_at) as facts
      from (${oldest}) n
      where n.created_at < ${at}::timestamptz - ${takenWithin}`,
  };
}

/**
 * The query starts from `tenant`, whose rows are colocated with their clients' rows, so that each node looks up its own
 * (docs/citus.md).
 */
const notPulled = sql`select d.client_id, d.type, d.created_at from tenant c cross join lateral (
    select o.client_id, o.type, o.created_at from outbound_document o
    where o.client_id = c.client_id and o.acknowledged_at is null and o.is_http order by o.list_position limit 1
  ) d`;

/** The oldest document of each type, and the oldest of those. */
const notFetched = sql`select distinct on (d.client_id) d.client_id, d.type, d.created_at
  from (
    select distinct t.client_id, k.type
    from tenant t cross join unnest(${outboundTypes}::text[]) k(type)
  ) c cross join lateral (
    select o.client_id, o.type, o.created_at from outbound_document o
    where o.client_id = c.client_id and o.type = c.type and o.is_sftp and o.collected_at is null
    order by o.list_position limit 1
  ) d
  order by d.client_id, d.created_at`;

/** One exception for each facility, under the client whose work has waited longest. */
const silent: Source = {
  type: "WAREHOUSE_SILENT",
  order: "timestamptz",
  select: async (at, tx) => {
    const tasks = await findLongestWaiting(tx);
    return sql`select t.client_id, t.facility_code as object_key, t.released_at as since, t.released_at as ordered,
        t.facility_code, 'facility' as object_type, t.facility_code as object_id,
        jsonb_build_object('type', t.type, 'objectId', t.object_id) as facts
      from ${named(tasks)} as n(client_id, type, object_id, facility_code)
        join warehouse_task t on t.client_id = n.client_id and t.type = n.type and t.object_id = n.object_id
          and t.facility_code = n.facility_code
      where t.released_at < ${at}::timestamptz - ${askedWithin}`;
  },
};

export const sources: readonly Source[] = [
  rejected,
  parked,
  overdue,
  failed,
  held,
  backordered,
  atRisk,
  late,
  cancelUnanswered,
  shortPick,
  countDifference,
  raised("RECEIPT_DISCREPANCY", "OVER_RECEIPT"),
  raised("RECEIPT_DISCREPANCY", "UNPLANNED"),
  raised("RECEIPT_DISCREPANCY", "OVER_RETURN"),
  closedShort,
  unidentified,
  raised("BLIND_RETURN", "BLIND_RETURN"),
  raised("REPORT_REFUSED", "REPORT_REFUSED"),
  carrier,
  labelFailed,
  givenUp("DELIVERY_FAILED", "WEBHOOK"),
  unreadable,
  disabled,
  givenUp("OUTBOUND_FAILED", "OUTBOUND"),
  notTaken("HTTP", notPulled),
  notTaken("SFTP", notFetched),
  raised("STOCK_CHECK", "STOCK_CHECK"),
  raised("EVENT_CHECK", "EVENT_CHECK"),
  silent,
];

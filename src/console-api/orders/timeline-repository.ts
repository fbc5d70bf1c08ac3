import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary, timeOfId } from "#/kernel/values/ids.ts";
import type { Reservation } from "#/modules/inventory/index.ts";
import type { Order, RoutingReason } from "#/modules/orders/index.ts";
import type { OrderState } from "#/modules/orders/states.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import { packedBefore, unpackBytes, unpackJson } from "#/store/packed/packed.ts";

/** The fields of an order that its history needs, and that the answer of a change contains. */
export interface OrderHead {
  readonly status: OrderState;
  /** All that fulfil it: its own first. */
  readonly facilities: readonly string[];
  readonly distribution_centre: string;
  readonly routed_by: RoutingReason | null;
  readonly received_at: string;
  readonly holds: Order["holds"];
  readonly version: number;
}

export async function findOrderHead(tx: ClientTx, orderId: string): Promise<OrderHead | undefined> {
  const rows = await tx.query<OrderHead>(sql`select status, distribution_centre,
        array_prepend(distribution_centre, split_facilities) as facilities, routed_by, received_at, holds, version from sales_order
      where client_id = ${tenant} and order_id = ${orderId} limit 1`);
  return rows[0];
}

/** The entries of one order after a position. An order has few entries; the limit bounds its pages. */
export interface HistoryAsk {
  readonly orderId: string;
  /** Unix milliseconds; no entry of the order is older. */
  readonly fromMs: number;
  /** Entries of this moment count where their id is greater; `''`: all of them count; null: none does. */
  readonly atMs: number;
  readonly id: string | null;
  readonly limit: number;
}

const at = (ms: number) => new Date(ms).toISOString();

/** Entries after the position, for tables with a time column. */
const afterCursor = ({ atMs, id }: HistoryAsk, time: Statement, key: Statement): Statement =>
  id === null
    ? sql`${time} > ${at(atMs)}::timestamptz`
    : sql`(${time}, ${key}) > (${at(atMs)}::timestamptz, ${id}::text)`;

/** Entries after the position, for tables whose ids contain the time. */
const idAfterCursor = ({ atMs, id }: HistoryAsk): string =>
  id === null ? idBoundary(atMs + 1) : id === "" ? idBoundary(atMs) : id;

/** The start month of the scan of a partitioned table; its ids may be created a little before the order is written. */
const firstId = ({ fromMs }: HistoryAsk) => idBoundary(fromMs - dayMs);

export interface MilestoneEntry {
  readonly id: string;
  readonly olpn_id: string | null;
  readonly code: number;
  readonly at: string;
  readonly received_at: string;
  readonly location: string | null;
  readonly text: string | null;
  readonly raw_code: string | null;
}

export function listMilestones(tx: ClientTx, ask: HistoryAsk): Promise<MilestoneEntry[]> {
  return tx.query(sql`select milestone_id::text as id, olpn_id, code, at, received_at, location, text, raw_code from order_milestone
      where client_id = ${tenant} and order_id = ${ask.orderId} and ${afterCursor(ask, sql`at`, sql`milestone_id::text`)}
      order by at, milestone_id::text limit ${ask.limit}`);
}

export interface NoteEntry {
  readonly id: string;
  /** Time of the id, ISO 8601. */
  readonly at: string;
  readonly author: string;
  readonly text: string;
}

/** Notes of operators, oldest first. */
export async function listNotes(tx: ClientTx, ask: HistoryAsk): Promise<NoteEntry[]> {
  const rows = await tx.query<Omit<NoteEntry, "at">>(sql`select note_id as id, author, text from order_note
      where client_id = ${tenant} and order_id = ${ask.orderId} and note_id > ${idAfterCursor(ask)}::uuid
      order by note_id limit ${ask.limit}`);
  return rows.map((row) => ({ ...row, at: at(timeOfId(row.id)) }));
}

/** Whether the personal data of an order were erased; undefined if there is no such order. Locks the order for the transaction. */
export async function lockOrderForNote(tx: ClientTx, orderId: string): Promise<boolean | undefined> {
  const [row] = await tx.query<{
    readonly is_erased: boolean;
  }>(sql`select erased_at is not null as is_erased from sales_order
      where client_id = ${tenant} and order_id = ${orderId} limit 1 for share`);
  return row?.is_erased;
}

export function insertNote(
  tx: ClientTransaction,
  note: { readonly orderId: string; readonly noteId: string; readonly author: string; readonly text: string },
): void {
  tx.send(sql`insert into order_note (client_id, order_id, note_id, author, text)
      values (${tenant}, ${note.orderId}, ${note.noteId}::uuid, ${note.author}, ${note.text})`);
}

export interface EventEntry {
  readonly id: string;
  readonly topic: string;
  readonly at: string;
  readonly status: string | null;
}

/** Events of the order, except those that its milestones show. */
export async function listEvents(tx: ClientTx, ask: HistoryAsk): Promise<EventEntry[]> {
  const events = await tx.query<
    Omit<EventEntry, "status"> & { readonly data: unknown }
  >(sql`select event_id::text as id, topic, occurred_at as at, data from event
      where client_id = ${tenant} and object_id = ${ask.orderId} and object_type = 'order'
        and topic <> 'carrier:trackAndTrace' and event_id > ${firstId(ask)}::uuid
        and ${afterCursor(ask, sql`occurred_at`, sql`event_id::text`)}
      order by occurred_at, event_id::text limit ${ask.limit}`);
  return events.map(({ data, ...event }) => {
    const { status } = unpackJson(data) as { readonly status?: string };
    return { ...event, status: status ?? null };
  });
}

export interface AuditEntry {
  readonly id: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Changes of the order, except the reports of carriers, which its milestones show with code and parcel. */
export function listAudit(tx: ClientTx, ask: HistoryAsk): Promise<AuditEntry[]> {
  return tx.query(sql`select audit_id::text as id, actor, action, detail from audit_log
      where client_id = ${tenant} and object_id = ${ask.orderId} and object_id > '' and object_type = 'order'
        and action <> 'carrierEvent' and audit_id > ${firstId(ask)}::uuid and audit_id > ${idAfterCursor(ask)}::uuid
      order by audit_id limit ${ask.limit}`);
}

export interface FeedEntry {
  readonly id: string;
  readonly feed_type: string;
  readonly channel: string;
  readonly state: string;
  readonly at: string;
  readonly completed_at: string | null;
  readonly body_bytes: number;
  readonly errors: number;
  /** As the document names it; null where it names none, or is large. */
  readonly action: string | null;
  readonly is_readable: boolean;
}

/** A document names its action among its first elements. */
const headBytes = 4096;

/** Feed documents about the order. */
export async function listFeeds(tx: ClientTx, ask: HistoryAsk): Promise<FeedEntry[]> {
  const rows = await tx.query<
    FeedEntry & { readonly packed: Buffer | null }
  >(sql`select d.token::text as id, d.feed_type, d.channel, d.state, d.received_at as at, d.completed_at, d.body_bytes,
        coalesce(jsonb_array_length(d.findings -> 'errors'), 0) as errors,
        case when p.encoding = 'identity' then substring(encode(substr(p.payload, 1, ${headBytes}::integer), 'escape')
          from '<actionType>[[:space:]]*([A-Z]+)[[:space:]]*</actionType>') end as action,
        coalesce(p.encoding = 'identity', false) as is_readable,
        case when p.encoding = 'zstd' and substr(p.payload, 1, 1) < ${packedBefore}::bytea then p.payload end as packed
      from feed_document d left join feed_payload p
        on p.client_id = ${tenant} and p.token = d.token and p.token > ${firstId(ask)}::uuid
      where d.client_id = ${tenant} and d.object_id = ${ask.orderId} and d.object_id > '' and d.feed_type = 'NO'
        and d.token > ${firstId(ask)}::uuid and ${afterCursor(ask, sql`d.received_at`, sql`d.token::text`)}
      order by d.received_at, d.token::text limit ${ask.limit}`);
  return rows.map(({ packed, ...row }) => {
    if (packed === null) return row;
    const head = unpackBytes(packed).toString("latin1", 0, headBytes);
    return { ...row, action: /<actionType>\s*([A-Z]+)\s*<\/actionType>/.exec(head)?.[1] ?? null, is_readable: true };
  });
}

export interface AllocationEntry {
  readonly id: string;
  readonly at: string;
  readonly line_number: number;
  readonly facility_code: string;
  readonly sku: string;
  readonly stock_pool: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly chosen_by: Reservation["chosenBy"];
}

/** The lots that the lines have allocated, and why; an allocation disappears when its goods leave. */
export function listAllocations(tx: ClientTx, ask: HistoryAsk): Promise<AllocationEntry[]> {
  const id = sql`((line_number || ' ' || stock_pool || ' ' || batch_ref || ' ' || expiry_date) collate "C")`;
  return tx.query(sql`select ${id} as id, allocated_at as at, line_number, facility_code, sku, stock_pool, batch_ref, expiry_date,
        qty_allocated + qty_picked + qty_packed as qty, chosen_by
      from stock_reservation
      where client_id = ${tenant} and owner_type = 'ORDER' and owner_id = ${ask.orderId}
        and ${afterCursor(ask, sql`allocated_at`, id)}
      order by allocated_at, ${id} limit ${ask.limit}`);
}

export interface DecisionEntry {
  readonly id: string;
  readonly olpn_id: string | null;
  readonly at: string;
  readonly carrier_code: string | null;
  readonly service_code: string | null;
  readonly alternatives: number;
  readonly rejected: number;
}

export function listDecisions(tx: ClientTx, ask: HistoryAsk): Promise<DecisionEntry[]> {
  return tx.query(sql`select decision_id::text as id, olpn_id, decided_at as at, decision -> 'choices' -> 0 ->> 0 as carrier_code,
        decision -> 'choices' -> 0 ->> 1 as service_code,
        greatest(json_array_length(decision -> 'choices') - 1, 0) as alternatives,
        json_array_length(decision -> 'rejected') as rejected
      from carrier_decision
      where client_id = ${tenant} and order_id = ${ask.orderId} and decision_id > ${firstId(ask)}::uuid
        and ${afterCursor(ask, sql`decided_at`, sql`decision_id::text`)}
      order by decided_at, decision_id::text limit ${ask.limit}`);
}

export interface DeliveryEntry {
  readonly id: string;
  readonly webhook_id: string;
  readonly topic_name: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly completed_at: string | null;
}

/** Sent and pending webhook deliveries about the order. */
export function listDeliveries(tx: ClientTx, ask: HistoryAsk): Promise<DeliveryEntry[]> {
  return tx.query(sql`select delivery_id::text as id, webhook_id::text as webhook_id, topic_name, status, attempts, last_error, completed_at
      from webhook_delivery
      where client_id = ${tenant} and object_id = ${ask.orderId} and object_id > '' and object_type = 'order'
        and delivery_id > ${firstId(ask)}::uuid and delivery_id > ${idAfterCursor(ask)}::uuid
      order by delivery_id limit ${ask.limit}`);
}

export interface OutboundEntry {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly size: number;
  readonly acknowledged_at: string | null;
}

/** Outbound documents about the order. */
export function listOutbound(tx: ClientTx, ask: HistoryAsk): Promise<OutboundEntry[]> {
  return tx.query(sql`select message_id::text as id, type, created_at as at, size, coalesce(acknowledged_at, collected_at) as acknowledged_at
      from outbound_document
      where client_id = ${tenant} and object_id = ${ask.orderId} and object_id > '' and type = 'OS'
        and message_id > ${firstId(ask)}::uuid and ${afterCursor(ask, sql`created_at`, sql`message_id::text`)}
      order by created_at, message_id::text limit ${ask.limit}`);
}

export interface ExceptionEntry {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly summary: string;
}

/** The open exceptions of the order that an operator must resolve. */
export function listExceptions(tx: ClientTx, ask: HistoryAsk): Promise<ExceptionEntry[]> {
  return tx.query(sql`select exception_id::text as id, kind, raised_at as at, summary from operator_exception
      where client_id = ${tenant} and object_type = 'order' and object_id = ${ask.orderId} and state = 'OPEN'
        and ${afterCursor(ask, sql`raised_at`, sql`exception_id::text`)}
      order by raised_at, exception_id::text limit ${ask.limit}`);
}

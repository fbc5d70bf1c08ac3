// The record of a run as plain data: the answers to senders, the received webhooks, and the final contents of the
// database. The oracle judges it, whether it was read from a database or written by a test.
import type { House } from "./house.ts";

/** An order that was sent until it got an answer. Times are those of performance.now(). */
export interface SentOrder {
  readonly clientId: string;
  readonly objectId: string;
  readonly lines: number;
  readonly pieces: number;
  readonly isFile: boolean;
  readonly xml: string;
  readonly beganMs: number;
  triedAtMs?: number;
  /** The last answer. */
  ack?: string;
  /** Token of the accepted document. */
  token?: string;
  ackedAtMs?: number;
  /** Arrival of the first push with the order's receipt. */
  pushedAtMs?: number;
}

export interface SentReport {
  readonly clientId: string;
  readonly kind: "pick" | "pack" | "despatch" | "adjustment" | "transfer" | "goodsReceipt";
  readonly objectId: string;
  readonly reportId: string;
  isAnswered: boolean;
}

export interface SentWorkOrder {
  readonly clientId: string;
  readonly workOrderId: string;
  isAnswered: boolean;
}

/** Goods that go from the first facility to the second. Of a quantity without an answer nothing is known. */
export interface SentTransfer {
  readonly clientId: string;
  readonly transferId: string;
  isAnswered: boolean;
  isCancelled?: boolean;
  shipped?: number;
  received?: number;
}

/** An order that was sent to another facility. */
export interface SentMove {
  readonly clientId: string;
  readonly orderId: string;
  readonly to: string;
}

export interface Exchange {
  readonly kind: "feed" | "file" | "read" | "write" | "report" | "flood";
  readonly clientId: string;
  readonly beganMs: number;
  readonly ms: number;
  /** The factor for time limits at that moment. */
  readonly stretch: number;
  /** Undefined if the connection broke. */
  readonly status: number | undefined;
  readonly hasRetryAfter: boolean;
  readonly text?: string;
}

export interface Push {
  readonly clientId: string;
  readonly id: string;
  readonly objectId: string;
  readonly atMs: number;
}

/** The data of one client in the database. */
export interface Stored {
  readonly clientId: string;
  readonly documents: readonly {
    readonly token: string;
    readonly type: string;
    readonly state: string;
    readonly objectId: string | null;
  }[];
  readonly orders: readonly {
    readonly orderId: string;
    readonly token: string;
    readonly lines: number;
    readonly pieces: number;
    /** The facility of the order, then those of further lines. */
    readonly facilities: readonly string[];
  }[];
  readonly transfers: readonly {
    readonly transferId: string;
    readonly status: string;
    readonly shipped: number;
    readonly received: number;
  }[];
  readonly workOrderIds: readonly string[];
  readonly events: readonly {
    /** The id that receivers see. */
    readonly id: string;
    readonly position: number;
    readonly topic: string;
    readonly objectId: string;
  }[];
  /** A delivery for each event and webhook. */
  readonly deliveries: readonly { readonly eventId: string; readonly status: string }[];
  readonly outbound: readonly {
    readonly type: string;
    readonly objectId: string;
    readonly token: string | null;
    readonly position: number;
  }[];
}

export interface History {
  readonly orders: readonly SentOrder[];
  readonly reports: readonly SentReport[];
  readonly workOrders: readonly SentWorkOrder[];
  readonly transfers: readonly SentTransfer[];
  /** Those that the program has answered with success. */
  readonly moves: readonly SentMove[];
  readonly pushes: readonly Push[];
  readonly stored: readonly Stored[];
}

/** Rows of an order from this number on are components of its kits. */
const componentsFrom = 1_000_000;
const eventName = "'evt_' || replace(event_id::text, '-', '')";

export async function readStored(house: House): Promise<Stored[]> {
  const all: Stored[] = [];
  for (const { clientId } of house.clients) {
    const list = <Row>(text: string) => house.rows<Row>(text, clientId);
    all.push({
      clientId,
      documents: await list(
        `select token::text as token, feed_type as type, state, object_id as "objectId" from feed_document where client_id = $1`,
      ),
      orders: await list(
        `select o.order_id as "orderId", o.feed_token::text as token, count(l.*)::int as lines,
           coalesce(sum(l.qty_ordered), 0)::int as pieces,
           array_prepend(o.distribution_centre, o.split_facilities) as facilities
         from sales_order o left join sales_order_line l
           on l.client_id = o.client_id and l.order_id = o.order_id and l.line_number < ${componentsFrom}
         where o.client_id = $1 group by o.client_id, o.order_id`,
      ),
      transfers: await list(
        `select t.transfer_id as "transferId", t.status, sum(l.qty_shipped)::int as shipped,
           sum(l.qty_received)::int as received
         from transfer t join transfer_line l using (client_id, transfer_id)
         where t.client_id = $1 group by t.transfer_id, t.status`,
      ),
      workOrderIds: (await list<{ id: string }>("select work_order_id as id from work_order where client_id = $1")).map(
        ({ id }) => id,
      ),
      events: await list(
        `select ${eventName} as id, position::int as position, topic, object_id as "objectId" from event
         where client_id = $1 order by position, event_id`,
      ),
      deliveries: await list(`select ${eventName} as "eventId", status from webhook_delivery where client_id = $1`),
      outbound: await list(
        `select type, object_id as "objectId", feed_token::text as token, list_position::int as position
         from outbound_document where client_id = $1 order by list_position`,
      ),
    });
  }
  return all;
}

/** The number of unfinished items of accepted work, by name; a name without items is absent. */
export async function readUnfinished(house: House): Promise<Record<string, number>> {
  const [row] = await house.rows<Record<string, number>>(
    `select (select count(*) from outbox)::int as unpublished,
       (select count(*) from feed_document where state in ('ACCEPTED', 'PARKED'))::int as documents,
       (select count(*) from stock_change where needs_allocation)::int as "stock to be allotted",
       (select count(*) from stock_change where changed_at <= now())::int as "stock changes to be published",
       (select count(*) from outbox_lane l join webhook_cursor c using (client_id)
        where c.last_position < l.last_position)::int as "clients behind with webhooks",
       (select count(*) from webhook_delivery where status in ('PENDING', 'RETRYING', 'HELD'))::int as deliveries`,
  );
  const [labels] =
    house.carrierOfVictims === undefined
      ? []
      : await house.rows<Record<string, number>>(
          `select (select count(*) from label_purchase where due_at is not null)::int as "labels to be bought",
             (select count(*) from parcel p where not exists (
               select from label_purchase l
               where l.client_id = p.client_id and l.olpn_id = p.olpn_id and l.status = 'BOUGHT'))::int as "parcels without label"`,
        );
  return Object.fromEntries(Object.entries({ ...row, ...labels }).filter(([, count]) => count > 0));
}

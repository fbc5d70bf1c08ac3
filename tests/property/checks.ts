// Invariants of a client's goods and orders after any actions.
import assert from "node:assert/strict";
import { checkStock, describeBroken } from "#/modules/inventory/index.ts";
import { type Buckets, deriveState, type ParcelEnds } from "#/modules/orders/order.ts";
import { assertActivity, assertLanes } from "../support/oracles/activity.ts";
import { assertSignals } from "../support/oracles/order-signals.ts";
import { assertBooks } from "../support/oracles/stock-books.ts";
import { facilities, type World } from "./world.ts";

/**
 * Permitted transitions from each state (lifecycle.md §1–§5), written independently of the code: the oracle of its
 * tables.
 */
const steps: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  purchaseOrder: {
    OPEN: ["RECEIVING", "RECEIVED", "CLOSED", "CANCELLED"],
    RECEIVING: ["RECEIVED", "CLOSED"],
    RECEIVED: ["CLOSED", "RECEIVING"],
    CLOSED: ["RECEIVING", "RECEIVED"],
    CANCELLED: [],
  },
  return: {
    AUTHORISED: ["RECEIVING", "RECEIVED", "CLOSED", "CANCELLED", "EXPIRED"],
    RECEIVING: ["RECEIVED", "CLOSED"],
    RECEIVED: ["CLOSED"],
    CLOSED: [],
    CANCELLED: [],
    EXPIRED: ["AUTHORISED", "RECEIVING", "RECEIVED"],
  },
  workOrder: {
    CREATED: ["WAITING_COMPONENTS", "RELEASED", "CANCELLED"],
    WAITING_COMPONENTS: ["RELEASED", "IN_PROGRESS", "COMPLETED", "CANCELLED", "CLOSED_SHORT"],
    RELEASED: ["WAITING_COMPONENTS", "IN_PROGRESS", "COMPLETED", "CANCELLED", "CLOSED_SHORT"],
    IN_PROGRESS: ["COMPLETED", "CLOSED_SHORT"],
    COMPLETED: [],
    CLOSED_SHORT: [],
    CANCELLED: [],
  },
  parcel: {
    PACKED: ["LOADED", "DESPATCHED", "VOIDED", ...onTheWay("DESPATCHED")],
    LOADED: ["PACKED", "DESPATCHED", "VOIDED", ...onTheWay("DESPATCHED")],
    VOIDED: [],
    RETURNED_TO_SENDER: [],
    DELIVERED: ["RETURNING", "RETURNED_TO_SENDER"],
  },
};

function onTheWay(from: string): string[] {
  const all = [
    "IN_TRANSIT",
    "OUT_FOR_DELIVERY",
    "DELIVERED",
    "AVAILABLE_FOR_COLLECTION",
    "EXCEPTION",
    "RETURNING",
    "RETURNED_TO_SENDER",
    "LOST",
  ];
  return all.filter((state) => state !== from);
}

/** After goods have left, an order never again waits for stock or for the warehouse; end states are final. */
const before = ["RECEIVED", "ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED", "PICKING", "PACKED"];
const after = ["PARTIALLY_DESPATCHED", "DESPATCHED", "DELIVERED", "RETURNED_TO_SENDER"];

function isAllowed(type: string, from: string, to: string): boolean {
  if (from === to) return true;
  if (type === "order") {
    if (from === "CANCELLED") return false;
    return !(after.includes(from) && (before.includes(to) || to === "CANCELLED"));
  }
  const table = steps[type];
  if (table === undefined) return true;
  const allowed = table[from] ?? (type === "parcel" ? onTheWay(from) : undefined);
  return allowed?.includes(to) === true;
}

interface LineRow {
  readonly order_id: string;
  readonly status: string;
  readonly holds: readonly unknown[];
  readonly quantities: readonly number[];
}

/** Invariants that hold at any moment, even during concurrent actions. */
export async function check({ server, clientId }: World): Promise<void> {
  const broken = await server.database.transaction((tx) => checkStock(tx.of(clientId)));
  assert.deepEqual(broken.map(describeBroken), []);
  await checkOrders(server, clientId);
  await checkReturns(server, clientId);
  await checkSteps(server, clientId);
}

async function checkOrders(server: World["server"], clientId: string): Promise<void> {
  const rows = await server.rows<LineRow & { ends: { status: string; is_delivered: boolean }[] | null }>(
    `select o.order_id, o.status, o.holds, (l.qty_ordered * 1000)::bigint || ',' || (l.qty_open * 1000)::bigint || ','
       || (l.qty_backordered * 1000)::bigint || ',' || (l.qty_allocated * 1000)::bigint || ',' || (l.qty_picked * 1000)::bigint
       || ',' || (l.qty_packed * 1000)::bigint || ',' || (l.qty_despatched * 1000)::bigint || ','
       || (l.qty_cancelled * 1000)::bigint as quantities,
       (select json_agg(json_build_object('status', p.status, 'is_delivered', p.is_delivered)) from parcel p
        where p.client_id = $1 and p.order_id = o.order_id and p.despatched_at is not null) as ends
     from sales_order o join sales_order_line l on l.client_id = o.client_id and l.order_id = o.order_id
     where o.client_id = $1 and l.kit_qty is distinct from 0`,
    clientId,
  );
  for (const [orderId, lines] of Map.groupBy(rows, ({ order_id }) => order_id)) {
    const [{ status, holds, ends }] = lines as [(typeof rows)[number]];
    const buckets = lines.map(({ quantities }) => bucketsOf(String(quantities)));
    const derived = deriveState(buckets, holds.length > 0, endsOf(ends ?? []));
    assert.equal(status, derived.state, `${clientId} ${orderId}: ${JSON.stringify({ buckets, ends })}`);
  }
}

/** Returned goods of an order are for sale only as far as the order shipped them, over all its returns and parcels. */
async function checkReturns(server: World["server"], clientId: string): Promise<void> {
  const tooMany = await server.rows(
    `select o.order_id, d.sku, sum(d.qty) as sellable, (
         select coalesce(sum(l.qty_despatched), 0) from sales_order_line l
         where l.client_id = $1 and l.order_id = o.order_id and l.sku = d.sku and l.line_number / 1000000 <> 1) as despatched
     from return_disposition d
       left join return_authorisation a on a.client_id = d.client_id and a.rma_number = d.rma_number
       left join parcel p on p.client_id = d.client_id and p.olpn_id = d.olpn_id
       join sales_order o on o.client_id = d.client_id and o.order_id = coalesce(a.order_id, p.order_id)
     where d.client_id = $1 and d.disposition = 'RESELLABLE'
     group by o.order_id, d.sku
     having sum(d.qty) > (
       select coalesce(sum(l.qty_despatched), 0) from sales_order_line l
       where l.client_id = $1 and l.order_id = o.order_id and l.sku = d.sku and l.line_number / 1000000 <> 1)`,
    clientId,
  );
  assert.deepEqual(tooMany, [], `${clientId}: more than was shipped is for sale again`);
}

function bucketsOf(text: string): Buckets {
  const [ordered, open, backordered, allocated, picked, packed, despatched, cancelled] = text.split(",").map(Number);
  return { ordered, open, backordered, allocated, picked, packed, despatched, cancelled } as Buckets;
}

function endsOf(parcels: readonly { status: string; is_delivered: boolean }[]): ParcelEnds {
  const returned = parcels.filter(({ status }) => status === "RETURNED_TO_SENDER").length;
  const delivered = parcels.filter(
    ({ status, is_delivered }) => is_delivered && status !== "RETURNED_TO_SENDER",
  ).length;
  const lost = parcels.filter(({ status, is_delivered }) => status === "LOST" && !is_delivered).length;
  return { parcels: parcels.length, delivered, returnedToSender: returned, lost };
}

/** The tables permit each transition that the audit log records or the events of an order or a parcel show. */
async function checkSteps(server: World["server"], clientId: string): Promise<void> {
  const rows = await server.rows<{ type: string; id: string; from: string; to: string }>(
    `select object_type as type, object_id as id, detail ->> 'from' as from, detail ->> 'to' as to from audit_log
       where client_id = $1 and detail ? 'from' and detail ? 'to'`,
    clientId,
  );
  const events = await server.rows<{ type: string; id: string; data: { readonly status?: string } }>(
    `select object_type as type, object_id as id, data from event
       where client_id = $1 and object_type in ('order', 'parcel') order by position`,
    clientId,
  );
  const before = new Map<string, string>();
  const shown = events.flatMap(({ type, id, data: { status: to } }) => {
    if (to === undefined || to === null) return [];
    const from = before.get(`${type} ${id}`);
    before.set(`${type} ${id}`, to);
    return from === undefined ? [] : { type, id, from, to };
  });
  const wrong = [...rows, ...shown].filter(({ type, from, to }) => !isAllowed(type, from, to));
  assert.deepEqual(wrong, []);
}

/** A line holds stock in its facility alone, as do the rows of a kit, and the order names the facilities of its lines. */
async function assertFacilities({ server, clientId }: Pick<World, "server" | "clientId">): Promise<void> {
  const rows = await server.rows(
    `select l.order_id, l.line_number, l.facility_code, r.facility_code as held_at, k.facility_code as kit_at
     from sales_order_line l
       join sales_order o using (client_id, order_id)
       join sales_order_line k on k.client_id = $1 and k.order_id = l.order_id and k.line_number = l.line_number % 1000000
       left join stock_reservation r on r.client_id = $1 and r.owner_type = 'ORDER' and r.owner_id = l.order_id
         and r.line_number = l.line_number
     where l.client_id = $1 and (r.facility_code <> l.facility_code or k.facility_code <> l.facility_code
       or l.facility_code <> all(array_prepend(o.distribution_centre, o.split_facilities)))`,
    clientId,
  );
  assert.deepEqual(rows, [], `${clientId}: lines are not where their order is`);
}

/** When no work is due, no order waits for available stock, and clients know their stock and the state of every order. */
export async function checkAtRest({ server, client, clientId }: World): Promise<void> {
  await assertFacilities({ server, clientId });
  await assertSignals(server, clientId, client);
  await assertBooks(server, clientId, client, facilities);
  await assertActivity(server.database, clientId);
  await assertLanes(server.database, clientId);
  const rows = await server.rows(
    `select l.order_id, l.line_number, l.sku, l.qty_open, l.qty_backordered, b.stock_pool, b.qty - b.allocated as free
     from sales_order o
       join sales_order_line l on l.client_id = o.client_id and l.order_id = o.order_id
       left join stock_balance b on b.client_id = $1 and b.facility_code = l.facility_code and b.sku = l.sku
         and b.condition = 'GOOD' and b.qty > b.allocated and b.stock_pool in ('DEFAULT', l.stock_pool)
     where o.client_id = $1 and o.holds = '[]' and l.qty_open + l.qty_backordered > 0
       and (l.qty_open > 0 or b.sku is not null and coalesce(l.kit_qty, 0) = 0)`,
    clientId,
  );
  assert.deepEqual(rows, [], `${clientId}: lines wait although there is stock, or they were not allocated`);
  const kits = await server.rows(
    `select l.order_id, l.line_number, l.qty_backordered
     from sales_order o
       join sales_order_line l on l.client_id = o.client_id and l.order_id = o.order_id
     where o.client_id = $1 and o.holds = '[]' and l.kit_qty = 0 and l.qty_backordered > 0
       and not exists (
         select from sales_order_line c where c.client_id = $1 and c.order_id = l.order_id
           and c.line_number > 2000000 and c.line_number % 1000000 = l.line_number
           and c.kit_qty > (
             select coalesce(sum(b.qty - b.allocated), 0) from stock_balance b
             where b.client_id = $1 and b.facility_code = c.facility_code and b.sku = c.sku
               and b.condition = 'GOOD' and b.stock_pool = 'DEFAULT'))`,
    clientId,
  );
  assert.deepEqual(kits, [], `${clientId}: kits wait although all components of one more are there`);
}

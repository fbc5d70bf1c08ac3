// Invariants of orders and of their published events: each step of an order once, and in order.
import assert from "node:assert/strict";
import type { Sent } from "../load/floor-load.ts";

export type List = <Row>(text: string) => Promise<Row[]>;

export interface StoredEvent {
  readonly topic: string;
  readonly object_id: string;
  readonly position: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredDocument {
  readonly message_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly feed_token: string | null;
  readonly list_position: string;
  readonly part: number;
  readonly parts: number;
  readonly xml: string;
}

/** States with their own topic. Each has an OS too (outbound.md). */
const topicsOfStates: Readonly<Record<string, string>> = {
  BACKORDERED: "order:backordered",
  PARTIALLY_ALLOCATED: "order:partiallyAllocated",
  ALLOCATED: "order:allocated",
  PICKING: "order:picking",
  PACKED: "order:packed",
  PARTIALLY_DESPATCHED: "order:partiallyDespatched",
  DESPATCHED: "order:despatched",
  CANCELLED: "order:cancelled",
};

interface StoredOrder {
  readonly order_id: string;
  readonly status: string;
  readonly cancel_requested: boolean;
  readonly buckets: string;
  readonly has_task: boolean;
}

/** Checks the history of each order: once and in order in the events, the milestones and the OS feed. */
export async function checkOrders(
  list: List,
  events: readonly StoredEvent[],
  statusFeeds: readonly StoredDocument[],
  sent: readonly Sent[],
): Promise<string[]> {
  const orders = await list<StoredOrder>(
    `select o.order_id, o.status, o.cancel_requested_at is not null as cancel_requested,
       (select string_agg(concat_ws('/', l.line_number, l.qty_ordered::float8, l.qty_open::float8, l.qty_backordered::float8,
          l.qty_allocated::float8, l.qty_picked::float8, l.qty_packed::float8, l.qty_despatched::float8,
          l.qty_cancelled::float8), ' ' order by l.line_number)
        from sales_order_line l where l.client_id = $1 and l.order_id = o.order_id) as buckets,
       exists (select from warehouse_task t where t.client_id = $1 and t.type = 'PICK' and t.object_id = o.order_id
         and t.withdrawn_at is null) as has_task
     from sales_order o where o.client_id = $1`,
  );
  const known = new Map(orders.map((order) => [order.order_id, order]));
  for (const { kind, objectId, answer } of sent) {
    if (kind === "NO" && answer?.isAccepted)
      assert(known.has(objectId), `order ${objectId} was acknowledged and is there`);
  }
  const eventsOfOrder = Map.groupBy(
    events.filter(({ topic }) => topic.startsWith("order:")),
    ({ object_id }) => object_id,
  );
  const feeds = Map.groupBy(statusFeeds, ({ object_id }) => object_id);
  for (const order of orders) {
    const { order_id: orderId, status, buckets } = order;
    const ofOrder = eventsOfOrder.get(orderId) ?? [];
    const path = pathOf(orderId, ofOrder);
    assert.equal(path.at(-1) ?? "RECEIVED", status, `order ${orderId} is where its last step led`);
    assert.notEqual(status, "RECEIVED", `order ${orderId} was looked after`);
    const names = ofOrder.map(({ topic }) => topic);
    assert.equal(
      names.filter((name) => name === "order:received").length,
      1,
      `order:received of ${orderId} is there once`,
    );
    const ofStates = new Set(Object.values(topicsOfStates));
    const part = "order:partiallyAllocated";
    // The allocation after an UPDATE may cover a part again, which is not a step.
    const seen = names
      .filter((name) => ofStates.has(name))
      .filter((name, i, all) => name !== part || all[i - 1] !== part);
    assert.deepEqual(
      seen,
      published(path, seen, { PARTIALLY_ALLOCATED: part }).flatMap((state) => topicsOfStates[state] ?? []),
      `order ${orderId}: one event for each step, in order`,
    );
    const documents = feeds.get(orderId) ?? [];
    // Quantities that change within a state have an OS of the same state.
    const statuses = withoutRepeats(documents.map(({ xml }) => field(xml, "status")));
    assert.deepEqual(
      statuses,
      withoutRepeats(
        published(path, statuses, { PARTIALLY_ALLOCATED: "PARTIALLY_ALLOCATED", BACKORDERED: "BACKORDERED" }),
      ),
      `order ${orderId}: an OS for each step, in order`,
    );
    const moments = documents.map(({ xml }) => field(xml, "statusTimeStamp"));
    assert.deepEqual(moments, moments.toSorted(), `order ${orderId}: no OS is of an earlier moment than one before it`);
    const last = documents.at(-1);
    if (last && ["ALLOCATED", "DESPATCHED", "CANCELLED"].includes(status) && !order.cancel_requested) {
      assert.equal(bucketsOf(last.xml), buckets, `order ${orderId}: its last OS says how it stands`);
    }
    if (status === "ALLOCATED" && !order.cancel_requested) assert(order.has_task, `${orderId} is in the list of tasks`);
    if (["CANCELLED", "DESPATCHED", "BACKORDERED"].includes(status))
      assert(!order.has_task, `${orderId} is not to be picked`);
  }
  await checkMilestones(
    list,
    events,
    orders.map(({ order_id }) => order_id),
    eventsOfOrder,
  );
  return orders.map(({ status }) => status);
}

/**
 * The steps that have an event, or an OS. An order whose open quantity allocation has not looked for yet has no OS, and no
 * event of a part (outbound.md): a step to such a state may be left out where another step follows.
 *
 * @param interim the states that may be left out, with the names that they have in `seen`.
 */
function published(
  path: readonly string[],
  seen: readonly (string | undefined)[],
  interim: Readonly<Record<string, string>>,
): string[] {
  let at = 0;
  return path.filter((state, i) => {
    if (!(state in topicsOfStates)) return false;
    if (state in interim && seen[at] !== interim[state] && i < path.length - 1) return false;
    at++;
    return true;
  });
}

const withoutRepeats = <T>(values: readonly T[]): T[] => values.filter((value, i) => value !== values[i - 1]);

/** The states of an order after the first, in order, as its events state them. */
function pathOf(orderId: string, events: readonly StoredEvent[]): string[] {
  const [first, ...path] = withoutRepeats(events.map(({ data }) => String(data.status)));
  assert.equal(first, "RECEIVED", `order ${orderId} begins as received`);
  assert(!path.slice(0, -1).includes("CANCELLED"), `order ${orderId}: no step leads back from its end: ${path}`);
  return path;
}

async function checkMilestones(
  list: List,
  events: readonly StoredEvent[],
  orderIds: readonly string[],
  eventsOfOrder: ReadonlyMap<string, readonly StoredEvent[]>,
): Promise<void> {
  const milestones = await list<{ order_id: string; code: number; olpn_id: string | null }>(
    "select order_id, code, olpn_id from order_milestone where client_id = $1",
  );
  const raised = events.filter(({ topic }) => topic === "carrier:trackAndTrace");
  assert.deepEqual(
    raised.map(({ data }) => `${data.orderId} ${data.eventCode} ${data.olpnId ?? "-"}`).sort(),
    milestones.map(({ order_id, code, olpn_id }) => `${order_id} ${code} ${olpn_id ?? "-"}`).sort(),
    "each milestone is reported once",
  );
  const codes = Map.groupBy(milestones, ({ order_id }) => order_id);
  for (const orderId of orderIds) {
    const of = (code: number) => (codes.get(orderId) ?? []).filter((milestone) => milestone.code === code).length;
    assert.deepEqual([of(10), of(20)], [1, 1], `order ${orderId} was received and validated once`);
    // Once, also when a correction of stock takes the allocation back and a receipt allocates the order again (lifecycle.md §9).
    const wasAllocated = (eventsOfOrder.get(orderId) ?? []).some(({ data }) => data.status === "ALLOCATED");
    assert.equal(of(50), Number(wasAllocated), `order ${orderId}: Order Allocated once, if it ever was`);
  }
}

/** The text of the first element with that name. */
export const field = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";

function bucketsOf(xml: string): string {
  const names = [
    "lineNumber",
    "qtyOrdered",
    "qtyOpen",
    "qtyBackordered",
    "qtyAllocated",
    "qtyPicked",
    "qtyPacked",
    "qtyDespatched",
    "qtyCancelled",
  ];
  return [...(/<lines>(.*?)<\/lines>/s.exec(xml)?.[1] ?? "").matchAll(/<line>(.*?)<\/line>/gs)]
    .map(([, line = ""]) => names.map((name) => field(line, name)).join("/"))
    .join(" ");
}

// What must be true of orders, goods and everything that was told of them, whenever a program was killed: told from the
// database alone and from what those who sent something were answered.
import assert from "node:assert/strict";
import { type Database, openDatabase } from "#/db/database.ts";
import { checkStock, describeBroken } from "#/modules/inventory/index.ts";
import { until } from "../support/process.ts";
import { clientId, type Sent } from "./floor-load.ts";
import { withClient } from "./oracle.ts";

/** Within this everything that was acknowledged has its outcome (issue "Stock, floor and outbound feeds"). */
const settledMsMax = 60_000;

/** What is still to be done of what was accepted. */
const toDo = `select
  (select count(*) from outbox where client_id = $1)::int as outbox,
  (select count(*) from feed_document where client_id = $1 and state in ('ACCEPTED', 'PARKED'))::int as documents,
  (select count(*) from stock_touched where client_id = $1 and wants_allocation)::int as wanted,
  (select count(*) from stock_snapshot where client_id = $1 and written_at is null)::int as snapshots,
  (select count(*) from sales_order_line l join sales_order o using (client_id, order_id)
   where l.client_id = $1 and l.qty_open > 0 and o.holds = '[]')::int as open_lines`;

/** Waits until nothing is left to be done. @returns how long that took, in milliseconds */
export async function floorSettled(url: string): Promise<number> {
  const beganMs = performance.now();
  let left = {};
  await withClient(url, async (client) => {
    try {
      await until("everything to be done", settledMsMax, async () => {
        const { rows } = await client.query(toDo, [clientId]);
        left = rows[0];
        return Object.values(left).every((count) => count === 0) || undefined;
      });
    } catch (cause) {
      throw new Error(`after a minute there is still to be done: ${JSON.stringify(left)}`, { cause });
    }
  });
  return performance.now() - beganMs;
}

/** States that an order comes to with a topic of its own; the value tells whether an OS goes with it (outbound.md). */
const told: Readonly<Record<string, readonly [topic: string, hasStatusFeed: boolean]>> = {
  BACKORDERED: ["order:backordered", true],
  PARTIALLY_ALLOCATED: ["order:partiallyAllocated", true],
  ALLOCATED: ["order:allocated", true],
  PICKING: ["order:picking", false],
  PACKED: ["order:packed", true],
  PARTIALLY_DESPATCHED: ["order:partiallyDespatched", true],
  DESPATCHED: ["order:despatched", true],
  CANCELLED: ["order:cancelled", true],
};

export interface Findings {
  readonly orders: Readonly<Record<string, number>>;
  readonly documents: Readonly<Record<string, number>>;
  readonly events: number;
  readonly movements: number;
}

type List = <Row>(text: string) => Promise<Row[]>;

/** To be called when nothing is left to be done. */
export async function checkFloor(url: string, sent: readonly Sent[]): Promise<Findings> {
  const database = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: "crossdock oracle",
    statementTimeoutMs: 60_000,
  });
  try {
    return await withClient(url, (client) =>
      check(database, async <Row>(text: string) => (await client.query(text, [clientId])).rows as Row[], sent),
    );
  } finally {
    await database.close();
  }
}

interface StoredEvent {
  readonly topic: string;
  readonly object_id: string;
  readonly position: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface StoredDocument {
  readonly message_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly feed_token: string | null;
  readonly list_position: string;
  readonly part: number;
  readonly parts: number;
  readonly xml: string;
}

async function check(database: Database, list: List, sent: readonly Sent[]): Promise<Findings> {
  const events = await list<StoredEvent>(
    "select topic, object_id, position, data from event where client_id = $1 order by position",
  );
  const documents = await list<StoredDocument>(
    `select message_id, type, object_id, feed_token, list_position, part, parts, convert_from(payload, 'UTF8') as xml
     from outbound_document where client_id = $1 order by list_position`,
  );
  assert.deepEqual(
    events.map(({ position }) => Number(position)),
    events.map((_, i) => i + 1),
    "positions of events run from 1 without a gap, each once",
  );
  assert.deepEqual(
    documents.map(({ list_position }) => Number(list_position)),
    documents.map((_, i) => i + 1),
    "places of outbound documents run from 1 without a gap, each once",
  );
  for (const { message_id, xml } of documents) {
    assert(xml.includes(`<messageId>${message_id}</messageId>`), `document ${message_id} names itself`);
  }
  const ofType = (type: string) => documents.filter((document) => document.type === type);
  await checkFeeds(list, events, ofType("ACK"), sent);
  const orders = await checkOrders(list, events, ofType("OS"), sent);
  await checkReports(list, events, { receipts: ofType("GR"), adjustments: ofType("ADJ") }, sent);
  await checkStatements(list, ofType("INV"), ofType("IMS"));
  const broken = await database.transaction((tx) => checkStock(tx, clientId), { statementTimeoutMs: 60_000 });
  assert.deepEqual(broken.map(describeBroken), [], "the stock check finds nothing");
  await checkGoods(list, sent);
  const [ledger] = await list<{ n: number }>("select count(*)::int as n from stock_movement where client_id = $1");
  return {
    orders: countBy(orders),
    documents: countBy(documents.map(({ type }) => type)),
    events: events.length,
    movements: ledger?.n ?? 0,
  };
}

/** Each accepted document is PROCESSED, and told so once, by an event and by an ACK. */
async function checkFeeds(
  list: List,
  events: readonly StoredEvent[],
  acks: readonly StoredDocument[],
  sent: readonly Sent[],
): Promise<void> {
  const feeds = await list<{ token: string; feed_type: string; object_id: string; state: string }>(
    "select token, feed_type, object_id, state from feed_document where client_id = $1",
  );
  const accepted = feeds.filter(({ state }) => state !== "REJECTED");
  assert.deepEqual(
    accepted.filter(({ state }) => state !== "PROCESSED"),
    [],
  );
  const byToken = new Map(accepted.map((feed) => [feed.token, feed]));
  assert.deepEqual(
    acks.map(({ feed_token }) => feed_token).sort(),
    [...byToken.keys()].sort(),
    "each accepted document has exactly one ACK, and no other has one",
  );
  for (const { feed_token, xml } of acks) assert.match(xml, /<result>PROCESSED<\/result>/, String(feed_token));
  for (const topic of ["feed:accepted", "feed:processed"]) {
    assert.deepEqual(
      events.flatMap((event) => (event.topic === topic ? event.object_id : [])).sort(),
      [...byToken.keys()].sort(),
      `${topic} is there once for each accepted document`,
    );
  }
  for (const { kind, objectId, answer } of sent) {
    if (kind !== "NO" && kind !== "CANCEL") continue;
    if (!answer?.isAccepted) {
      if (kind === "NO") assert.equal(answer, undefined, `${objectId} is a good order: ${answer?.body}`);
      continue;
    }
    assert.equal(byToken.get(answer.token)?.object_id, objectId, `${kind} ${objectId} was acknowledged and is kept`);
  }
}

interface StoredOrder {
  readonly order_id: string;
  readonly status: string;
  readonly cancel_requested: boolean;
  readonly buckets: string;
  readonly has_task: boolean;
}

/** What became of each order, told once and in its order by the audit log, the events, the milestones and the OS feed. */
async function checkOrders(
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
  const steps = Map.groupBy(
    await list<{ object_id: string; from: string; to: string }>(
      `select object_id, detail ->> 'from' as from, detail ->> 'to' as to from audit_log
       where client_id = $1 and object_type = 'order' and detail ? 'to' order by audit_id`,
    ),
    ({ object_id }) => object_id,
  );
  const topics = Map.groupBy(
    events.filter(({ topic }) => topic.startsWith("order:")),
    ({ object_id }) => object_id,
  );
  const feeds = Map.groupBy(statusFeeds, ({ object_id }) => object_id);
  for (const order of orders) {
    const { order_id: orderId, status, buckets } = order;
    // Each step begins where the one before ended, whatever the order in which equal moments were written.
    const path = pathOf(orderId, steps.get(orderId) ?? []);
    assert.equal(path.at(-1) ?? "RECEIVED", status, `order ${orderId} is where its last step led`);
    assert.notEqual(status, "RECEIVED", `order ${orderId} was looked after`);
    const names = (topics.get(orderId) ?? []).map(({ topic }) => topic);
    assert.equal(
      names.filter((name) => name === "order:received").length,
      1,
      `order:received of ${orderId} is there once`,
    );
    const ofStates = new Set(Object.values(told).map(([topic]) => topic));
    assert.deepEqual(
      names.filter((name) => ofStates.has(name)),
      path.flatMap((state) => told[state]?.[0] ?? []),
      `order ${orderId}: one event for each step, in order`,
    );
    const own = feeds.get(orderId) ?? [];
    assert.deepEqual(
      own.map(({ xml }) => field(xml, "status")),
      path.filter((state) => told[state]?.[1]),
      `order ${orderId}: one OS for each step, in order`,
    );
    const moments = own.map(({ xml }) => field(xml, "statusTimeStamp"));
    assert.deepEqual(moments, moments.toSorted(), `order ${orderId}: no OS is of an earlier moment than one before it`);
    const last = own.at(-1);
    // Between two states quantities may move on without an OS.
    if (last && ["ALLOCATED", "DESPATCHED", "CANCELLED"].includes(status) && !order.cancel_requested) {
      assert.equal(bucketsOf(last.xml), buckets, `order ${orderId}: its last OS says how it stands`);
    }
    if (status === "ALLOCATED" && !order.cancel_requested)
      assert(order.has_task, `${orderId} stands in the list of work`);
    if (["CANCELLED", "DESPATCHED", "BACKORDERED"].includes(status))
      assert(!order.has_task, `${orderId} is not to be picked`);
  }
  await checkMilestones(
    list,
    events,
    orders.map(({ order_id }) => order_id),
    steps,
  );
  return orders.map(({ status }) => status);
}

/** The states of an order in their order. */
function pathOf(orderId: string, steps: readonly { readonly from: string; readonly to: string }[]): string[] {
  let state = "RECEIVED";
  return steps.map(({ from, to }) => {
    assert.equal(from, state, `order ${orderId}: its steps follow each other: ${JSON.stringify(steps)}`);
    state = to;
    return to;
  });
}

async function checkMilestones(
  list: List,
  events: readonly StoredEvent[],
  orderIds: readonly string[],
  steps: ReadonlyMap<string, readonly { readonly to: string }[]>,
): Promise<void> {
  const milestones = await list<{ order_id: string; code: number; olpn_id: string | null }>(
    "select order_id, code, olpn_id from order_milestone where client_id = $1",
  );
  const raised = events.filter(({ topic }) => topic === "carrier:trackAndTrace");
  assert.deepEqual(
    raised.map(({ data }) => `${data.orderId} ${data.eventCode} ${data.olpnId ?? "-"}`).sort(),
    milestones.map(({ order_id, code, olpn_id }) => `${order_id} ${code} ${olpn_id ?? "-"}`).sort(),
    "each milestone is told once",
  );
  const codes = Map.groupBy(milestones, ({ order_id }) => order_id);
  for (const orderId of orderIds) {
    const of = (code: number) => (codes.get(orderId) ?? []).filter((milestone) => milestone.code === code).length;
    assert.deepEqual([of(10), of(20)], [1, 1], `order ${orderId} was received and validated once`);
    const allocations = (steps.get(orderId) ?? []).filter(({ to }) => to === "ALLOCATED").length;
    assert.equal(of(50), allocations, `order ${orderId}: Order Allocated as often as it was`);
  }
}

/** Each report has one effect, and is told once. */
async function checkReports(
  list: List,
  events: readonly StoredEvent[],
  { receipts, adjustments }: Readonly<Record<"receipts" | "adjustments", readonly StoredDocument[]>>,
  sent: readonly Sent[],
): Promise<void> {
  const answered = sent.filter(({ answer }) => answer?.status === 200);
  const keys = new Set(
    (await list<{ report_key: string }>("select report_key from warehouse_report where client_id = $1")).map(
      ({ report_key }) => report_key,
    ),
  );
  for (const { kind, key } of answered) {
    if (kind === "NO" || kind === "CANCEL" || kind === "INV") continue;
    assert(keys.has(`report ${key}`), `the report ${key} was answered and is kept`);
  }
  const booked = await list<{ receipt_id: string }>("select receipt_id from goods_receipt where client_id = $1");
  const receiptIds = booked.map(({ receipt_id }) => receipt_id).sort();
  assert.deepEqual(receipts.map(({ xml }) => field(xml, "receiptId")).sort(), receiptIds, "one GR for each receipt");
  const received = events.filter(({ topic }) => topic === "goodsReceipt:received");
  assert.deepEqual(received.map(({ data }) => data.receiptId).sort(), receiptIds, "one event for each receipt");
  for (const { kind, objectId } of answered) {
    if (kind === "receipt") assert(receiptIds.includes(objectId), `receipt ${objectId} was answered and is booked`);
  }
  const adjusted = answered.filter(({ kind }) => kind === "adjustment").map(({ objectId }) => objectId);
  const toldOf = Map.groupBy(adjustments, ({ xml }) => field(xml, "adjustmentId"));
  for (const adjustmentId of adjusted) {
    assert.equal(toldOf.get(adjustmentId)?.length, 1, `adjustment ${adjustmentId} is told by one ADJ`);
  }
  for (const [adjustmentId, own] of toldOf) assert.equal(own.length, 1, `one ADJ of ${adjustmentId}`);
}

/** Each promised document is there once, and the statements tell the whole of the ledger: opening + movements = closing. */
async function checkStatements(
  list: List,
  inv: readonly StoredDocument[],
  ims: readonly StoredDocument[],
): Promise<void> {
  const snapshots = await list<{ inv: string | null; ims: string | null; position: string; written: boolean }>(
    `select inv_message_id as inv, ims_message_id as ims, position, written_at is not null as written
     from stock_snapshot where client_id = $1`,
  );
  const firsts = (documents: readonly StoredDocument[]) =>
    documents.filter(({ part }) => part === 1).map(({ message_id }) => message_id);
  assert(snapshots.every(({ written }) => written));
  assert.deepEqual(firsts(inv).sort(), snapshots.flatMap((one) => one.inv ?? []).sort(), "each INV is written once");
  assert.deepEqual(firsts(ims).sort(), snapshots.flatMap((one) => one.ims ?? []).sort(), "each IMS is written once");
  for (const documents of [inv, ims]) {
    for (const own of Map.groupBy(documents, ({ object_id }) => object_id).values()) {
      assert.deepEqual(
        own.map(({ part }) => part),
        Array.from({ length: own[0]?.parts ?? 0 }, (_, i) => i + 1),
        "each part is there once, in order",
      );
    }
  }
  for (const { xml } of ims.filter(({ parts }) => parts === 1)) {
    for (const [, item = ""] of xml.matchAll(/<item>(.*?)<\/item>/gs)) {
      const moved = [...item.matchAll(/<qty>(.*?)<\/qty>/g)].reduce((sum, [, qty]) => sum + Number(qty), 0);
      const opening = Number(field(item, "opening"));
      assert.equal(opening + moved, Number(field(item, "closing")), `opening + movements = closing: ${item}`);
    }
  }
}

/** What came is what stands in the books; nobody waits for what is there, and nobody got what was not. */
async function checkGoods(list: List, sent: readonly Sent[]): Promise<void> {
  const answered = sent.filter(({ answer }) => answer?.status === 200);
  const reported = Map.groupBy(
    answered.filter(({ kind }) => kind === "receipt" || kind === "adjustment"),
    ({ sku }) => sku,
  );
  const booked = await list<{ sku: string; qty: number }>(
    `select sku, sum(qty)::float8 as qty from stock_movement
     where client_id = $1 and type in ('RECEIPT', 'ADJUSTMENT') and reason is distinct from 'INITIAL' group by sku`,
  );
  for (const { sku, qty } of booked.filter(({ sku }) => reported.has(sku))) {
    const sum = (reported.get(sku) ?? []).reduce((total, one) => total + (one.qty ?? 0), 0);
    assert.equal(qty, sum, `of ${sku} as much came and went as was reported, once`);
  }
  const waiting = await list(
    `select l.order_id, l.line_number, l.sku, l.qty_open, l.qty_backordered, b.qty - b.allocated as free
     from sales_order o join sales_order_line l using (client_id, order_id)
       join stock_balance b on b.client_id = l.client_id and b.facility_code = l.facility_code and b.sku = l.sku
         and b.condition = 'GOOD' and b.qty > b.allocated
     where o.client_id = $1 and o.holds = '[]' and l.qty_open + l.qty_backordered > 0 limit 10`,
  );
  assert.deepEqual(waiting, [], "nobody waits for stock that is free");
}

const field = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";

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

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

// Invariants of orders, goods and their published events after any kill, checked from the database and the senders'
// responses alone.
import assert from "node:assert/strict";
import { checkStock, describeBroken } from "#/modules/inventory/index.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { unpackBytes } from "#/store/packed/packed.ts";
import { watchMachine } from "../../support/app/machine.ts";
import { until } from "../../support/app/until.ts";
import { unpackedRow } from "../../support/postgres/unpacked.ts";
import { clientId, type Sent } from "../load/floor-load.ts";
import { withClient } from "./oracle.ts";
import { checkOrders, field, type List, type StoredDocument, type StoredEvent } from "./order-oracle.ts";

/** Time limit for the outcome of everything acknowledged (issue "Stock, floor and outbound feeds"). */
const settledMsMax = 60_000;
/** Waiting limit on a busy machine. */
const waitMsMax = 150_000;
const stretch = watchMachine();

/** Remaining work on accepted documents. */
const toDo = `select
  (select count(*) from outbox where client_id = $1)::int as outbox,
  (select count(*) from feed_document where client_id = $1 and state in ('ACCEPTED', 'PARKED'))::int as documents,
  (select count(*) from stock_change where client_id = $1 and needs_allocation)::int as wanted,
  (select count(*) from stock_snapshot where client_id = $1 and written_at is null)::int as snapshots,
  (select count(*) from sales_order_line l join sales_order o using (client_id, order_id)
   where l.client_id = $1 and l.qty_open > 0 and o.holds = '[]')::int as open_lines`;

/** Waits until no work remains. @returns the duration in milliseconds */
export async function floorSettled(url: string): Promise<number> {
  const beganMs = performance.now();
  let left = {};
  await withClient(url, async (client) => {
    try {
      await until(
        "everything to be done",
        async () => {
          const { rows } = await client.query(toDo, [clientId]);
          left = rows[0];
          return Object.values(left).every((count) => count === 0) || undefined;
        },
        waitMsMax,
      );
    } catch (cause) {
      throw new Error(`there is still to be done: ${JSON.stringify(left)}`, { cause });
    }
  });
  const ms = performance.now() - beganMs;
  assert(ms <= settledMsMax * stretch(), `everything was done after ${Math.round(ms)} ms`);
  return ms;
}

export interface Findings {
  readonly orders: Readonly<Record<string, number>>;
  readonly documents: Readonly<Record<string, number>>;
  readonly events: number;
  readonly movements: number;
}

/** Call it when no work remains. */
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

async function check(database: Database, list: List, sent: readonly Sent[]): Promise<Findings> {
  const storedEvents = await list<StoredEvent>(
    "select topic, object_id, position, data from event where client_id = $1 order by position",
  );
  const events = storedEvents.map(unpackedRow);
  const storedDocuments = await list<Omit<StoredDocument, "xml"> & { readonly payload: Buffer }>(
    `select message_id, type, object_id, feed_token, list_position, part, parts, payload
     from outbound_document where client_id = $1 order by list_position`,
  );
  const documents = storedDocuments.map(
    ({ payload, ...document }): StoredDocument => ({ ...document, xml: unpackBytes(payload).toString() }),
  );
  assert.equal(
    events.findIndex(({ position }, i) => Number(position) !== i + 1),
    -1,
    "positions of events run from 1 without a gap, each once",
  );
  const places = new Set(documents.map(({ list_position }) => list_position));
  assert.equal(places.size, documents.length, "no two outbound documents have one place");
  for (const { message_id, xml } of documents) {
    assert(xml.includes(`<messageId>${message_id}</messageId>`), `document ${message_id} names itself`);
  }
  const ofType = (type: string) => documents.filter((document) => document.type === type);
  await checkFeeds(list, events, ofType("ACK"), sent);
  const orders = await checkOrders(list, events, ofType("OS"), sent);
  await checkReports(list, events, { receipts: ofType("GR"), adjustments: ofType("ADJ") }, sent);
  await checkStatements(list, ofType("INV"), ofType("IMS"));
  const broken = await database.transaction((tx) => checkStock(tx.of(clientId)), { statementTimeoutMs: 60_000 });
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

/** Each accepted document is PROCESSED, and this is published once, as an event and as an ACK. */
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

/** Each report has one effect, which is published once. */
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
  const eventsOf = Map.groupBy(adjustments, ({ xml }) => field(xml, "adjustmentId"));
  for (const adjustmentId of adjusted) {
    assert.equal(eventsOf.get(adjustmentId)?.length, 1, `adjustment ${adjustmentId} is in one ADJ`);
  }
  for (const [adjustmentId, documents] of eventsOf) assert.equal(documents.length, 1, `one ADJ of ${adjustmentId}`);
}

/** Each promised document exists once, and the statements cover the whole ledger: opening + movements = closing. */
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
  assert.deepEqual(
    firsts(inv).sort(),
    snapshots.flatMap((snapshot) => snapshot.inv ?? []).sort(),
    "each INV is written once",
  );
  assert.deepEqual(
    firsts(ims).sort(),
    snapshots.flatMap((snapshot) => snapshot.ims ?? []).sort(),
    "each IMS is written once",
  );
  for (const documents of [inv, ims]) {
    for (const statementParts of Map.groupBy(documents, ({ object_id }) => object_id).values()) {
      assert.deepEqual(
        statementParts.map(({ part }) => part),
        Array.from({ length: statementParts[0]?.parts ?? 0 }, (_, i) => i + 1),
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

/** When all work is done, no order waits for available stock. */
export function checkNobodyWaits(url: string): Promise<void> {
  return withClient(url, (client) =>
    checkWaiting(async <Row>(text: string) => (await client.query(text, [clientId])).rows as Row[]),
  );
}

/** The books match the receipts. No order waits for available stock, and no order has stock that did not exist. */
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
    const sum = (reported.get(sku) ?? []).reduce((total, report) => total + (report.qty ?? 0), 0);
    assert.equal(qty, sum, `of ${sku} as much came and went as was reported, once`);
  }
  await checkWaiting(list);
}

async function checkWaiting(list: List): Promise<void> {
  const waiting = await list(
    `select l.order_id, l.line_number, l.sku, l.qty_open, l.qty_backordered, b.qty - b.allocated as free
     from sales_order o join sales_order_line l using (client_id, order_id)
       join stock_balance b on b.client_id = l.client_id and b.facility_code = l.facility_code and b.sku = l.sku
         and b.condition = 'GOOD' and b.qty > b.allocated
     where o.client_id = $1 and o.holds = '[]' and l.qty_open + l.qty_backordered > 0 limit 10`,
  );
  assert.deepEqual(waiting, [], "no order waits for free stock");
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

// The exceptions that the console shows, kind by kind (lifecycle.md, warehouse.md, feeds.md, webhooks.md, sftp.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { stockJobs } from "#/app/roles/stock-jobs.ts";
import { eventJobs } from "#/app/roles/worker.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { reportUnansweredCancelRequests } from "#/modules/orders/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { order } from "../../support/builders/documents.ts";
import { type ExceptionRow, exceptionsOf } from "../../support/builders/exceptions.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { carrierOf, warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const carrier = await carrierOf(server, "RM");
const anna = await signIn(server, "operator");
const { list, named, one } = exceptionsOf(anna);

test("held, short, waiting and late orders are listed while the problem lasts, each with its remedy", async () => {
  const life = await lifeOf(server, dc1, "WAITS", { items: ["A", "B", "C"] });
  await life.stock([
    { sku: "A", qty: 9 },
    { sku: "C", qty: 2 },
  ]);
  await life.place("BACK", [{ sku: "B", qty: 2 }]);
  await life.place("HELD", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: "true" });
  await life.place("LATE", [{ sku: "A", qty: 1 }]);
  await life.place("SHORT", [{ sku: "C", qty: 2 }]);
  await life.pick("SHORT", 1, { qtyShort: 1 });
  await life.quiet();
  await server.rows(
    "update sales_order set despatch_by = now() - interval '1 minute' where order_id = 'LATE' returning 1",
  );
  const found = new Map((await list("clientId=WAITS")).map((row) => [row.type, row]));
  assert.deepEqual([...found.keys()].toSorted(), ["ORDER_BACKORDERED", "ORDER_HELD", "ORDER_LATE", "SHORT_PICK"]);
  assert.match(found.get("ORDER_BACKORDERED")?.summary ?? "", /^Order \w+ waits for stock: \d × \w\./);
  const held = found.get("ORDER_HELD") as ExceptionRow;
  assert.equal(
    held.summary,
    "Order HELD is held: do not ship (doNotShip of the order). It does not leave until every hold is released.",
  );
  assert.deepEqual([held.facilityCode, held.objectType, held.objectId, held.owner], ["DC1", "order", "HELD", null]);
  assert.deepEqual(held.cure.operation, {
    verb: "Release order",
    method: "POST",
    path: "/order/liftHold/HELD?clientId=WAITS",
    body: { types: ["DO_NOT_SHIP"] },
  });
  assert.match(found.get("ORDER_LATE")?.summary ?? "", /^Order LATE is allocated and has missed its despatch time\./);
  const short = found.get("SHORT_PICK") as ExceptionRow;
  assert.match(short.summary, /^A pick did not find 1 of SKU C in DC1\. They are on hold/);
  assert.deepEqual([short.objectType, short.objectId], ["sku", "C"]);
  // A count finds the stock, and a NO with doNotShip false lifts the hold: no operator has to close the exception.
  await dc1.report("count", { clientId: "WAITS", countId: "C-1", lines: [{ sku: "C", countedQty: 0 }] });
  await life.update("HELD", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: "false" });
  await life.cancel("BACK");
  assert.deepEqual((await named("clientId=WAITS&type=ORDER_HELD,ORDER_LATE")).toSorted(), ["ORDER_LATE LATE"]);
  assert.equal((await named("clientId=WAITS&type=SHORT_PICK")).length, 0);
});

test("an order at risk becomes late when its time passes, and leaves the list with the order", async () => {
  const life = await lifeOf(server, dc1, "TIMED", { items: ["A"] });
  await life.stock([{ sku: "A", qty: 9 }]);
  const orderIds = ["GONE", "ENDED", "CHANGED"];
  for (const orderId of orderIds) await life.place(orderId, [{ sku: "A", qty: 1 }]);
  await life.quiet();
  const dueIn = (interval: string) =>
    server.rows(
      "update sales_order set despatch_by = now() + $1::interval where client_id = 'TIMED' returning 1",
      interval,
    );
  const now = async () => (await named("clientId=TIMED")).toSorted();
  await dueIn("2 hours");
  assert.deepEqual(await now(), []);
  await dueIn("30 minutes");
  assert.deepEqual(await now(), ["ORDER_AT_RISK CHANGED", "ORDER_AT_RISK ENDED", "ORDER_AT_RISK GONE"]);
  const [warning] = await list("clientId=TIMED&type=ORDER_AT_RISK");
  assert.match(
    warning?.summary ?? "",
    /is allocated and is due to leave within the hour\. Check in the warehouse what delays it/,
  );
  assert.ok(Date.parse(warning?.since ?? "") < Date.now(), "at risk since an hour before it is due");
  await anna.post("/exception/resolve", { exceptionIds: [warning?.exceptionId], reason: "seen" });
  assert.equal((await now()).length, 2);
  await dueIn("-1 minute");
  assert.deepEqual(await now(), ["ORDER_LATE CHANGED", "ORDER_LATE ENDED", "ORDER_LATE GONE"]);
  const [failure] = await list("clientId=TIMED&type=ORDER_LATE");
  assert.match(failure?.summary ?? "", /is allocated and has missed its despatch time\./);
  const { body } = await anna.get("/exception/summary?clientId=TIMED");
  const counts = (body.types as { type: string; count: number }[]).filter(({ count }) => count > 0);
  assert.deepEqual(
    counts.map(({ type, count }) => `${type} ${count}`),
    ["ORDER_LATE 3"],
  );
  await life.pick("GONE", 1);
  await life.despatch(...(await life.pack("GONE", 1)));
  await life.cancel("ENDED");
  await life.update("CHANGED", [{ sku: "A", qty: 1 }], { doNotShip: "true" });
  await life.quiet();
  assert.deepEqual(await now(), ["ORDER_HELD CHANGED"]);
});

test("a rejected document is an exception until a later document of its object is accepted", async () => {
  const life = await lifeOf(server, dc1, "REFUSED");
  await life.client.refuse("NO", order("REFUSED", "O-1", [{ sku: "ABSENT" }]), /UNKNOWN_SKU/);
  const row = await one("clientId=REFUSED");
  assert.equal(row.type, "FEED_REJECTED");
  assert.match(
    row.summary,
    /^Order O-1 was rejected: \[UNKNOWN_SKU\] .*: ABSENT\. It had no effect\. The client must correct/,
  );
  assert.deepEqual([row.objectType, row.cure.kind, row.facilityCode], ["feed", "link", null]);
  await life.place("O-1", [{ sku: "A", qty: 1 }]);
  assert.deepEqual(await named("clientId=REFUSED&type=FEED_REJECTED"), []);
  await life.client.set({ parkUnknownSkus: "true" });
  await life.client.refuse("NO", order("REFUSED", "O-2", [{ sku: "LATER" }]), /UNKNOWN_SKU/);
  const waiting = await one("clientId=REFUSED&type=FEED_PARKED");
  assert.deepEqual([waiting.objectType, waiting.objectName], ["feed", "Order O-2"]);
  assert.match(waiting.summary, /^Order O-2 is parked: it names SKUs that are in no CAT \(LATER\)\./);
  const token = row.exceptionId;
  assert.ok(token.length > 20);
  await server.rows(
    `update feed_document set state = 'ACCEPTED', overdue_at = now() where token = $1::uuid returning 1`,
    waiting.objectId,
  );
  assert.match((await one("clientId=REFUSED&type=FEED_OVERDUE")).summary, /has no outcome after its deadline/);
  await server.rows(
    `update feed_document set state = 'FAILED', completed_at = now() where token = $1::uuid returning 1`,
    waiting.objectId,
  );
  const failed = await one("clientId=REFUSED&type=FEED_FAILED");
  assert.equal(failed.cure.operation?.path, `/feed/retry/${waiting.objectId}?clientId=REFUSED`);
});

test("a lost parcel, a cancel request without an answer, receipts, and returns of no one", async () => {
  const life = await lifeOf(server, dc1, "FLOOR");
  await life.stock([{ sku: "A", qty: 20 }]);
  const [olpnId] = await life.ship("P-1", "A", 1);
  await carrier.report("carrierEvent", { olpnId, eventCode: 120, occurredAt: new Date().toISOString() });
  await carrier.report("carrierEvent", {
    olpnId,
    eventCode: 165,
    occurredAt: new Date(Date.now() + 1_000).toISOString(),
  });
  await life.quiet();
  const delayed = await one("clientId=FLOOR&type=CARRIER_EXCEPTION");
  assert.match(delayed.summary, new RegExp(`^Parcel ${olpnId} of order P-1, carried by .*, does not move: delayed\\.`));
  await carrier.report("carrierEvent", {
    olpnId,
    eventCode: 195,
    occurredAt: new Date(Date.now() + 2_000).toISOString(),
  });
  await life.quiet();
  assert.match((await one("clientId=FLOOR&type=CARRIER_EXCEPTION")).summary, /is lost\. Claim it/);

  await life.place("C-1", [{ sku: "A", qty: 1 }]);
  await life.take("C-1");
  await life.cancel("C-1");
  assert.deepEqual(await named("clientId=FLOOR&type=CANCEL_UNANSWERED"), []);
  assert.equal(await life.after(3, reportUnansweredCancelRequests), 1);
  assert.deepEqual(await named("clientId=FLOOR&type=CANCEL_UNANSWERED"), ["CANCEL_UNANSWERED C-1"]);
  await dc1.report("cancel", { clientId: "FLOOR", orderId: "C-1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  await life.quiet();
  assert.deepEqual(await named("clientId=FLOOR&type=CANCEL_UNANSWERED"), []);

  await dc1.report("return", {
    clientId: "FLOOR",
    returnId: "RET-1",
    lines: [{ sku: "A", qty: 1, disposition: "QUARANTINE" }],
  });
  const blind = await one("clientId=FLOOR&type=BLIND_RETURN");
  assert.match(blind.summary, /unannounced goods are in QUARANTINE: A\. Ask the client/);
  await anna.post("/exception/resolve", { exceptionIds: [blind.exceptionId], reason: "put to stock" });
  assert.deepEqual(
    await server.rows(
      "select state, resolved_by from operator_exception where client_id = 'FLOOR' and kind = 'BLIND_RETURN'",
    ),
    [{ state: "RESOLVED", resolved_by: `user:${anna.userName}` }],
  );
});

test("the nightly check of events raises an exception, and closes it after the repair", async () => {
  const life = await lifeOf(server, dc1, "NUMBERED");
  await life.stock([{ sku: "A", qty: 5 }]);
  await until("the events", async () => {
    const [lane] = await server.rows<{ last: string }>(
      "select last_position as last from outbox_lane where client_id = 'NUMBERED'",
    );
    return Number(lane?.last ?? 0) > 0;
  });
  const log = { info() {}, warn() {}, debug() {}, error() {} } as never;
  const [check] = eventJobs({ database: server.database, clock: systemClock, ids: createIds(), log });
  await server.rows("insert into webhook_cursor (client_id, last_position) values ('NUMBERED', 1000000) returning 1");
  for (const _ of ["found", "found again"]) {
    await check?.run();
    const found = await one("clientId=NUMBERED&type=EVENT_CHECK");
    assert.match(found.summary, /the cursor: future events would not be delivered \(\d+, expected \d+\)\./);
    assert.match(found.summary, /crossdock events check --client NUMBERED`/);
    assert.deepEqual([found.objectType, found.objectId], ["client", "NUMBERED"]);
  }
  await server.rows("delete from webhook_cursor where client_id = 'NUMBERED' returning 1");
  await check?.run();
  assert.deepEqual(await named("clientId=NUMBERED&type=EVENT_CHECK"), []);
});

test("the nightly stock check raises exceptions, and closes them when the stock is consistent", async () => {
  const life = await lifeOf(server, dc1, "CHECKED");
  await life.stock([{ sku: "A", qty: 5 }]);
  const log = { info() {}, warn() {}, debug() {}, error() {} } as never;
  const jobs = stockJobs({ database: server.database, clock: systemClock, ids: createIds(), log, onCommit() {} });
  const check = async () => jobs.find(({ name }) => name === "stock-check")?.run();
  await server.rows("update stock_balance set qty = 4 where client_id = 'CHECKED' returning 1");
  for (const _ of ["found", "found again"]) {
    await check();
    const found = await one("clientId=CHECKED&type=STOCK_CHECK");
    assert.match(
      found.summary,
      /SKU A GOOD in DC1: the balance is not the sum of its movements: 4, expected 5\. Check/,
    );
    assert.deepEqual([found.objectType, found.objectId, found.facilityCode], ["sku", "A", "DC1"]);
  }
  await server.rows("update stock_balance set qty = 5 where client_id = 'CHECKED' returning 1");
  await check();
  assert.deepEqual(await named("clientId=CHECKED&type=STOCK_CHECK"), []);
});

test("failed deliveries, uncollected documents and a silent warehouse are exceptions", async () => {
  const life = await lifeOf(server, dc1, "OUT");
  await life.place("O-1", [{ sku: "A", qty: 1 }]);
  const webhookId = "01990000-0000-7000-8000-000000000001";
  await server.rows(
    `insert into webhook (client_id, webhook_id, kind, topic_name, facility_code, url, content_type, status,
       signing_secret_sealed, from_position, created_at, updated_at)
     values ('OUT', $1::uuid, 'WEBHOOK', 'order:*', '*', 'https://shop.example/hook?secret=1', 'application/json', 'ACTIVE', 'x', 0, now(), now())
     returning 1`,
    webhookId,
  );
  const [event] = await server.rows<{ event_id: string }>("select event_id from event where client_id = 'OUT' limit 1");
  await server.rows(
    `insert into webhook_delivery (client_id, delivery_id, webhook_id, event_id, event_position, topic_name, object_type,
       object_id, status, attempts, last_error, completed_at)
     values ('OUT', $1::uuid, $2::uuid, $1::uuid, 1, 'order:received', 'order', 'O-1', 'FAILED', 17, 'status 500', now()) returning 1`,
    event?.event_id,
    webhookId,
  );
  const failed = await one("clientId=OUT&type=DELIVERY_FAILED");
  assert.match(
    failed.summary,
    /^order:received of order O-1 was given up after 17 attempts: status 500\. The client was not notified/,
  );
  assert.equal(failed.cure.operation?.path, `/client/webhook/redeliver/${event?.event_id}?clientId=OUT`);
  await server.rows(
    "update webhook set status = 'DISABLED', additional_topic_names = '{parcel:load,return:*,feed:*}' where client_id = 'OUT' returning 1",
  );
  const disabled = await list("clientId=OUT&type=DELIVERY_FAILED,SUBSCRIPTION_DISABLED");
  assert.deepEqual(
    disabled.map(({ type }) => type),
    ["SUBSCRIPTION_DISABLED"],
  );
  assert.match(
    disabled[0]?.summary ?? "",
    /^The webhook for order:\*, parcel:load, return:\* and 1 more to shop\.example is disabled/,
  );
  assert.ok(!JSON.stringify(disabled).includes("secret"));
  await server.rows(
    "update webhook set status = 'ACTIVE', kind = 'OUTBOUND', topic_name = 'OS', additional_topic_names = '{}' where client_id = 'OUT' returning 1",
  );
  assert.equal((await list("clientId=OUT&type=OUTBOUND_FAILED")).length, 1);

  assert.deepEqual(await named("clientId=OUT&type=OUTBOUND_NOT_TAKEN"), []);
  await server.rows(
    "update outbound_document set created_at = now() - interval '2 days' where client_id = 'OUT' returning 1",
  );
  assert.match(
    (await one("clientId=OUT&type=OUTBOUND_NOT_TAKEN")).summary,
    /^Client OUT has not fetched and acknowledged/,
  );

  assert.deepEqual(await named("clientId=OUT&type=WAREHOUSE_SILENT"), []);
  await server.rows(
    "update warehouse_task set released_at = now() - interval '1 hour', position = null where facility_code = 'DC1' returning 1",
  );
  const silent = await list("type=WAREHOUSE_SILENT");
  assert.deepEqual(
    silent.map(({ objectId }) => objectId),
    ["DC1"],
  );
  assert.match(silent[0]?.summary ?? "", /^The warehouse DC1 has not read its tasks for half an hour/);
});

test("a webhook whose secret cannot be opened is there until a delivery arrives", async () => {
  const handleReport = await webhookDesk(server, await server.onboard("SEALED"));
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const { webhookId } = await handleReport.create({ url: `${receiver.url}/hook?secret=1` });
  const there = () => named("clientId=SEALED&type=SUBSCRIPTION_UNREADABLE");
  assert.deepEqual(await there(), []);
  await server.rows("update webhook set signing_secret_sealed = 'v1.no' where client_id = 'SEALED' returning 1");
  await tellEvents(server, "SEALED", ["O-1"]);
  await until("the exception", async () => (await there()).length > 0);
  const unreadable = await one("clientId=SEALED&type=SUBSCRIPTION_UNREADABLE");
  assert.match(unreadable.summary, /^The signing secret or the headers of the webhook for \* to \S+ cannot be opened:/);
  assert.ok(!unreadable.summary.includes("secret=1"));
  assert.deepEqual([unreadable.objectType, unreadable.objectId], ["webhook", webhookId]);
  assert.match(unreadable.objectName, /^127\.0\.0\.1:\d+$/);
  assert.deepEqual([unreadable.cure.kind, unreadable.cure.verb], ["link", "Open webhook"]);
  assert.ok(Math.abs(Date.parse(unreadable.since) - Date.now()) < 600_000, unreadable.since);
  // The same occurrence, whose mark an operator sets by its id.
  const { body } = await anna.post("/exception/note", { exceptionIds: [unreadable.exceptionId], note: "keys differ" });
  assert.deepEqual(
    body.results.map(({ outcome }: { outcome: string }) => outcome),
    ["DONE"],
  );
  await server.rows(
    `update webhook_lane set breaker = breaker || '{"unreadableSinceMs": "soon"}' where client_id = 'SEALED' returning 1`,
  );
  assert.deepEqual(await there(), [], "a value that is not a moment hides no other exception");
  await handleReport.patch(webhookId, { isPaused: 1 });
  await handleReport.patch(webhookId, { isPaused: 0 });
  await until("the exception again", async () => (await there()).length > 0);
  const rotated = await handleReport.call("POST", `webhook/rotateSecret/${webhookId}`);
  assert.equal(rotated.status, 200);
  await receiver.waitFor(1);
  await until("the end of the exception", async () => (await there()).length === 0);
});

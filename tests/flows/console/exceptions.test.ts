// The work of operators on exceptions: assign, comment, dismiss, have a report accepted, and page through them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionTypes, severeTypes } from "#/console-api/exceptions/types.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { typeWords } from "../../../console/src/screens/exceptions/exception-words.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { type ExceptionRow, exceptionsOf } from "../../support/builders/exceptions.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const ids = createIds();
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "operator");
const vera = await signIn(server, "viewer");
const { list, named, one } = exceptionsOf(anna);

test("someone takes exceptions, remarks on them and puts them aside; what comes again is there again", async () => {
  const life = await lifeOf(server, dc1, "PEOPLE");
  await life.stock([{ sku: "A", qty: 9 }]);
  const orderIds = ["H-1", "H-2", "H-3"];
  for (const orderId of orderIds) await life.place(orderId, [{ sku: "A", qty: 1 }]);
  const hold = async (orderId: string) => {
    const answer = await anna.post(`/order/setHold/${orderId}?clientId=PEOPLE`, {
      type: "CLIENT_REQUEST",
      reason: "asked",
    });
    assert.ok([200, 201, 204].includes(answer.status), JSON.stringify(answer.body));
    await life.quiet();
  };
  for (const orderId of orderIds) await hold(orderId);
  const rows = await list("clientId=PEOPLE&sort=since");
  assert.deepEqual(
    rows.map(({ objectId }) => objectId),
    orderIds,
  );
  assert.deepEqual(
    await named("clientId=PEOPLE"),
    orderIds.toReversed().map((orderId) => `ORDER_HELD ${orderId}`),
  );
  const exceptionIds = rows.map(({ exceptionId }) => exceptionId);

  const stranger = Buffer.from(JSON.stringify(["ORDER_HELD", "PEOPLE", "NEVER", 1])).toString("base64url");
  const assigned = await anna.post("/exception/assign", {
    exceptionIds: [...exceptionIds.slice(0, 2), stranger],
    owner: anna.userName.toUpperCase(),
  });
  assert.equal(assigned.status, 200);
  assert.deepEqual(
    assigned.body.results.map(({ outcome }: { outcome: string }) => outcome),
    ["DONE", "DONE", "GONE"],
  );
  assert.deepEqual(await named("clientId=PEOPLE&owner=me&sort=since"), ["ORDER_HELD H-1", "ORDER_HELD H-2"]);
  assert.deepEqual(await named("clientId=PEOPLE&owner=none"), ["ORDER_HELD H-3"]);
  assert.deepEqual(await named(`clientId=PEOPLE&owner=${anna.userName}&text=h-2`), ["ORDER_HELD H-2"]);
  assert.equal((await anna.post("/exception/assign", { exceptionIds, owner: "nobody-here" })).status, 422);
  assert.equal((await anna.post("/exception/assign", { exceptionIds: exceptionIds.slice(0, 1) })).status, 200);
  assert.deepEqual(await named("clientId=PEOPLE&owner=me"), ["ORDER_HELD H-2"]);

  assert.equal((await anna.post("/exception/note", { exceptionIds, note: "asked on Monday" })).status, 200);
  assert.deepEqual(
    (await list("clientId=PEOPLE&sort=since")).map(({ note, owner }) => [note, owner]),
    [
      ["asked on Monday", null],
      ["asked on Monday", anna.userName],
      ["asked on Monday", null],
    ],
  );
  assert.equal((await anna.post("/exception/note", { exceptionIds: exceptionIds.slice(2) })).status, 200);
  assert.equal((await list("clientId=PEOPLE"))[0]?.note, null);

  const resolved = await anna.post("/exception/resolve", {
    exceptionIds: exceptionIds.slice(0, 2),
    reason: "agreed with the client",
  });
  assert.equal(resolved.status, 200);
  assert.deepEqual(await named("clientId=PEOPLE"), ["ORDER_HELD H-3"]);
  // A second hold for another reason is a new exception, without an owner.
  await anna.post("/order/setHold/H-1?clientId=PEOPLE", { type: "OTHER", reason: "again" });
  await life.quiet();
  assert.deepEqual(
    (await list("clientId=PEOPLE")).map(({ objectId, owner, note }) => [objectId, owner, note]),
    [
      ["H-1", null, null],
      ["H-3", null, null],
    ],
  );
  const audit = await server.rows<{ action: string; actor: string; object_id: string }>(
    "select action, actor, object_id from audit_log where client_id = 'PEOPLE' and object_type = 'exception' order by audit_id",
  );
  assert.deepEqual([...new Set(audit.map(({ action }) => action))], ["assign", "note", "resolve"]);
  assert.ok(audit.every(({ actor }) => actor === `user:${anna.userName}`));

  for (const path of ["assign", "note", "snooze", "resolve"]) {
    const refused = await vera.post(`/exception/${path}`, { exceptionIds, reason: "x" });
    assert.equal(refused.status, 403);
  }
});

test("a snoozed exception is not open until its time, says who snoozed it, and comes back by itself", async () => {
  const life = await lifeOf(server, dc1, "SNOOZE");
  await life.stock([{ sku: "A", qty: 9 }]);
  for (const orderId of ["H-1", "H-2"]) {
    await life.place(orderId, [{ sku: "A", qty: 1 }]);
    await anna.post(`/order/setHold/${orderId}?clientId=SNOOZE`, { type: "CLIENT_REQUEST", reason: "requested" });
  }
  await life.quiet();
  const ofClient = "clientId=SNOOZE&sort=since";
  const [first, second] = await list(ofClient);
  assert.ok(first && second);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const snooze = (body: object) => anna.post("/exception/snooze", { exceptionIds: [first.exceptionId], ...body });
  for (const wrong of [new Date().toISOString(), new Date(Date.now() + 61 * dayMs).toISOString()])
    assert.equal((await snooze({ until: wrong })).status, 422, wrong);
  assert.equal((await snooze({ until: "tomorrow" })).status, 400);
  const answer = await snooze({ until });
  assert.deepEqual([answer.status, answer.body.results[0].outcome], [200, "DONE"]);

  assert.deepEqual(await named(ofClient), ["ORDER_HELD H-2"]);
  const totalOf = async (query: string) => (await anna.get(`/exception/summary?clientId=SNOOZE&${query}`)).body.total;
  const causesOf = async (query: string) => (await anna.get(`/exception/causes?clientId=SNOOZE&${query}`)).body.items;
  assert.deepEqual([await totalOf(""), await totalOf("isSnoozed=false"), await totalOf("isSnoozed=true")], [1, 1, 1]);
  assert.deepEqual((await causesOf(""))[0].count, 1);
  const [cause] = await causesOf("isSnoozed=true");
  assert.deepEqual([cause.count, cause.snoozedUntil, cause.newest.objectId], [1, until, "H-1"]);
  const snoozed = await one("clientId=SNOOZE&isSnoozed=true");
  assert.deepEqual([snoozed.objectId, snoozed.snoozedUntil, snoozed.snoozedBy], ["H-1", until, anna.userName]);
  // Other actions still find it, and keep the snooze.
  await anna.post("/exception/assign", { exceptionIds: [first.exceptionId], owner: anna.userName });
  assert.deepEqual(await named("clientId=SNOOZE&owner=me"), []);
  assert.deepEqual(await named("clientId=SNOOZE&owner=me&isSnoozed=true"), ["ORDER_HELD H-1"]);
  // Another hold is a new occurrence.
  await anna.post("/order/setHold/H-1?clientId=SNOOZE", { type: "OTHER", reason: "worse" });
  await life.quiet();
  assert.deepEqual(await named(ofClient), ["ORDER_HELD H-2", "ORDER_HELD H-1"]);

  await anna.post("/exception/snooze", { exceptionIds: [second.exceptionId], until });
  assert.deepEqual(await named("clientId=SNOOZE&isSnoozed=true"), ["ORDER_HELD H-2"]);
  await server.rows(
    "update exception_annotation set snoozed_until = clock_timestamp() where client_id = 'SNOOZE' and object_key = 'H-2'",
  );
  const back = (await list(ofClient)).find(({ objectId }) => objectId === "H-2");
  assert.equal(back?.snoozedBy, anna.userName, "the last snooze stays in the history");
  await anna.post("/exception/snooze", { exceptionIds: [second.exceptionId], until });
  await anna.post("/exception/snooze", { exceptionIds: [second.exceptionId] });
  const ended = (await list(ofClient)).find(({ objectId }) => objectId === "H-2");
  assert.deepEqual([ended?.snoozedUntil, ended?.snoozedBy], [null, null]);
  const audit = await server.rows<{ action: string; detail: { until?: string } }>(
    "select action, detail from audit_log where client_id = 'SNOOZE' and object_id = 'ORDER_HELD H-2' order by audit_id",
  );
  assert.deepEqual(
    audit.map(({ action, detail }) => [action, detail.until]),
    [
      ["snooze", until],
      ["snooze", until],
      ["endSnooze", undefined],
    ],
  );
});

interface CauseRow {
  readonly causeId: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly objectType: string;
  readonly objectId: string;
  readonly objectName: string;
  readonly summary: string;
  readonly owner: string | null;
  readonly unassigned: number;
  readonly newest: ExceptionRow;
}

test("exceptions with one cause are one record: held orders by the kind of hold, deliveries by their receiver", async () => {
  const life = await lifeOf(server, dc1, "CAUSES");
  const causes = async (query: string, user = anna): Promise<CauseRow[]> => {
    const { status, body } = await user.get(`/exception/causes?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items;
  };
  const ofCause = (causeId: string, query = "") => named(`clientId=CAUSES&cause=${causeId}${query}`);
  const orderIds = ["C-1", "C-2", "C-3"];
  await life.stock([{ sku: "A", qty: 9 }]);
  for (const orderId of orderIds) {
    await life.place(orderId, [{ sku: "A", qty: 1 }]);
    const type = orderId === "C-2" ? "OTHER" : "CLIENT_REQUEST";
    const held = await anna.post(`/order/setHold/${orderId}?clientId=CAUSES`, { type, reason: "asked" });
    assert.ok(held.status < 300, JSON.stringify(held.body));
    await life.quiet();
  }
  const [requested, other] = await causes("clientId=CAUSES&type=ORDER_HELD");
  const countsBy = async (sort: string) => (await causes(`clientId=CAUSES&sort=${sort}`)).map(({ count }) => count);
  assert.deepEqual(
    [await countsBy("count"), await countsBy("-count")],
    [
      [1, 2],
      [2, 1],
    ],
  );
  assert.ok(requested && other);
  assert.deepEqual([requested.count, requested.newest.objectId, requested.unassigned], [2, "C-3", 2]);
  assert.equal(
    requested.summary,
    "2 orders of CAUSES are held: client request. They do not leave until every hold is released.",
  );
  assert.deepEqual([requested.objectType, requested.objectId], ["client", "CAUSES"]);
  assert.deepEqual([other.count, other.objectType, other.objectId], [1, "order", "C-2"], "one exception is itself");
  assert.equal(other.summary, other.newest.summary);
  assert.deepEqual(await ofCause(requested.causeId), ["ORDER_HELD C-3", "ORDER_HELD C-1"]);
  assert.deepEqual(await ofCause(requested.causeId, "&sort=since&text=c-1"), ["ORDER_HELD C-1"]);
  assert.deepEqual(await ofCause(requested.causeId, "&type=FEED_REJECTED"), []);
  assert.deepEqual(await named(`clientId=PEOPLE&cause=${requested.causeId}`), [], "the cause belongs to a client");
  assert.deepEqual(await ofCause("bm90aGluZw"), []);
  assert.equal((await anna.get(`/exception/list?cause=${requested.causeId}&cursor=no`)).status, 400);
  assert.equal((await anna.get(`/exception/list?clientId=PEOPLE&cause=${requested.causeId}&cursor=no`)).status, 400);

  await anna.post("/exception/assign", { exceptionIds: [requested.newest.exceptionId], owner: anna.userName });
  assert.deepEqual(
    (await causes("clientId=CAUSES&type=ORDER_HELD")).map(({ owner, unassigned }) => [owner, unassigned]),
    [
      [null, 1],
      [null, 1],
    ],
  );
  const mine = await causes("clientId=CAUSES&owner=me");
  assert.deepEqual(
    mine.map(({ count, owner }) => [count, owner]),
    [[1, anna.userName]],
  );

  const webhookId = "01990000-0000-7000-8000-00000000ca05";
  await server.rows(
    `insert into webhook (client_id, webhook_id, kind, topic_name, facility_code, url, content_type, status,
       signing_secret_sealed, from_position, created_at, updated_at)
     values ('CAUSES', $1::uuid, 'WEBHOOK', 'order:*', '*', 'https://shop.example/hook?secret=1', 'application/json', 'ACTIVE', 'x', 0, now(), now())
     returning 1`,
    webhookId,
  );
  await server.rows(
    `insert into webhook_delivery (client_id, delivery_id, webhook_id, event_id, event_position, topic_name, object_type,
       object_id, status, attempts, last_error, completed_at)
     select 'CAUSES', id::uuid, $1::uuid, id::uuid, n, 'order:received', 'order', 'O-' || n, 'FAILED', 17, 'status 500',
       now() - n * interval '1 minute'
     from unnest($2::text[]) with ordinality as given(id, n) returning 1`,
    webhookId,
    Array.from({ length: 501 }, () => ids.next(Date.now())),
  );
  const [dead, ...others] = await causes("clientId=CAUSES&type=DELIVERY_FAILED");
  assert.ok(dead);
  assert.equal(others.length, 0, "a dead receiver is one record");
  assert.deepEqual([dead.count, dead.isMore], [500, true]);
  assert.deepEqual([dead.objectType, dead.objectId, dead.objectName], ["webhook", webhookId, "shop.example"]);
  assert.equal(
    dead.summary,
    "500 or more deliveries to shop.example were given up. The newest error: status 500. Replay them when the receiver works.",
  );
  const typesBy = async (sort: string) =>
    (await causes(`clientId=CAUSES${sort}`)).map(({ newest: { type }, count }) => `${type} ${count}`);
  assert.deepEqual(await typesBy(""), ["DELIVERY_FAILED 500", "ORDER_HELD 2", "ORDER_HELD 1"]);
  assert.deepEqual((await typesBy("&sort=-severity")).at(-1), "DELIVERY_FAILED 500");
  assert.deepEqual((await typesBy("&sort=-since"))[0], "ORDER_HELD 1");
  const { body: page } = await anna.get(`/exception/list?clientId=CAUSES&cause=${dead.causeId}`);
  assert.equal(page.items.length, 500);
  const { body: rest } = await anna.get(
    `/exception/list?clientId=CAUSES&cause=${dead.causeId}&cursor=${encodeURIComponent(page.nextCursor)}`,
  );
  assert.deepEqual([rest.items.length, rest.nextCursor], [1, null]);
  assert.equal((await anna.get("/exception/causes?clientId=CAUSES&type=DELIVERY_FAILED")).body.isCut, true);
  const elsewhere = await signIn(server, "viewer", { clientIds: ["PEOPLE"] });
  assert.deepEqual(await causes("type=DELIVERY_FAILED", elsewhere), []);
  assert.deepEqual((await elsewhere.get(`/exception/list?cause=${dead.causeId}`)).body.items, []);
  await server.rows("delete from webhook_delivery where client_id = 'CAUSES' returning 1");
});

test("an exception is assigned to anyone who can do the daily work, and the console names those", async () => {
  const life = await lifeOf(server, dc1, "ASSIGN");
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.place("A-1", [{ sku: "A", qty: 1 }]);
  await anna.post("/order/setHold/A-1?clientId=ASSIGN", { type: "CLIENT_REQUEST", reason: "asked" });
  await life.quiet();
  const bert = await signIn(server, "operator");
  const boss = await signIn(server, "admin");
  const elsewhere = await signIn(server, "operator", { clientIds: ["PEOPLE"], facilityCodes: ["DC2"] });
  const gone = await signIn(server, "operator");
  assert.equal((await boss.patch(`/user/patch/${gone.userName}`, { isSuspended: true })).status, 200);
  const owners = async (user: typeof anna) => new Set((await user.get("/exception/owners")).body.items as string[]);
  const all = await owners(anna);
  for (const user of [anna, bert, boss, elsewhere]) assert.ok(all.has(user.userName), user.userName);
  for (const user of [vera, gone]) assert.ok(!all.has(user.userName), user.userName);
  const near = await signIn(server, "operator", { clientIds: ["ASSIGN"] });
  const theirs = await owners(near);
  assert.deepEqual([theirs.has(bert.userName), theirs.has(elsewhere.userName)], [true, false]);
  assert.equal((await vera.get("/exception/owners")).status, 403);

  const { exceptionId } = await one("clientId=ASSIGN");
  const assign = (owner: string) => anna.post("/exception/assign", { exceptionIds: [exceptionId], owner });
  assert.equal((await assign(bert.userName)).status, 200);
  assert.equal((await one("clientId=ASSIGN")).owner, bert.userName);
  for (const [user, why] of [
    [vera, "is a viewer"],
    [gone, "is suspended"],
  ] as const) {
    const { status, body } = await assign(user.userName);
    assert.equal(status, 422);
    assert.match(body.detail, new RegExp(`User ${user.userName} ${why}; assign to an active operator or admin`));
  }
  assert.equal((await one("clientId=ASSIGN")).owner, bert.userName);
});

test("a user limited to clients or facilities sees and changes only those", async () => {
  const life = await lifeOf(server, dc1, "LIMITED");
  await life.place("B-1", [{ sku: "A", qty: 1 }]);
  await life.place("B-2", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
  const limited = await signIn(server, "operator", { clientIds: ["LIMITED"], facilityCodes: ["DC1"] });
  assert.deepEqual(await exceptionsOf(limited).named(""), ["ORDER_BACKORDERED B-1"]);
  const { body } = await limited.get("/exception/summary");
  assert.equal(body.total, 1);
  const all = await list("clientId=LIMITED");
  assert.equal(all.length, 2);
  const { body: outcome } = await limited.post("/exception/resolve", {
    exceptionIds: all.map(({ exceptionId }) => exceptionId),
    reason: "not mine",
  });
  const outcomes = new Map(
    outcome.results.map((result: { exceptionId: string; outcome: string }) => [result.exceptionId, result.outcome]),
  );
  assert.deepEqual(all.map(({ objectId, exceptionId }) => `${objectId} ${outcomes.get(exceptionId)}`).toSorted(), [
    "B-1 DONE",
    "B-2 GONE",
  ]);
  assert.deepEqual(await named("clientId=LIMITED&distributionCentre=DC2"), ["ORDER_BACKORDERED B-2"]);
});

test("a refused report is retried, and forced past the hold of its order", async () => {
  const life = await lifeOf(server, dc1, "RETRY");
  await life.stock([{ sku: "A", qty: 9 }]);
  await life.place("R-1", [{ sku: "A", qty: 2 }]);
  await anna.post("/order/setHold/R-1?clientId=RETRY", { type: "CLIENT_REQUEST", reason: "asked" });
  const report = { clientId: "RETRY", orderId: "R-1", lines: [{ lineNumber: 1, qtyPicked: 2 }] };
  await dc1.refuse("pick", report, 409);
  const first = await one("clientId=RETRY&type=REPORT_REFUSED");
  assert.match(first.summary, /^The pick report of DC1 was refused: .*hold/i);
  assert.equal(first.cure.operation?.path, `/exception/retry/${first.exceptionId}`);
  // When the warehouse sends the report again, the exception is the same and keeps its age.
  await anna.post("/exception/assign", { exceptionIds: [first.exceptionId], owner: anna.userName });
  await dc1.refuse("pick", report, 409);
  const again = await one("clientId=RETRY&type=REPORT_REFUSED");
  assert.deepEqual([again.exceptionId, again.owner], [first.exceptionId, anna.userName]);
  assert.match(again.summary, /It was sent 2 times\./);

  assert.equal((await vera.post(`/exception/retry/${first.exceptionId}`)).status, 403);
  const refused = await anna.post(`/exception/retry/${first.exceptionId}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /hold/i);
  assert.equal((await life.shown("R-1")).holds.length, 1);
  const forced = await anna.post(`/exception/retry/${first.exceptionId}`, { isForced: true });
  assert.equal(forced.status, 200, JSON.stringify(forced.body));
  assert.deepEqual([forced.body.report, forced.body.answer.orderId], ["pick", "R-1"]);
  await life.quiet();
  assert.equal(await life.stands("R-1"), "PICKING Picked 2");
  assert.equal((await life.shown("R-1")).holds.length, 0);
  assert.deepEqual(await named("clientId=RETRY&type=REPORT_REFUSED,ORDER_HELD"), []);
  assert.equal((await anna.post(`/exception/retry/${first.exceptionId}`)).status, 404);
  assert.equal((await anna.post("/exception/retry/nothing-of-this-name")).status, 404);

  // A forced report is still refused when goods or stock forbid it, and the holds do not change.
  await life.place("R-2", [{ sku: "A", qty: 1 }]);
  await dc1.refuse("pick", { clientId: "RETRY", orderId: "R-2", lines: [{ lineNumber: 1, qtyPicked: 99 }] }, 409);
  await anna.post("/order/setHold/R-2?clientId=RETRY", { type: "CLIENT_REQUEST", reason: "asked" });
  const tooMuch = await one("clientId=RETRY&type=REPORT_REFUSED");
  const still = await anna.post(`/exception/retry/${tooMuch.exceptionId}`, { isForced: true });
  assert.equal(still.status, 409);
  assert.equal((await life.shown("R-2")).holds.length, 1);
  await life.quiet();
  // By now the report is acceptable without force.
  const { body: lifted } = await anna.post("/order/liftHold/R-2?clientId=RETRY", { types: ["CLIENT_REQUEST"] });
  assert.ok(lifted);
  await life.assertSound();

  await server.rows(
    "update operator_exception set detail = '{}' where client_id = 'RETRY' and state = 'OPEN' returning 1",
  );
  assert.equal((await anna.post(`/exception/retry/${tooMuch.exceptionId}`)).status, 422);
});

test("pages follow each other without a gap or a repeat, both ways, and the summary counts what they hold", async () => {
  const all = await list("limit=500");
  assert.ok(all.length > 3);
  for (const sort of ["since", "-since"]) {
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await anna.get(`/exception/list?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ exceptionId }: ExceptionRow) => exceptionId));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen.toSorted(), all.map(({ exceptionId }) => exceptionId).toSorted());
    const times = seen.map((id) => Date.parse(all.find(({ exceptionId }) => exceptionId === id)?.since ?? ""));
    assert.deepEqual(times, sort === "since" ? times.toSorted((a, b) => a - b) : times.toSorted((a, b) => b - a));
  }
  const { body: summary } = await vera.get("/exception/summary");
  assert.equal(summary.total, all.length);
  assert.equal(summary.figures, undefined);
  assert.equal(summary.clients, undefined);
  const { clients, total } = (await vera.get("/exception/summary?hasClients=true")).body;
  const ofClients = Map.groupBy(
    all.filter(({ clientId }) => clientId !== null),
    ({ clientId }) => clientId,
  );
  assert.equal(total, all.length);
  assert.deepEqual(
    new Map(clients.map((of: { clientId: string; count: number }) => [of.clientId, of.count])),
    new Map([...ofClients].map(([clientId, rows]) => [clientId, rows.length])),
  );
  const { figures } = (await anna.get("/exception/summary?hasFigures=true")).body;
  const totalOf = async (query: string) => (await anna.get(`/exception/summary?${query}`)).body.total;
  assert.deepEqual(figures, {
    mine: await totalOf("owner=me"),
    unassigned: await totalOf("owner=none"),
    olderThanDay: await totalOf("minAgeMinutes=1440"),
    snoozed: await totalOf("isSnoozed=true"),
  });
  assert.ok(figures.unassigned > 0 && figures.unassigned <= all.length, JSON.stringify(figures));
  for (const { type, count } of summary.types as { type: string; count: number }[])
    assert.equal(count, all.filter((row) => row.type === type).length, type);
  assert.deepEqual(await list("minAgeMinutes=100000"), []);
  assert.equal((await anna.get("/exception/list?cursor=abcd")).status, 400);
  assert.equal((await anna.get("/exception/list?type=NOTHING")).status, 400);
});

test("the types that the console shows in red are those that are listed first", () => {
  const red = exceptionTypes.filter((type) => typeWords[type].tone === "failed");
  assert.deepEqual([...severeTypes], red);
});

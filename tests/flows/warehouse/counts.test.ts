// warehouse.md, Counts: an operator asks, the warehouse answers, a difference above the tolerance waits for approval.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Clock } from "#/kernel/clock.ts";
import { commandLine } from "../../support/app/cli.ts";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf, inDays, runJob } from "../../support/builders/goods.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { allTasks, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const operator = await signIn(server, "operator", { clientIds: ["DEMO"] });
const batch = { sku: "BATCH", captureBatchRef: "1" };
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "D", "E", "F", "G", "H", "Y", "Z", batch, serial]));
afterEach(() => goods.assertSound());

const clientId = "DEMO";
let adjustments = 0;
const adjust = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId,
    adjustmentId: `A-${++adjustments}`,
    reasonCode: qty < 0 ? "LOST" : "FOUND",
    lines: [{ sku, qty, ...more }],
  });
const create = (body: object, user: ConsoleUser = operator) =>
  user.post("/count/create", { clientId, distributionCentre: "DC1", ...body });
/** A count that must be accepted. */
async function requested(body: object): Promise<string> {
  const answer = await create(body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.countId;
}
const read = async (countId: string) => (await operator.get(`/count/get/${countId}?clientId=DEMO`)).body;
const taskOf = async (countId: string) => {
  const task = (await allTasks(dc1)).find(({ objectId }) => objectId === countId);
  assert.ok(task, `no task of ${countId}`);
  const lines = task.lines as readonly object[] as readonly Readonly<Record<string, unknown>>[];
  return {
    taskId: task.taskId,
    type: task.type,
    version: task.version,
    withdrawnAt: task.withdrawnAt,
    notes: task.notes,
    lines,
  };
};
const report = (countId: string, lines: readonly object[], more: object = {}) =>
  dc1.report("count", { clientId, countId, lines, ...more });
const decide = (action: string, countId: string, body: object = {}) =>
  operator.post(`/count/${action}/${countId}`, body);
const differences = async () =>
  (await operator.get("/exception/list?type=COUNT_DIFFERENCE")).body.items as {
    objectId: string;
    summary: string;
    cure: { verb: string; operation: { path: string } };
  }[];
const documentsOf = async (adjustmentId: string) =>
  (await goods.outbound("ADJ", adjustmentId)).flatMap(({ root }) =>
    root.all("lines/line").map((line) => line.texts("sku", "qty", "qtyOnHandAfter").join(" ")),
  );

test("a blind count is a task without quantities; a report within the tolerance is booked and ends it", async () => {
  await adjust("A", 100);
  const countId = await requested({ sku: "A", note: "Top shelf too" });
  const task = await taskOf(countId);
  assert.deepEqual([task.type, task.version, task.withdrawnAt, task.notes], ["COUNT", 1, null, "Top shelf too"]);
  const line = { lineNumber: 1, sku: "A", uom: "EA", stockPool: "DEFAULT", condition: "GOOD" };
  assert.deepEqual(task.lines, [line]);
  assert.deepEqual((await dc1.get(`/task/get/${task.taskId}`)).body.lines, [line]);
  const accepted = await dc1.post("/task/accept", { taskIds: [task.taskId] });
  assert.deepEqual(accepted.body.results, [{ taskId: task.taskId, status: "ACCEPTED" }]);

  const answer = await report(countId, [{ sku: "A", countedQty: 98 }]);
  assert.deepEqual([answer.status, answer.waiting], ["COUNTED", []]);
  assert.deepEqual(await goods.stock("A"), ["GOOD 98/0"]);
  assert.deepEqual(await documentsOf(countId), ["A -2 98"]);
  assert.notEqual((await taskOf(countId)).withdrawnAt, null);
  const count = await read(countId);
  assert.deepEqual([count.status, count.cause, count.endedBy], ["COUNTED", "OPERATOR", "warehouse:DC1"]);
  const [counted] = count.lines;
  assert.deepEqual(
    [counted.expectedQty, counted.countedQty, counted.difference, counted.state],
    [100, 98, -2, "BOOKED"],
  );
  // A repeat gets the first answer; another report cannot answer it again.
  const again = await dc1.post("/count/report", { clientId, countId, lines: [{ sku: "A", countedQty: 98 }] });
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  await goods.unchanged(() => dc1.refuse("count", { clientId, countId, lines: [{ sku: "A", countedQty: 1 }] }, 409));
});

test("a count that is not blind shows what the shelf should have, without picked units", async () => {
  await adjust("B", 10);
  await demo.accept("NO", order("DEMO", "B-1", [{ sku: "B", qty: 4 }], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "B-1");
  await dc1.report("pick", { clientId, orderId: "B-1", lines: [{ lineNumber: 1, qtyPicked: 3 }] });
  const countId = await requested({ sku: "B", isBlind: false });
  assert.equal((await taskOf(countId)).lines[0]?.qty, 7);
  assert.equal((await report(countId, [{ sku: "B", countedQty: 7 }])).status, "COUNTED");
  assert.equal((await read(countId)).lines[0].state, "EQUAL");
});

test("a difference above the tolerance waits; approval books it as of the count", async () => {
  await adjust("C", 100);
  const countId = await requested({ sku: "C" });
  const countedAt = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await dc1.report("adjustment", {
    clientId,
    adjustmentId: "C-LATER",
    reasonCode: "FOUND",
    lines: [{ sku: "C", qty: 5, condition: "DAMAGED" }],
  });
  const answer = await report(countId, [{ sku: "C", countedQty: 90 }], { occurredAt: countedAt });
  assert.equal(answer.status, "WAITING");
  assert.deepEqual(answer.lines, []);
  assert.deepEqual(answer.waiting, [
    { sku: "C", condition: "GOOD", stockPool: "DEFAULT", countedQty: 90, expectedQty: 100 },
  ]);
  assert.deepEqual(await goods.stock("C"), ["DAMAGED 5/0", "GOOD 100/0"]);
  const [exception] = await differences();
  assert.equal(exception?.objectId, countId);
  assert.match(exception?.summary ?? "", /found 90 of SKU C instead of 100\. That is above the tolerance/);
  const listed = (await operator.get("/count/list?status=WAITING")).body.items;
  assert.deepEqual(
    listed.map((item: { countId: string; waiting: number }) => [item.countId, item.waiting]),
    [[countId, 1]],
  );

  const approved = await operator.post(exception?.cure.operation.path ?? "");
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.deepEqual([approved.body.status, approved.body.endedBy], ["APPROVED", `user:${operator.userName}`]);
  assert.deepEqual(await goods.stock("C"), ["DAMAGED 5/0", "GOOD 90/0"]);
  assert.deepEqual(await documentsOf(`${countId}-APPROVED`), ["C -10 95"]);
  const [movement] = await server.rows<{ occurred: boolean }>(
    "select occurred_at = $1::timestamptz as occurred from stock_movement where sku = 'C' and reference_id = $2",
    countedAt,
    countId,
  );
  assert.equal(movement?.occurred, true);
  assert.deepEqual(await differences(), []);
  assert.equal((await decide("approve", countId)).status, 409);
});

test("a rejected difference is not booked; a recount asks for the same lots again", async () => {
  await adjust("BATCH", 50, { batchRef: "B1" });
  await adjust("BATCH", 50, { batchRef: "B2" });
  const countId = await requested({ sku: "BATCH" });
  assert.deepEqual(
    (await taskOf(countId)).lines.map(({ batchRef }) => batchRef),
    ["B1", "B2"],
  );
  const lines = [
    { sku: "BATCH", batchRef: "B1", countedQty: 49 },
    { sku: "BATCH", batchRef: "B2", countedQty: 20 },
    { sku: "BATCH", batchRef: "B3", countedQty: 1 },
  ];
  const answer = await report(countId, lines);
  assert.equal(answer.status, "WAITING");
  // Each lot has its own tolerance: one unit of B1, one of the new lot B3.
  assert.deepEqual((await goods.stock("BATCH")).toSorted(), ["GOOD B1 49/0", "GOOD B2 50/0", "GOOD B3 1/0"]);
  const rejected = await decide("reject", countId, { isRecounted: true, reason: "B2 is in the mezzanine too" });
  assert.equal(rejected.status, 200, JSON.stringify(rejected.body));
  assert.equal(rejected.body.count.status, "REJECTED");
  const recountId = rejected.body.recountId as string;
  const recount = await read(recountId);
  assert.deepEqual([recount.status, recount.cause], ["REQUESTED", "RECOUNT"]);
  assert.deepEqual(
    (await taskOf(recountId)).lines.map(({ batchRef }) => batchRef),
    ["B2"],
  );
  assert.equal((await report(recountId, [{ sku: "BATCH", batchRef: "B2", countedQty: 50 }])).status, "COUNTED");
  assert.equal((await decide("reject", countId)).status, 409);
});

test("approval takes no allocated units without saying so, and never picked ones", async () => {
  await adjust("D", 10);
  await demo.accept("NO", order("DEMO", "D-1", [{ sku: "D", qty: 8 }], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "D-1");
  const countId = await requested({ sku: "D" });
  await report(countId, [{ sku: "D", countedQty: 4 }]);
  const refused = await goods.unchanged(() => decide("approve", countId));
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /takes units that orders have allocated: 4 of SKU D\. With freesAllocations/);
  const approved = await decide("approve", countId, { freesAllocations: true, reason: "seen myself" });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  assert.deepEqual(await goods.stock("D"), ["GOOD 4/4"]);

  await adjust("H", 4);
  await demo.accept("NO", order("DEMO", "H-1", [{ sku: "H", qty: 4 }], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "H-1");
  const second = await requested({ sku: "H" });
  await report(second, [{ sku: "H", countedQty: 0 }]);
  await dc1.report("pick", { clientId, orderId: "H-1", lines: [{ lineNumber: 1, qtyPicked: 4 }] });
  const picked = await goods.unchanged(() => decide("approve", second, { freesAllocations: true }));
  assert.equal(picked.status, 409);
  assert.match(picked.body.detail, /4 picked and 0 packed for orders.*reject the difference/);
  assert.equal((await decide("reject", second)).status, 200);
});

test("a difference is not booked twice: a later count replaces it, and an adjustment of the lot forbids approval", async () => {
  await adjust("E", 20);
  const first = await requested({ sku: "E" });
  await report(first, [{ sku: "E", countedQty: 10 }]);
  await report("E-BY-ITSELF", [{ sku: "E", countedQty: 10 }]);
  assert.deepEqual(await goods.stock("E"), ["GOOD 10/0"]);
  assert.deepEqual([(await read(first)).status, (await read(first)).lines[0].state], ["SUPERSEDED", "SUPERSEDED"]);
  const second = await requested({ sku: "E" });
  await report(second, [{ sku: "E", countedQty: 5 }]);
  await adjust("E", -5);
  const refused = await decide("approve", second);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /SKU E: adjusted since the count/);
  assert.equal((await decide("reject", second)).status, 200);
});

test("a report must count each line of its task, and nothing else", async () => {
  await adjust("F", 5);
  await adjust("F", 5, { stockPool: "DEFAULT", condition: "DAMAGED" });
  const countId = await requested({ sku: "F", condition: "DAMAGED" });
  const body = { clientId, countId, lines: [{ sku: "A", countedQty: 1 }] };
  const refused = await goods.unchanged(() => dc1.post("/count/report", body));
  assert.equal(refused.status, 422);
  const errors = refused.body.errors as { pointer: string; message: string }[];
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ["#/lines/0/sku", "#/lines"],
  );
  assert.match(
    errors[0]?.message ?? "",
    /SKU A is not part of count .* \(SKU F, DAMAGED\); report it under another countId/,
  );
  assert.match(
    errors[1]?.message ?? "",
    /line 1 of count .* \(SKU F, DAMAGED\) is missing; send its countedQty, 0 where/,
  );
  const same = await create({ sku: "F", condition: "DAMAGED" });
  assert.equal(same.status, 409);
  assert.match(same.body.detail, /is open since/);
  const cancelled = await decide("cancel", countId, { reason: "not needed" });
  assert.deepEqual([cancelled.body.status, cancelled.body.endReason], ["CANCELLED", "not needed"]);
  assert.notEqual((await taskOf(countId)).withdrawnAt, null);
  assert.match(await dc1.refuse("count", { ...body, lines: [{ sku: "F", countedQty: 5 }] }, 409), /was cancelled/);
  assert.equal((await decide("cancel", countId)).status, 409);
});

test("a pool is counted lot by lot; an unknown SKU, pool, facility or lot is refused with its field", async () => {
  const countId = await requested({ stockPool: "DEFAULT" });
  const skus = (await taskOf(countId)).lines.map(({ sku }) => sku);
  assert.ok(skus.includes("A") && skus.includes("BATCH"));
  await decide("cancel", countId);
  const pointersOf = async (body: object) => {
    const { status, body: problem } = await create(body);
    assert.equal(status, 422, JSON.stringify(problem));
    return (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer);
  };
  assert.deepEqual(await pointersOf({}), ["#/sku"]);
  assert.deepEqual(await pointersOf({ batchRef: "B1", stockPool: "DEFAULT" }), ["#/sku"]);
  assert.deepEqual(await pointersOf({ sku: "NONE" }), ["#/sku"]);
  assert.deepEqual(await pointersOf({ sku: "A", stockPool: "NONE" }), ["#/stockPool"]);
  assert.deepEqual(await pointersOf({ stockPool: "DEFAULT", condition: "QUARANTINE" }), ["#/stockPool"]);
  assert.deepEqual(await pointersOf({ sku: "A", distributionCentre: "DC9" }), ["#/distributionCentre"]);
  assert.deepEqual(await pointersOf({ sku: "BATCH", condition: "QUARANTINE" }), ["#/batchRef"]);
  // Goods may be where the books have none.
  const empty = await requested({ sku: "BATCH", batchRef: "B9" });
  assert.deepEqual(
    (await taskOf(empty)).lines.map(({ batchRef }) => batchRef),
    ["B9"],
  );
  assert.equal((await report(empty, [{ sku: "BATCH", batchRef: "B9", countedQty: 0 }])).status, "COUNTED");
  const unknown = "00000000-0000-7000-8000-000000000000";
  for (const path of [`/count/approve/${unknown}`, `/count/reject/${unknown}`, `/count/cancel/${unknown}`]) {
    assert.equal((await operator.post(path, {})).status, 404);
  }
  assert.equal((await operator.get(`/count/get/${unknown}?clientId=DEMO`)).status, 404);
});

test("crossdock api createCount asks for a count, and names what it cannot count", async () => {
  const crossdock = commandLine(server);
  const words = ["api", "createCount", "clientId=DEMO", "distributionCentre=DC1"];
  const requested = await crossdock([...words, "sku=A", "isBlind=false", "note=by hand", "--json"]);
  assert.equal(requested.code, 0, requested.stderr);
  const { countId, lines } = JSON.parse(requested.stdout) as { countId: string; lines: unknown[] };
  assert.equal(lines.length, 1);
  const task = await taskOf(countId);
  assert.deepEqual([task.lines[0]?.qty, task.notes], [98, "by hand"]);
  const refusals = [
    [[...words], /name a SKU, or a stockPool/],
    [[...words, "sku=A", "condition=FINE"], /#\/condition /],
    [[...words, "sku=A", "expiryDate=soon"], /#\/expiryDate /],
    [[...words, "sku=A"], /is open since/],
    [["api", "createCount", "clientId=NONE", "distributionCentre=DC1", "sku=A"], /There is no such client/],
  ] as const;
  for (const [command, text] of refusals) {
    const { code, stderr } = await crossdock(command);
    assert.equal(code, 1, stderr);
    assert.match(stderr, text);
  }
  assert.equal((await decide("cancel", countId)).status, 200);
});

test("serial numbers that are missing wait with their names", async () => {
  await adjust("SER", 4, { serials: ["S1", "S2", "S3", "S4"] });
  const countId = await requested({ sku: "SER" });
  const answer = await report(countId, [{ sku: "SER", countedQty: 2, serials: ["S1", "S2"] }]);
  assert.equal(answer.status, "WAITING");
  assert.equal((await decide("approve", countId)).status, 200);
  const rows = await server.rows<{ place: string }>(
    "select serial || ' ' || state as place from stock_serial where sku = 'SER' order by serial",
  );
  assert.deepEqual(
    rows.map(({ place }) => place),
    ["S1 IN_STOCK", "S2 IN_STOCK", "S3 GONE", "S4 GONE"],
  );
});

test("with countShortPicks a short pick asks for a count of its lot, once", async () => {
  await demo.set({ countShortPicks: "true", countToleranceUnits: "5" });
  await adjust("G", 10);
  for (const [orderId, qtyShort] of [
    ["G-1", 2],
    ["G-2", 1],
  ] as const) {
    await demo.accept("NO", order("DEMO", orderId, [{ sku: "G", qty: 2 }], { distributionCentre: "DC1" }));
    await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
    await dc1.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked: 0, qtyShort }] });
  }
  const task = await dc1.task(({ type, lines }) => type === "COUNT" && lines[0]?.sku === "G");
  await goods.outbound("ADJ");
  const counts = (await allTasks(dc1)).filter(({ type, lines }) => type === "COUNT" && lines[0]?.sku === "G");
  assert.equal(counts.length, 1);
  assert.equal((await read(task.objectId)).cause, "SHORT_PICK");
  // One of the three is found.
  const answer = await report(task.objectId, [{ sku: "G", countedQty: 8 }]);
  assert.equal(answer.status, "COUNTED");
  assert.deepEqual(
    (await goods.stock("G")).map((text) => text.split("/")[0]),
    ["GOOD 8"],
  );
  await until("the short pick is no longer an exception", async () => {
    const { items } = (await operator.get("/exception/list?type=SHORT_PICK")).body;
    return items.length === 0;
  });
});

test("with countZeroBalance the last unit that leaves asks for a count of its lot, once", async () => {
  await demo.set({ countZeroBalance: "true" });
  await adjust("Z", 1);
  await adjust("Y", 3);
  for (const sku of ["Z", "Y"]) {
    const orderId = `${sku}-1`;
    await demo.accept("NO", order("DEMO", orderId, [{ sku, qty: 1 }], { distributionCentre: "DC1" }));
    await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
    await dc1.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked: 1 }] });
    const contents = [{ lineNumber: 1, qty: 1 }];
    const packed = await dc1.report("pack", {
      clientId,
      orderId,
      olpns: [{ weight: 1, weightUomCode: "KG", contents }],
    });
    const [parcel] = packed.olpns as readonly { readonly olpnId: string }[];
    await dc1.report("despatch", { olpnIds: [parcel?.olpnId] });
  }
  const task = await dc1.task(({ type, lines }) => type === "COUNT" && lines[0]?.sku === "Z");
  assert.equal((await read(task.objectId)).cause, "ZERO_BALANCE");
  assert.equal((await report(task.objectId, [{ sku: "Z", countedQty: 0 }])).status, "COUNTED");
  // Neither the answer of the count nor a correction of the books asks again.
  const changes = () => server.rows("select from event where topic = 'inventory:changed' and object_id = 'DC1/Z'");
  const before = (await changes()).length;
  await adjust("Z", 1);
  await adjust("Z", -1);
  await until("the correction is published", async () => (await changes()).length > before);
  await goods.outbound("ADJ");
  const counted = (await allTasks(dc1)).flatMap(({ type, lines }) => (type === "COUNT" ? [lines[0]?.sku] : []));
  assert.deepEqual(
    ["Z", "Y"].map((sku) => counted.filter((found) => found === sku).length),
    [1, 0],
  );
});

test("with countAbc each SKU in stock is counted at the interval of its class, and not while a count is open", async () => {
  const life = await lifeOf(server, dc1, "ABC", { items: ["FAST", "SLOW", "NONE"] });
  await life.stock([
    { sku: "FAST", qty: 9 },
    { sku: "SLOW", qty: 9 },
  ]);
  await life.place("FAST-1", [{ sku: "FAST", qty: 1 }]);
  await life.pick("FAST-1", 1);
  const [facility] = await server.rows<{ timezone: string }>(
    "select timezone from facility where facility_code = 'DC1'",
  );
  /** A moment of a day, in the facility's time. */
  const localHour = (days: number, hour: number): Clock => {
    const at = Temporal.Instant.fromEpochMilliseconds(inDays(days).now());
    const local = at.toZonedDateTimeISO(facility?.timezone ?? "UTC").with({ hour, minute: 30 });
    return { now: () => local.epochMilliseconds };
  };
  /** The ABC counts that a night asks for. */
  const night = async (days: number, hour = 2) => {
    const known = new Set((await allTasks(dc1)).map(({ taskId }) => taskId));
    await runJob(server, "abc-counts", localHour(days, hour));
    return (await allTasks(dc1)).filter((task) => task.type === "COUNT" && !known.has(task.taskId));
  };
  const skusOf = (tasks: Awaited<ReturnType<typeof night>>) => tasks.map(({ lines }) => lines[0]?.sku);
  assert.deepEqual(skusOf(await night(0)), [], "the setting is off");
  await life.client.set({ countAbc: "true" });
  assert.deepEqual(skusOf(await night(0)), [], "the stock is seen for the first time");
  assert.deepEqual(skusOf(await night(29)), []);
  assert.deepEqual(skusOf(await night(31, 12)), [], "it is day at the facility");
  const [task] = await night(31);
  assert.deepEqual([task?.clientId, task?.lines.length, task?.lines[0]?.sku], ["ABC", 1, "FAST"]);
  const countId = task?.objectId ?? "";
  const [count] = await server.rows<{ cause: string; sku: string; requested_by: string }>(
    "select cause, sku, requested_by from stock_count where client_id = 'ABC' and count_id = $1",
    countId,
  );
  assert.deepEqual(count, { cause: "ABC", sku: "FAST", requested_by: "worker" });
  assert.deepEqual(skusOf(await night(32)), [], "the count is open");
  await dc1.report("count", { clientId: "ABC", countId, lines: [{ sku: "FAST", countedQty: 8 }] });
  // The report is of today, so the next interval begins today.
  assert.deepEqual(skusOf(await night(29)), []);
  // A count that the warehouse makes by itself begins an interval too.
  await server.rows(
    "update stock_last_count set counted_at = counted_at - interval '1 year' where sku = 'SLOW' returning 1",
  );
  await dc1.report("count", { clientId: "ABC", countId: "BY-ITSELF", lines: [{ sku: "SLOW", countedQty: 9 }] });
  assert.deepEqual(skusOf(await night(31)), ["FAST"]);
});

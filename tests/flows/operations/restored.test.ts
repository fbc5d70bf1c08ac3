// operations.md §3, CROSSDOCK_RESTORED: what is blocked after a restore, how it is released, and which numbers are
// skipped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStock } from "#/modules/inventory/index.ts";
import { taskCursor } from "#/modules/warehouse/tasks/list-contract.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { clearOfMidnight } from "../../support/app/midnight.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { runJob } from "../../support/builders/goods.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { allTasks, warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

const restoredTo = "2026-11-21T03:00:00.000Z";
const billion = 1_000_000_000;

// The statements of a facility's midnight would take numbers in the middle of the tests.
await clearOfMidnight("Europe/London");
// The first node started before an operator declared the database restored; it obeys all the same.
const server = await testServer();
const demo = await server.onboard("DEMO");
const handleReport = await webhookDesk(server, demo);
const receiver = await startReceiver();
atEnd(() => receiver.close());
const admin = await signIn(server, "admin");
const viewer = await signIn(server, "viewer");
const dc1 = await warehouseOf(server);
await demo.accept("CAT", catalogue("DEMO", ["A"]));
await dc1.report("adjustment", {
  clientId: "DEMO",
  adjustmentId: "OPENING",
  reasonCode: "INITIAL",
  lines: [{ sku: "A", qty: 100 }],
});
await handleReport.create({ url: receiver.url, topicName: "order:*" });
const toDc1 = { distributionCentre: "DC1" };
await demo.accept("NO", order("DEMO", "BEFORE", ["A"], toDc1));
await dc1.task(({ objectId }) => objectId === "BEFORE");
await until("the pushes of the first order", async () => receiver.requests.length >= 2);
// Quantity events follow ten seconds after a change. They are published now, so that none comes in the middle of the
// tests.
await runJob(server, "stock-changes", { now: () => Date.now() + 11_000 });
await until(
  "all is published",
  async () => (await server.rows("select from outbox where state = 'PENDING' limit 1")).length === 0,
);
const before = { pushes: receiver.requests.length, lane: await lane(), cursors: await cursors() };

interface Lane {
  readonly last_position: number;
  readonly outbound_position: number;
  readonly sequence_base: number;
}

async function lane(): Promise<Lane> {
  const [row] = await server.rows<Lane>(
    "select last_position, outbound_position, sequence_base from outbox_lane where client_id = 'DEMO' limit 1",
  );
  assert.ok(row);
  return row;
}

/** The position of a reader of each change feed. */
async function cursors() {
  const token = await accessTokenOf(server.url, demo.credentials.oauth);
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) =>
    ((await (await fetch(`${server.url}${path}`, { headers })).json()) as { nextCursor: string }).nextCursor;
  return {
    events: await read("/v1/webhookService/event/list?limit=500"),
    movements: await read("/v1/inventoryService/movement/list?distributionCentre=DC1&limit=500"),
    tasks: (await dc1.get("/task/list?limit=500")).body.nextCursor as string,
  };
}

async function eventsBehind(cursor: string): Promise<{ objectId: string; type: string; sequence: number }[]> {
  const token = await accessTokenOf(server.url, demo.credentials.oauth);
  const response = await fetch(`${server.url}/v1/webhookService/event/list?limit=500&cursor=${cursor}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { items: { objectId: string; type: string; sequence: number }[] }).items;
}

const serials = async () =>
  (
    await server.rows<{ next_serial: number }>("select next_serial from sscc_counter where company_prefix = '0614141'")
  )[0]?.next_serial ?? 0;

const state = async () => (await admin.get("/restore/get")).body;

test("two nodes that start after a restore pause all work once, and skip numbers once", async () => {
  const serialsBefore = await serials();
  const nodes = await Promise.all(
    [1, 2].map(() => server.startNode({ CROSSDOCK_RESTORED: "2026-11-21T04:00:00+01:00" })),
  );
  for (const node of nodes) atEnd(() => node.stop());
  const { waiting, holds } = await state();
  assert.deepEqual(waiting, ["DELIVERIES", "ALLOCATION", "TASKS"]);
  assert.deepEqual(
    holds.map((hold: { restoredTo: string; part: string }) => [hold.restoredTo, hold.part]),
    ["ALLOCATION", "DELIVERIES", "TASKS"].map((part) => [restoredTo, part]),
  );
  const now = await lane();
  assert.deepEqual(now, {
    last_position: before.lane.last_position + billion,
    outbound_position: before.lane.outbound_position + billion,
    sequence_base: 1_000_000,
  });
  // A twentieth of the ten thousand million numbers of a prefix of seven digits.
  assert.equal((await serials()) - serialsBefore, 500_000_000);
  for (const { url } of [server, ...nodes])
    await until("a node that is ready", async () => (await fetch(`${url}/readyz`)).status === 200);
});

test("documents are accepted and acknowledged without further processing on any node", async () => {
  // Running nodes notice the restore within a second, or more on a busy machine; from then on they hand out no tasks.
  await until("the first node to know of it", async () => (await allTasks(dc1)).length === 0);
  await demo.accept("NO", order("DEMO", "WAITS", ["A"], toDc1));
  await sleep(2_500);
  assert.equal((await demo.order("WAITS"))?.status, "RECEIVED");
  assert.equal(receiver.requests.length, before.pushes);
  assert.deepEqual(await eventsBehind(before.cursors.events), []);
  assert.deepEqual(await allTasks(dc1), []);
  const outbound = (await (await demo.request("/feeds/DEMO/outbound")).json()) as { items: unknown[] };
  assert.deepEqual(outbound.items, []);
});

test("a reader of tasks keeps its place while they wait", async () => {
  const { body } = await dc1.get(`/task/list?cursor=${before.cursors.tasks}`);
  assert.deepEqual(body, { items: [], nextCursor: before.cursors.tasks });
});

test("only an admin releases, part by part, and it is in the audit log", async () => {
  assert.equal((await viewer.get("/restore/get")).status, 200);
  assert.equal((await viewer.post("/restore/release", { parts: ["TASKS"] })).status, 403);
  assert.equal((await admin.post("/restore/release", { parts: [] })).status, 400);
  const { status, body } = await admin.post("/restore/release", { parts: ["ALLOCATION"] });
  assert.deepEqual([status, body.waiting], [200, ["DELIVERIES", "TASKS"]]);
  await until("the order has its stock", async () => (await demo.order("WAITS"))?.status === "ALLOCATED");
  await sleep(1_000);
  assert.equal(receiver.requests.length, before.pushes, "deliveries still wait");
  assert.deepEqual(await allTasks(dc1), [], "tasks still wait");
  const entries = await server.rows<{ actor: string; object_id: string; detail: unknown }>(
    "select actor, object_id, detail from audit_log where client_id = '' and object_type = 'restore'",
  );
  assert.deepEqual(entries, [
    { actor: `user:${admin.userName}`, object_id: restoredTo, detail: { parts: ["ALLOCATION"] } },
  ]);
});

test("released deliveries leave in order, with sequence numbers above all that were sent for the object", async () => {
  await admin.post("/restore/release", { parts: ["DELIVERIES"] });
  await until("the pushes of the order that waited", async () => receiver.requests.length >= before.pushes + 2);
  const bodies = receiver.requests
    .slice(before.pushes)
    .map(({ body }) => JSON.parse(body.toString()) as { type: string; objectId: string; sequence: number });
  assert.equal(bodies[0]?.type, "order:received");
  const numbers = bodies.map(({ sequence }) => sequence);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.ok(
    numbers.every((sequence) => sequence > 1_000_000),
    numbers.join(),
  );
});

test("released tasks have positions after every cursor that a warehouse may have", async () => {
  await admin.post("/restore/release", { parts: ["TASKS"] });
  await dc1.task(({ objectId }) => objectId === "WAITS");
  // A reader may have reached this position in the period that the restore lost.
  const [reached] = await server.rows<{ position: string }>(
    "select max(position) + 900000000 as position from warehouse_task where object_id = 'BEFORE'",
  );
  const { body } = await dc1.get(`/task/list?cursor=${taskCursor.encode({ p: Number(reached?.position) })}`);
  assert.deepEqual(tasksOf(body), ["WAITS"]);
  const { body: behind } = await dc1.get(`/task/list?cursor=${before.cursors.tasks}`);
  assert.deepEqual(tasksOf(behind), ["WAITS"]);
});

const tasksOf = (body: Record<string, unknown>) =>
  (body.items as { objectId: string }[]).map(({ objectId }) => objectId);

test("the readers of events and movements miss nothing, and the stock is sound", async () => {
  const events = await eventsBehind(before.cursors.events);
  assert.deepEqual([events[0]?.type, events[0]?.objectId], ["order:received", "WAITS"]);
  assert.ok(events.some(({ objectId, type }) => objectId === "WAITS" && type === "order:allocated"));
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "LATER",
    reasonCode: "FOUND",
    lines: [{ sku: "A", qty: 1 }],
  });
  const token = await accessTokenOf(server.url, demo.credentials.oauth);
  const movements = (await (
    await fetch(
      `${server.url}/v1/inventoryService/movement/list?distributionCentre=DC1&limit=500&cursor=${before.cursors.movements}`,
      { headers: { authorization: `Bearer ${token}` } },
    )
  ).json()) as { items: { position: number }[] };
  assert.ok(movements.items.length >= 2);
  assert.ok(movements.items.every(({ position }) => position > 10_000_000));
  assert.deepEqual(await server.database.transaction((tx) => checkStock(tx.of("DEMO"))), []);
});

test("a restart with the variable still set changes nothing; another moment is another restore", async () => {
  const leftOut = async () => Math.floor((await lane()).last_position / billion);
  const again = await server.startNode({ CROSSDOCK_RESTORED: restoredTo });
  await again.stop();
  assert.equal(await leftOut(), 1);
  assert.deepEqual((await state()).waiting, []);
  assert.ok(server.logged.some((line) => line.includes("names a restore that was released")));
  const other = await server.startNode({ CROSSDOCK_RESTORED: "2026-11-22T03:00:00Z" });
  await other.stop();
  assert.equal((await state()).waiting.length, 3);
  assert.equal(await leftOut(), 2);
  const { body } = await admin.post("/restore/release", { parts: ["DELIVERIES", "ALLOCATION", "TASKS"] });
  assert.deepEqual(body.waiting, []);
});

test("'true' is named by the database itself: reported twice it is one restore", async () => {
  for (let i = 0; i < 2; i++) await (await server.startNode({ CROSSDOCK_RESTORED: "true" })).stop();
  const { holds } = await state();
  const names = new Set(holds.map(({ restoredTo: name }: { restoredTo: string }) => name));
  assert.equal(names.size, 3);
  assert.ok([...names].some((name) => /^cluster \d+, timeline \d+, database \d+$/.test(String(name))));
  await admin.post("/restore/release", { parts: ["DELIVERIES", "ALLOCATION", "TASKS"] });
});

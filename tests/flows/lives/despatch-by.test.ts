// rest.md §4, despatchBy of the order; webhooks.md §3, order:atRisk; warehouse.md, dueAt of a task.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stockJobs } from "#/app/roles/stock-jobs.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { nextCutOff, weekdays } from "#/kernel/values/working-calendar.ts";
import { changeFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { publishOrdersAtRisk } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, type Parts } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");

const timezone = "Europe/London";
const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: timezone });

/** A cut-off on every day, the given number of hours ahead: none passes while the tests run. */
function cutOffIn(hours: number) {
  const now = Date.now();
  const cutOffTime = clock.format(now + hours * hourMs);
  const at = nextCutOff({ timezone, cutOffTime, operatingDays: weekdays, holidays: [] }, new Date(now).toISOString());
  assert.ok(at);
  return { at, setting: `cutOffTime=${cutOffTime}` };
}

const [soon, late] = [cutOffIn(6), cutOffIn(10)];

/**
 * Hours from now to the given number of hours before a moment; a cut-off is an hour nearer where the clock shows its
 * time twice.
 */
const hoursTo = (moment: string, before: number) => (Date.parse(moment) - Date.now()) / hourMs - before;

async function set(code: string, ...assignments: string[]): Promise<void> {
  const settings = readFacilitySettings(assignments);
  assert.ok(settings.ok, settings.ok ? "" : settings.fault.join());
  const changed = await server.operate((tx, change) => changeFacility(tx, change, code, { settings: settings.value }));
  assert.ok(changed.ok, changed.ok ? "" : changed.fault);
}

await set("DC1", soon.setting, "operatingDays=MON-SUN");
await set("DC2", late.setting, "operatingDays=MON-SUN");

const toDc2: Parts = { distributionCentre: "DC2" };
const despatchBy = async (life: Life, orderId: string) => (await life.client.order(orderId))?.despatchBy;
const risksOf = async (life: Life, orderId: string) =>
  (await life.signals(orderId)).filter((topic) => topic === "order:atRisk").length;

test("an order is due at the cut-off of the facility that it was routed to, in the record, the list and the task", async () => {
  const life = await lifeOf(server, dc1, "DUE");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.place("1", ["A"]);
  await life.place("2", ["A"], toDc2);
  await life.place("3", ["A"], {});
  assert.deepEqual(
    [await despatchBy(life, "1"), await despatchBy(life, "2"), await despatchBy(life, "3")],
    [soon.at, late.at, soon.at],
  );
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { body } = await call("GET", "/order/list");
  assert.deepEqual(
    (body.items as { despatchBy: string }[]).map((item) => item.despatchBy),
    [soon.at, late.at, soon.at],
  );
  assert.equal((await life.task("PICK", "1"))?.dueAt, soon.at);
});

test("a cut-off that was changed counts for orders that come then, and without one there is no moment", async () => {
  const life = await lifeOf(server, dc1, "CHANGED");
  await life.place("1", ["A"]);
  await set("DC1", "cutOffTime=");
  await life.place("2", ["A"]);
  const holiday = calendar.format(Date.parse(soon.at));
  await set("DC1", soon.setting, `holidays=${holiday}`);
  await life.place("3", ["A"]);
  await set("DC1", "holidays=");
  const [first, second, third] = [
    await despatchBy(life, "1"),
    await despatchBy(life, "2"),
    await despatchBy(life, "3"),
  ];
  assert.deepEqual([first, second], [soon.at, null]);
  // The next day, by a clock that may have changed in the night.
  const days = (Date.parse(String(third)) - Date.parse(soon.at)) / (24 * hourMs);
  assert.ok(days > 0.9 && days < 1.1, String(third));
});

test("an UPDATE keeps the moment, and one that moves the order gives it that of the other facility", async () => {
  const life = await lifeOf(server, dc1, "MOVED");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.stock([{ sku: "A", qty: 5 }], dc2);
  await life.place("1", ["A"]);
  await set("DC1", late.setting);
  await life.update("1", [{ sku: "A", qty: 2 }]);
  await set("DC1", soon.setting);
  assert.equal(await despatchBy(life, "1"), soon.at);
  await life.update("1", [{ sku: "A", qty: 2 }], toDc2);
  assert.equal(await despatchBy(life, "1"), late.at);
  assert.equal((await life.task("PICK", "1", dc2))?.dueAt, late.at);
});

test("an order is at risk an hour before, once; after it went to another facility it may be again", async () => {
  const life = await lifeOf(server, dc1, "RISK");
  await life.place("1", ["A"]);
  await life.after(hoursTo(soon.at, 2), publishOrdersAtRisk);
  assert.equal(await risksOf(life, "1"), 0);
  await life.after(hoursTo(soon.at, 0.9), publishOrdersAtRisk);
  await life.after(hoursTo(soon.at, 0.5), publishOrdersAtRisk);
  assert.equal(await risksOf(life, "1"), 1);
  await life.update("1", ["A"], toDc2);
  await life.after(hoursTo(late.at, 2), publishOrdersAtRisk);
  assert.equal(await risksOf(life, "1"), 1);
  await life.after(hoursTo(late.at, 0.5), publishOrdersAtRisk);
  assert.equal(await risksOf(life, "1"), 2);
});

test("held orders are at risk, despatched and cancelled ones are not", async () => {
  const life = await lifeOf(server, dc1, "SAFE");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.place("HELD", ["A"], { distributionCentre: "DC1", doNotShip: "1" });
  await life.ship("GONE", "A", 1);
  await life.place("CANCELLED", ["A"]);
  await life.cancel("CANCELLED");
  await life.after(hoursTo(soon.at, 0.5), publishOrdersAtRisk);
  assert.deepEqual(
    [await risksOf(life, "HELD"), await risksOf(life, "GONE"), await risksOf(life, "CANCELLED")],
    [1, 0, 0],
  );
});

test("a parked order is due by when it was accepted, not by when it came", async () => {
  const life = await lifeOf(server, dc1, "PARKED", { settings: { parkUnknownSkus: "true" } });
  const { token } = await life.client.send("NO", order("PARKED", "1", ["LATER"], { distributionCentre: "DC1" }));
  assert.equal((await life.client.status(token)).state, "PARKED");
  await server.rows(
    "update feed_document set received_at = received_at - interval '3 days' where client_id = 'PARKED' and token = $1",
    token,
  );
  await life.client.accept("CAT", catalogue("PARKED", ["LATER"]));
  await life.client.becomes(token, "PROCESSED");
  assert.equal(await despatchBy(life, "1"), soon.at);
});

test("the worker has the job that reports orders at risk", async () => {
  const life = await lifeOf(server, dc1, "WORKER");
  await life.place("1", ["A"]);
  const log = createLogger({ level: "error", format: "json", destination: process.stderr });
  const jobs = stockJobs({
    database: server.database,
    clock: { now: () => Date.parse(soon.at) - 0.5 * hourMs },
    ids: createIds(systemClock),
    log,
    onCommit() {},
  });
  const job = jobs.find(({ name }) => name === "orders-at-risk");
  assert.ok(job && job.everyMs <= 60_000);
  await job.run();
  assert.equal(await risksOf(life, "1"), 1);
});

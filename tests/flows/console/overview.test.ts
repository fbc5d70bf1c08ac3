// The figures of the console's overview over HTTP (lifecycle.md §1, operations.md §5) equal the contents of the lists
// they link to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openCursor } from "#/delivery/webhooks/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { nextCutOff, weekdays } from "#/kernel/values/working-calendar.ts";
import { changeFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { clearOfMidnight } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { documentOf, order } from "../../support/builders/documents.ts";
import { lifeOf, withLots } from "../../support/builders/life.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { holdOpen } from "../../support/webhooks/webhook-world.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

// A failed delivery must still wait for its retry when the file ends: after the last attempt it no longer counts as
// waiting.
const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,3600" });
const dc1 = await warehouseOf(server);

const timezone = "Europe/London";
await clearOfMidnight(timezone);
const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", minute: "2-digit" });

/**
 * The cut-off is an hour and a half ahead, on every day, by the clock of London; later where its clock shows that time
 * twice.
 */
function chooseCutOff(minutes = 90): Date {
  const at = new Date(Math.ceil(Date.now() / 60_000 + minutes) * 60_000);
  const calendar = { timezone, cutOffTime: clock.format(at), operatingDays: weekdays, holidays: [] };
  return nextCutOff(calendar, new Date().toISOString()) === at.toISOString() ? at : chooseCutOff(minutes + 30);
}
const cutOffAt = chooseCutOff();
const settings = readFacilitySettings([`cutOffTime=${clock.format(cutOffAt)}`, "operatingDays=MON-SUN"]);
assert.ok(settings.ok);
const changed = await server.operate((tx, change) => changeFacility(tx, change, "DC1", { settings: settings.value }));
assert.ok(changed.ok);

const demo = await lifeOf(server, dc1, "DEMO", { items: ["A", "B", "C", withLots("LOT", { CaptureExpiry: "true" })] });
const acme = await lifeOf(server, dc1, "ACME", { items: ["A"] });
const anna = await signIn(server, "viewer");
const ofAcme = await signIn(server, "viewer", { clientIds: ["ACME"] });
const ofDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });

await demo.stock([{ sku: "A", qty: 50 }]);
await acme.stock([{ sku: "A", qty: 5 }]);
await demo.place("NEW-1", [{ sku: "A", qty: 1 }]);
await demo.place("NEW-2", [{ sku: "A", qty: 1 }]);
await demo.place("WAITS", [{ sku: "B", qty: 3 }]);
await demo.place("PARTLY", [
  { sku: "A", qty: 1 },
  { sku: "C", qty: 1 },
]);
await demo.place("PICKED", [{ sku: "A", qty: 2 }]);
await demo.pick("PICKED", 1);
await demo.place("PACKED", [{ sku: "A", qty: 1 }]);
await demo.pick("PACKED", 1);
await demo.pack("PACKED", 1);
await demo.ship("GONE", "A", 1);
const [moving = ""] = await demo.ship("MOVING", "A", 1);
const [arrived = ""] = await demo.ship("ARRIVED", "A", 1);
await acme.place("NEW-1", [{ sku: "A", qty: 1 }]);
const tell = (olpnId: string, eventCode: number) =>
  dc1.report("carrierEvent", { olpnId, eventCode, occurredAt: new Date().toISOString() });
await tell(moving, 120);
await tell(arrived, 120);
await tell(arrived, 200);
await demo.quiet();

interface Stage {
  readonly stage: string;
  readonly statuses: readonly string[];
  readonly count: number;
  readonly oldestSeconds: number | null;
  readonly medianSeconds: number | null;
  readonly ages: readonly { readonly count: number }[];
  readonly atRisk: number;
  readonly late: number;
}

async function read<T>(path: string, who = anna): Promise<T> {
  const { status, body } = await who.get(`/overview/${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

/** The number of rows of a list, over all its pages. */
async function rowsOf(path: string): Promise<number> {
  let rows = 0;
  for (let cursor = ""; ; ) {
    const { status, body } = await anna.get(`${path}&limit=3${cursor}`);
    assert.equal(status, 200, JSON.stringify(body));
    rows += body.items.length;
    if (body.nextCursor === null) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

/** The stages with a count above zero, as `PICKING 1`. */
async function stagesOf(path = "flow", who = anna): Promise<string[]> {
  const { stages } = await read<{ stages: Stage[] }>(path, who);
  return stages.filter(({ count }) => count > 0).map(({ stage, count }) => `${stage} ${count}`);
}

test("each order is at one stage, and a carrier's first word tells what is on its way from what has left", async () => {
  assert.deepEqual(await stagesOf("flow?clientId=DEMO"), [
    ...["BACKORDERED 2", "ALLOCATED 2", "PICKING 1", "PACKED 1", "DESPATCHED 1", "IN_TRANSIT 1", "DELIVERED_TODAY 1"],
  ]);
  const flow = await read<{ open: number; stages: Stage[] }>("flow?clientId=DEMO");
  assert.equal(flow.open, 6);
  assert.equal(flow.stages.length, 10);
  for (const { count, ages, oldestSeconds, medianSeconds } of flow.stages) {
    assert.equal(
      ages.reduce((sum, age) => sum + age.count, 0),
      count,
    );
    assert.equal(oldestSeconds === null, count === 0);
    assert.ok((medianSeconds ?? 0) <= (oldestSeconds ?? 0) && (oldestSeconds ?? 0) < 600);
  }
  assert.deepEqual(flow.stages.find(({ stage }) => stage === "BACKORDERED")?.statuses, [
    "BACKORDERED",
    "PARTIALLY_ALLOCATED",
  ]);
});

test("users see the figures of their limits and filters", async () => {
  assert.ok((await stagesOf()).includes("ALLOCATED 3"), "of all clients");
  assert.deepEqual(await stagesOf("flow", ofAcme), ["ALLOCATED 1"]);
  assert.deepEqual(await stagesOf("flow", ofDc2), []);
  assert.deepEqual(await stagesOf("flow?distributionCentre=DC2"), []);
  assert.equal((await ofAcme.get("/overview/flow?clientId=DEMO")).status, 403);
  assert.equal((await anna.get("/overview/flow?unknown=1")).status, 400);
});

test("what is due within the hour is at risk, and what was due before is late", async () => {
  await server.rows("update sales_order set despatch_by = now() + interval '30 minutes' where client_id = 'ACME'");
  await until("it is at risk", async () => (await read<{ atRisk: number }>("flow?clientId=ACME")).atRisk === 1);
  await server.rows("update sales_order set despatch_by = now() - interval '1 minute' where client_id = 'ACME'");
  await until("it is late", async () => (await read<{ late: number }>("flow?clientId=ACME")).late === 1);
  const { stages, atRisk } = await read<{ stages: Stage[]; atRisk: number }>("flow?clientId=ACME");
  assert.equal(atRisk, 0);
  assert.equal(stages.find(({ stage }) => stage === "ALLOCATED")?.late, 1);
  assert.equal(await rowsOf("/order/list?isLate=true&clientId=ACME"), 1);
  assert.equal(await rowsOf("/order/list?isAtRisk=true&clientId=ACME"), 0);
});

test("the board compares orders due by the next cut-off with despatched ones", async () => {
  interface Board {
    readonly waiting: number;
    readonly packed: number;
    readonly done: number;
    readonly atRisk: number;
    readonly late: number;
  }
  interface Facility extends Board {
    readonly distributionCentre: string;
    readonly cutOffAt: string;
    readonly cutOffTime: string;
    readonly minutesLeft: number;
    readonly carriers: readonly (Board & { readonly carrierCode: string | null })[];
  }
  const minutesUntil = () => (cutOffAt.getTime() - Date.now()) / 60_000;
  const most = minutesUntil();
  const { items } = await read<{ items: Facility[] }>("cutOff?clientId=DEMO");
  const [board, ...others] = items;
  assert.ok(board);
  assert.deepEqual(others, [], "DC2 has no cut-off");
  assert.deepEqual(
    [board.distributionCentre, board.cutOffTime, board.cutOffAt],
    ["DC1", clock.format(cutOffAt), cutOffAt.toISOString()],
  );
  assert.ok(board.minutesLeft >= minutesUntil() - 1 && board.minutesLeft <= most, `${board.minutesLeft} of ${most}`);
  assert.deepEqual([board.waiting, board.packed, board.done, board.atRisk, board.late], [5, 1, 3, 0, 0]);
  const unknown = board.carriers.find(({ carrierCode }) => carrierCode === null);
  assert.deepEqual([unknown?.waiting, unknown?.packed, unknown?.done], [5, 0, 0], "no carrier is chosen yet");
  assert.equal(
    board.carriers.reduce((sum, { done }) => sum + done, 0),
    3,
  );
  const late = await read<{ items: Facility[] }>("cutOff?clientId=ACME");
  assert.deepEqual([late.items[0]?.waiting, late.items[0]?.late], [1, 1]);
  assert.deepEqual((await read<{ items: Facility[] }>("cutOff?distributionCentre=DC2")).items, []);
});

test("documents are counted minute by minute, and the figures grow while others look", async () => {
  interface Rates {
    readonly from: string;
    readonly to: string;
    readonly stepSeconds: number;
    readonly accepted: number;
    readonly rejected: number;
    readonly items: readonly { readonly feedType: string; readonly accepted: number; readonly rejected: number }[];
  }
  const before = await read<Rates>("feeds?clientId=ACME");
  assert.deepEqual([before.stepSeconds, before.accepted, before.rejected], [60, 2, 0]);
  assert.equal(Date.parse(before.to) - Date.parse(before.from), 3_600_000);
  await acme.client.send("NO", documentOf("orderRequest", { orderId: "X", clientId: "ACME" }));
  await acme.client.accept("NO", order("ACME", "NEW-2", ["A"]));
  await until("both are counted", async () => {
    const { accepted, rejected } = await read<Rates>("feeds?clientId=ACME&minutes=60");
    return accepted === 3 && rejected === 1;
  });
  const { items } = await read<Rates>("feeds?clientId=ACME&minutes=1440");
  assert.deepEqual([...new Set(items.map(({ feedType }) => feedType))].toSorted(), ["CAT", "NO"]);
  assert.equal((await read<Rates>("feeds?minutes=1440")).stepSeconds, 3_600);
  assert.equal((await read<Rates>("feeds?minutes=43200")).stepSeconds, 86_400);
  const past = await read<Rates>("feeds?minutes=30&to=2026-01-02T10:15:00Z");
  assert.deepEqual([past.to, past.items], ["2026-01-02T10:16:00.000Z", []]);
  assert.equal((await anna.get("/overview/feeds?minutes=0")).status, 400);
  assert.equal((await anna.get("/overview/feeds?to=yesterday")).status, 400);
  await until("the order has arrived", async () => (await stagesOf("flow?clientId=ACME")).join() === "ALLOCATED 2");
});

test("the figures of webhooks follow their receivers", async () => {
  interface Health {
    readonly active: number;
    readonly failing: number;
    readonly waiting: number;
    readonly oldestWaitingSeconds: number | null;
    readonly triesLastHour: number;
    readonly takenLastHour: number;
    readonly givenUpLastDay: number;
    readonly troubled: readonly { readonly webhookId: string; readonly host: string }[];
  }
  const none = await read<Health>("webhooks?clientId=DEMO");
  assert.deepEqual([none.active, none.waiting, none.oldestWaitingSeconds, none.troubled], [0, 0, null, []]);
  const receiver = await startReceiver({ answer: { status: 500, body: "closed" } });
  atEnd(() => receiver.close());
  const handleReport = await webhookDesk(server, acme.client);
  const made = await handleReport.create({ url: `${receiver.url}/hook?key=secret` });
  await tellEvents(server, "ACME", ["W-1", "W-2"]);
  await until("deliveries wait", async () => {
    const { waiting, triesLastHour } = await read<Health>("webhooks?clientId=ACME");
    return waiting >= 2 && triesLastHour > 0;
  });
  // Repeated, because the sender writes the subscription's state too, and answers are cached for some seconds.
  const health = await until(
    "it fails",
    async () => {
      await server.rows("update webhook set status = 'FAILING' where webhook_id = $1", made.webhookId);
      const now = await read<Health>("webhooks?clientId=ACME");
      return now.failing === 1 ? now : undefined;
    },
    60_000,
  );
  assert.equal(health.takenLastHour, 0);
  assert.ok((health.oldestWaitingSeconds ?? -1) >= 0);
  assert.deepEqual(
    health.troubled.map(({ webhookId, host }) => [webhookId, host]),
    [[made.webhookId, new URL(receiver.url).host]],
  );
  assert.equal(health.givenUpLastDay, 0);
});

test("the client whose events have waited longest for their deliveries is named, until they have them", async () => {
  interface Behind {
    readonly clientsDelayed: number;
    readonly mostDelayed: { readonly clientId: string; readonly events: number; readonly seconds: number } | null;
  }
  const lock = await holdOpen(server.database, (tx) => openCursor(tx.of("ACME")));
  await tellEvents(server, "ACME", ["W-3", "W-4"]);
  const health = await until(
    "ACME is behind",
    async () => {
      const now = await read<Behind>("webhooks");
      return now.clientsDelayed > 0 ? now : undefined;
    },
    60_000,
  );
  assert.deepEqual([health.clientsDelayed, health.mostDelayed?.clientId], [1, "ACME"]);
  assert.ok((health.mostDelayed?.events ?? 0) >= 2 && (health.mostDelayed?.seconds ?? 0) >= 1);
  const others = await read<Behind>("webhooks?clientId=DEMO");
  assert.deepEqual([others.clientsDelayed, others.mostDelayed], [0, null]);
  await lock.end();
  await until("no client is", async () => (await read<Behind>("webhooks")).mostDelayed === null, 60_000);
});

test("stock that needs attention is counted, and the days of the month are", async () => {
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  await demo.stock([{ sku: "LOT", qty: 4, batchRef: "SOON", expiryDate: inDays(10) }]);
  await demo.stock([{ sku: "LOT", qty: 4, batchRef: "LATER", expiryDate: inDays(200) }]);
  await dc1.report("hold", {
    clientId: "DEMO",
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 3, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
  });
  const stock = await read<Record<string, unknown>>("stock?clientId=DEMO");
  delete stock.asOf;
  assert.deepEqual(stock, {
    backorderedSkus: 2,
    backorderedLines: 2,
    expired: 0,
    expiredAllocated: 0,
    expiring: 1,
    onHold: 1,
    failedChecks: 0,
  });
  const { items } = await read<{ items: Record<string, unknown>[] }>("trends?clientId=DEMO");
  assert.equal(items.length, 30);
  assert.deepEqual([items.at(-1)?.received, items.at(-1)?.despatched, items.at(-1)?.delivered], [9, 3, 1]);
  assert.equal(items[0]?.leadTimeSeconds, null);
});

test("each figure about feeds, deliveries and stock is the number of rows of the list that it opens", async () => {
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  await demo.stock([{ sku: "LOT", qty: 1, batchRef: "OVER", expiryDate: inDays(-500) }]);
  await demo.client.set({ parkUnknownSkus: "true" });
  await demo.client.send("NO", order("DEMO", "PARKED", ["LATER"]));
  const counted: [figure: string, count: number, rows: number][] = [];
  const compare = async (figure: string, count: number, list: string, query: string, scope: string) => {
    counted.push([figure, count, await rowsOf(`${list}?${scope}&${query}`)]);
  };
  for (const scope of ["clientId=DEMO", "clientId=ACME&distributionCentre=DC1", "distributionCentre=DC2"]) {
    const window = `minutes=61&to=${new Date().toISOString()}`;
    const rates = await read<{ from: string; to: string; accepted: number; rejected: number }>(
      `feeds?${scope}&${window}`,
    );
    const within = `receivedFrom=${rates.from}&receivedTo=${rates.to}`;
    await compare("accepted", rates.accepted, "/feed/list", `${within}&outcome=ACCEPTED`, scope);
    await compare("rejected", rates.rejected, "/feed/list", `${within}&outcome=REJECTED`, scope);
  }
  for (const scope of ["clientId=ACME", "clientId=ACME&distributionCentre=DC1"]) {
    const health = await read<{ asOf: string; waiting: number; givenUpLastDay: number }>(`webhooks?${scope}`);
    const since = new Date(Date.parse(health.asOf) - dayMs).toISOString();
    await compare("waiting", health.waiting, "/webhookDelivery/list", "status=WAITING", scope);
    await compare(
      "given up",
      health.givenUpLastDay,
      "/webhookDelivery/list",
      `status=FAILED&endedSince=${since}`,
      scope,
    );
  }
  for (const scope of ["clientId=DEMO", "clientId=DEMO&distributionCentre=DC1", "distributionCentre=DC2"]) {
    const stock = await until("the expired lot is counted", async () => {
      const now = await read<Record<string, number>>(`stock?${scope}`);
      return now.expired === 1 || scope.endsWith("DC2") ? now : undefined;
    });
    await compare("back-ordered", stock.backorderedSkus ?? -1, "/stock/backordered", "", scope);
    await compare("on hold", stock.onHold ?? -1, "/stock/list", "isOnHold=true", scope);
    await compare("expiring", stock.expiring ?? -1, "/stock/expiring", "only=EXPIRING", scope);
    await compare("expired", stock.expired ?? -1, "/stock/expiring", "only=EXPIRED", scope);
    await compare("promised", stock.expiredAllocated ?? -1, "/stock/expiring", "only=EXPIRED_ALLOCATED", scope);
  }
  assert.deepEqual(
    counted.filter(([, count, rows]) => count !== rows),
    [],
  );
  const notNothing = new Set(counted.filter(([, count]) => count > 0).map(([figure]) => figure));
  for (const figure of ["accepted", "rejected", "waiting", "back-ordered", "on hold", "expiring", "expired"])
    assert.ok(notNothing.has(figure), `${figure} of ${[...notNothing].join()}`);
});

test("each figure about orders is the number of rows of the list that it opens", async () => {
  await demo.place("HELD", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: "true" });
  await server.rows(
    `update sales_order set received_at = received_at - case order_id when 'NEW-1' then interval '2 hours'
      when 'NEW-2' then interval '1 hour' else interval '2 days' end
     where client_id = 'DEMO' and order_id in ('NEW-1', 'NEW-2', 'WAITS') returning 1`,
  );
  await server.rows(
    `update sales_order set despatch_by = now() - interval '3 hours'
     where client_id = 'DEMO' and order_id in ('WAITS', 'PACKED', 'HELD') returning 1`,
  );
  await server.rows(
    `update sales_order set despatch_by = now() + interval '50 minutes', carrier_code = 'RM'
     where client_id = 'DEMO' and order_id = 'NEW-1' returning 1`,
  );
  // Answers are cached for some seconds: wait for one that includes the held order.
  const scope = "clientId=DEMO&distributionCentre=DC1";
  await until("the answers are of now", async () => {
    const { late } = await read<{ late: number }>(`flow?${scope}`);
    return late === 3;
  });
  interface Board {
    readonly waiting: number;
    readonly packed: number;
    readonly done: number;
    readonly atRisk: number;
    readonly late: number;
  }
  const flow = await read<{ asOf: string; open: number; atRisk: number; late: number; stages: TimedStage[] }>(
    `flow?${scope}`,
  );
  interface TimedStage extends Stage {
    readonly ages: readonly { readonly underSeconds: number | null; readonly count: number }[];
  }
  const counted: [figure: string, count: number, rows: number][] = [];
  const compare = async (figure: string, count: number, query: string) => {
    counted.push([figure, count, await rowsOf(`/order/list?${scope}&${query}`)]);
  };
  await compare("open", flow.open, "sort=despatchBy");
  await compare("at risk", flow.atRisk, "isAtRisk=true&sort=despatchBy");
  await compare("late", flow.late, "isLate=true&sort=despatchBy");
  await compare("at risk or late", flow.atRisk + flow.late, "isAtRisk=true&isLate=true");
  const beforeAsOf = (seconds: number) => new Date(Date.parse(flow.asOf) - seconds * 1_000).toISOString();
  for (const { stage, count, atRisk, late, ages } of flow.stages) {
    await compare(stage, count, `stage=${stage}`);
    await compare(`${stage} at risk`, atRisk, `stage=${stage}&isAtRisk=true`);
    await compare(`${stage} late`, late, `stage=${stage}&isLate=true&sort=despatchBy`);
    if (stage === "DELIVERED_TODAY") continue;
    for (const [i, { underSeconds, count: ofAge }] of ages.entries()) {
      const over = ages[i - 1]?.underSeconds;
      const from = underSeconds === null ? "" : `&receivedFrom=${beforeAsOf(underSeconds)}`;
      const to = over == null ? "" : `&receivedTo=${beforeAsOf(over)}`;
      await compare(`${stage} of age ${i}`, ofAge, `stage=${stage}${from}${to}`);
    }
  }
  const [board] = (
    await read<{
      items: (Board & {
        readonly cutOffAt: string;
        readonly cutOffBefore: string;
        readonly carriers: readonly (Board & { readonly carrierCode: string | null })[];
      })[];
    }>(`cutOff?${scope}`)
  ).items;
  assert.ok(board);
  const notPacked = ["RECEIVED", "ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED", "PICKING"];
  for (const row of [{ ...board, carrierCode: undefined }, ...board.carriers]) {
    const carrier = row.carrierCode === undefined ? "" : `&leavesWith=${row.carrierCode ?? "NONE"}`;
    const due = `dueBy=${board.cutOffAt}${carrier}`;
    const name = `cut-off of ${row.carrierCode}`;
    await compare(`${name}, waiting`, row.waiting, `${due}&${notPacked.map((status) => `status=${status}`).join("&")}`);
    await compare(`${name}, packed`, row.packed, `${due}&status=PACKED&sort=despatchBy`);
    await compare(`${name}, at risk`, row.atRisk, `${due}&isAtRisk=true`);
    await compare(`${name}, late`, row.late, `${due}&isLate=true&sort=despatchBy`);
    const left = `dueAt=${board.cutOffAt}&leftSince=${board.cutOffBefore}${carrier}`;
    await compare(`${name}, gone`, row.done, `${left}&status=DESPATCHED&status=DELIVERED&status=RETURNED_TO_SENDER`);
  }
  const codes = board.carriers.map(({ carrierCode }) => carrierCode ?? "NONE");
  assert.ok(codes.length > 1 && codes.includes("NONE"), "several carriers, and orders without one");
  const ofAll = codes.map((code) => `leavesWith=${code}`).join("&");
  await compare("cut-off of all its carriers", board.late, `dueBy=${board.cutOffAt}&${ofAll}&isLate=true`);
  const { items: days } = await read<{
    items: { day: string; received: number; despatched: number; delivered: number }[];
  }>(`trends?${scope}`);
  for (const { day, received, despatched, delivered } of days.slice(-4)) {
    await compare(`received on ${day}`, received, `receivedOn=${day}`);
    await compare(`despatched on ${day}`, despatched, `despatchedFrom=${day}&despatchedTo=${day}`);
    await compare(`delivered on ${day}`, delivered, `deliveredOn=${day}`);
  }
  assert.deepEqual(
    counted.filter(([, count, rows]) => count !== rows),
    [],
  );
  const notNothing = counted.filter(([, count]) => count > 0).map(([figure]) => figure);
  for (const figure of ["at risk", "late", "ON_HOLD late", "IN_TRANSIT", "DELIVERED_TODAY", "cut-off of RM, at risk"]) {
    assert.ok(notNothing.includes(figure), `${figure} of ${notNothing.join()}`);
  }
  assert.ok(notNothing.some((figure) => figure.endsWith("gone")) && notNothing.length > 30, notNothing.join());

  // Exceptions list each order once: a late order under its hold or its missing stock, if it has one.
  const { types } = (await anna.get(`/exception/summary?${scope}`)).body as {
    types: { type: string; count: number }[];
  };
  const exceptions = (type: string) => types.find((entry) => entry.type === type)?.count;
  const lateOf = (stage: string) => flow.stages.find((entry) => entry.stage === stage)?.late ?? 0;
  assert.equal(exceptions("ORDER_AT_RISK"), flow.atRisk);
  assert.equal(exceptions("ORDER_LATE"), flow.late - lateOf("ON_HOLD") - lateOf("BACKORDERED"));
  assert.equal(exceptions("ORDER_HELD"), await rowsOf(`/order/list?${scope}&isHeld=true`));
});

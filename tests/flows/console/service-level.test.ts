// The service level of a client: its orders against their despatch times, and why some were late.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { restateAll } from "#/modules/activity/index.ts";
import { holdOrder } from "#/modules/orders/index.ts";
import { signIn } from "../../support/app/console.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { assertActivity, assertServiceLevel } from "../../support/oracles/activity.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const port = await warehouseOf(server);
const acme = await lifeOf(server, port, "ACME", { items: ["MUG", "TEAPOT"] });
await clearOfMidnight("Europe/London");
await acme.stock([{ sku: "MUG", qty: 40 }]);

const daysAgo = (days: number) => dateIn("Europe/London", -days);

/** Moves an order: received some days ago, and due some hours from now. */
async function move(orderId: string, days: number, dueInHours: number | null): Promise<void> {
  const due = dueInHours === null ? null : new Date(Date.now() + dueInHours * hourMs).toISOString();
  const text = `update sales_order set received_at = received_at - $2::integer * interval '1 day',
    despatch_by = $3::timestamptz where client_id = 'ACME' and order_id = $1 returning 1`;
  await server.rows(text, orderId, days, due);
}

await acme.ship("IN-TIME", "MUG", 1);
await move("IN-TIME", 2, 1);
await shipInTwo("IN-PARTS");
await move("IN-PARTS", 2, -1);
await acme.place("HELD", [{ sku: "MUG", qty: 1 }]);
await acme.serve((tx, change) =>
  holdOrder(tx.of("ACME", change), { orderId: "HELD", type: "OTHER", reason: "payment under review" }),
);
await move("HELD", 1, -3);
await acme.place("SHORT", [{ sku: "TEAPOT", qty: 1 }]);
await move("SHORT", 1, -2);
await acme.place("OPEN", [{ sku: "MUG", qty: 1 }]);
await move("OPEN", 1, 24);
await acme.place("CANCELLED", [{ sku: "MUG", qty: 1 }]);
await acme.cancel("CANCELLED");
await move("CANCELLED", 1, -5);
await acme.ship("UNTIMED", "MUG", 1);
await move("UNTIMED", 1, null);
await acme.ship("BEFORE", "MUG", 1);
await move("BEFORE", 9, -1);

/** Two parcels: one left two hours ago, the other one now. */
async function shipInTwo(orderId: string): Promise<void> {
  await acme.place(orderId, [{ sku: "MUG", qty: 2 }]);
  await acme.pick(orderId, 2);
  const [first = "", second = ""] = await acme.pack(orderId, 1, 1);
  await acme.despatch(first, second);
  const text = `update parcel set despatched_at = despatched_at - interval '2 hours'
    where client_id = 'ACME' and olpn_id = $1 returning 1`;
  await server.rows(text, first);
}

/** The job does not hear of rows that a test moves. */
async function computeAll(): Promise<void> {
  await server.database.transaction(async (tx) => restateAll(tx.of("ACME")));
  await assertActivity(server.database, "ACME");
}
await computeAll();

const viewer = await signIn(server, "viewer");
const report = (query: string, user = viewer) => user.get(`/overview/serviceLevel?clientId=ACME&${query}`);

test("orders are counted by whether their last parcel left by their despatch time", async () => {
  const { status, body } = await report(`from=${daysAgo(2)}&to=${daysAgo(0)}&by=day`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.total, { received: 7, inTime: 1, late: 1, overdue: 2, open: 1, untimed: 1, cancelled: 1 });
  const days = body.items.map(({ day, received, inTime, late }: Record<string, unknown>) => [
    day,
    received,
    inTime,
    late,
  ]);
  assert.deepEqual(days, [
    [daysAgo(2), 2, 1, 1],
    [daysAgo(1), 5, 0, 0],
  ]);
  const days2 = body.items[0].despatchSeconds / (2 * 86_400);
  assert.ok(Math.abs(days2 - 1) < 0.025, `from receipt to despatch: ${days2} times two days`);
  assert.equal(body.items[0].deliverySeconds, null);
});

test("each late order has its cause, and those that have not left their reason", async () => {
  const { body } = await report(`from=${daysAgo(2)}&to=${daysAgo(0)}`);
  const shown = body.lateOrders.map(({ orderId, cause, leftAt, statusReason }: Record<string, string | null>) => [
    orderId,
    cause,
    leftAt !== null,
    statusReason,
  ]);
  assert.deepEqual(
    shown.map((row: unknown[]) => row.slice(0, 3)),
    [
      ["IN-PARTS", "WAREHOUSE", true],
      ["SHORT", "NO_STOCK", false],
      ["HELD", "HELD", false],
    ],
  );
  assert.match(shown[2][3], /payment under review/);
});

test("weeks begin on Monday, months on their first day, and only the days of the report count", async () => {
  const monday = (day: string) => {
    const at = Date.parse(day);
    return new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);
  };
  const week = (await report(`from=${daysAgo(2)}&to=${daysAgo(2)}&by=week`)).body;
  assert.deepEqual(
    week.items.map(({ day, received }: Record<string, unknown>) => [day, received]),
    [[monday(daysAgo(2)), 2]],
  );
  const month = (await report(`from=${daysAgo(9)}&to=${daysAgo(9)}&by=month`)).body;
  assert.deepEqual(
    month.items.map(({ day, received }: Record<string, unknown>) => [day, received]),
    [[`${daysAgo(9).slice(0, 7)}-01`, 1]],
  );
});

test("a report without a client, over too many days, or of another facility is refused or empty", async () => {
  const days = `from=${daysAgo(2)}&to=${daysAgo(0)}`;
  assert.equal((await viewer.get(`/overview/serviceLevel?${days}`)).status, 400);
  const tooLong = await report(`from=${daysAgo(200)}&to=${daysAgo(0)}`);
  assert.equal(tooLong.status, 400);
  assert.match(tooLong.body.errors[0].message, /at most 93 days/);
  assert.equal((await report(`from=${daysAgo(0)}&to=${daysAgo(2)}`)).status, 400);
  const ofDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });
  assert.equal((await report(days, ofDc2)).body.total.received, 0);
});

test("the latest late orders are listed, those that have left and those that have not, and all are counted", async () => {
  const copy = (orderId: string, days: number) =>
    server.rows(
      `with copied as (
        insert into sales_order select (jsonb_populate_record(o, jsonb_build_object('order_id', o.order_id || '-' || n,
            'received_at', o.received_at - $2::integer * interval '1 day', 'despatch_by', o.despatch_by - n * interval '7 minutes'))).*
          from sales_order o cross join generate_series(1, 210) as n where o.client_id = 'ACME' and o.order_id = $1
          returning order_id)
      insert into parcel select (jsonb_populate_record(p, jsonb_build_object('order_id', c.order_id, 'olpn_id',
          p.olpn_id || c.order_id, 'contents', '[]'::jsonb))).*
        from parcel p cross join copied c where p.client_id = 'ACME' and p.order_id = $1`,
      orderId,
      days,
    );
  await copy("IN-PARTS", 5);
  await copy("SHORT", 6);
  await computeAll();
  await assertServiceLevel(server.database, "ACME");
  const { body } = await report(`from=${daysAgo(20)}&to=${daysAgo(0)}`);
  assert.deepEqual([body.total.late, body.total.overdue, body.lateOrders.length, body.uncomputed], [212, 212, 200, 0]);
});

test("an order that leaves after its day is final is no longer open", async () => {
  await move("OPEN", 80, 24);
  await computeAll();
  const query = `from=${daysAgo(82)}&to=${daysAgo(80)}`;
  const counts = async () => {
    const { received, inTime, open, cancelled } = (await report(query)).body.total;
    return [received, inTime, open, cancelled];
  };
  assert.deepEqual(await counts(), [1, 0, 1, 0]);
  await acme.pick("OPEN", 1);
  await acme.despatch(...(await acme.pack("OPEN", 1)));
  const unpublished = "select from outbox where client_id = 'ACME'";
  await until("the events to be published", async () => (await server.rows(unpublished)).length === 0);
  await assertActivity(server.database, "ACME");
  assert.deepEqual(await counts(), [1, 1, 0, 0]);
});

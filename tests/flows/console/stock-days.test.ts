// The stock of two days side by side, and the ledger between them, as operators see them (contract rest.md §3,
// operator).
import assert from "node:assert/strict";
import { test } from "node:test";
import { takeMidnightSnapshots } from "#/delivery/outbound/index.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { endOfDate } from "#/modules/inventory/snapshots/midnight.ts";
import { signIn } from "../../support/app/console.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { post } from "../../support/builders/stock.ts";

// Without a worker: it would take yesterday's snapshot, and no booking before that midnight is possible after that.
const server = await testServer({ CROSSDOCK_ROLES: "api,feeds,auth,console" });
const zone = "Europe/London";
const demo = await server.onboard("DEMO", {
  facilities: ["DC1", "DC2"],
  settings: { stockPools: "B2B", availablePools: "DEFAULT" },
});
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "D"]));
const anna = await signIn(server, "viewer");
const ofDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });
await clearOfMidnight(zone);

const dateAgo = (days: number) => dateIn(zone, -days);
const bookAt = (date: string, movements: Parameters<typeof post>[2]) =>
  post(server.database, "DEMO", movements, {
    facilityCode: "DC1",
    atMs: Date.parse(endOfDate(zone, date)) - 3_600_000,
  });
const takeMidnight = (date: string) => {
  const atMs = Date.parse(endOfDate(zone, date)) + 20_000;
  return takeMidnightSnapshots({ database: server.database, clock: { now: () => atMs }, ids: createIds() });
};

const [first, second, third] = [9, 6, 3].map(dateAgo) as [string, string, string];
await bookAt(first, [
  { sku: "A", qty: 10_000 },
  { sku: "B", qty: 4000 },
  { sku: "C", qty: 2000 },
]);
await takeMidnight(first);
await bookAt(second, [
  { sku: "A", qty: -3000 },
  { sku: "D", qty: 5000, stockPool: "B2B" },
]);
await bookAt(third, [
  { sku: "A", qty: 3000 },
  { sku: "C", qty: -2000 },
]);
await takeMidnight(third);
// As after a long outage: this day is computed from the ledger.
await server.rows("delete from stock_snapshot where snapshot_date = $1", second);

interface Row {
  readonly sku: string;
  readonly name: string | null;
  readonly before: { readonly onHand: number; readonly available: number };
  readonly after: { readonly onHand: number; readonly available: number };
  readonly onHandChange: number;
}

const pathOf = (of: Readonly<Record<string, string>>, path = "/stock/compare") =>
  `${path}?${new URLSearchParams({ clientId: "DEMO", distributionCentre: "DC1", ...of })}`;
const compare = async (of: Readonly<Record<string, string>>, user = anna) => {
  const { status, body } = await user.get(pathOf(of));
  return { status, body, rows: (body.items ?? []) as Row[] };
};
const short = (rows: readonly Row[]) =>
  rows.map(({ sku, before, after, onHandChange }) => [sku, before.onHand, after.onHand, onHandChange]);

test("two days are compared by SKU, from a snapshot and from the ledger, changed products only", async () => {
  const { status, body, rows } = await compare({ from: first, to: second });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(short(rows), [
    ["A", 10, 7, -3],
    ["D", 0, 5, 5],
  ]);
  assert.deepEqual([rows[0]?.name, rows[1]?.after.available], ["Item A", 0], "the pool of D is not available");
  assert.notEqual(body.from.takenAt, null);
  assert.equal(body.to.takenAt, null);
  // Returned goods are not a difference.
  const whole = await compare({ from: first, to: third });
  assert.deepEqual(short(whole.rows), [
    ["C", 2, 0, -2],
    ["D", 0, 5, 5],
  ]);
});

test("all products are compared on request, page by page", async () => {
  const all: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof compare>> = await compare({
      from: first,
      to: third,
      isAll: "true",
      limit: "1",
      ...(cursor === "" ? {} : { cursor }),
    });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    assert.ok(page.rows.length <= 1);
    all.push(...page.rows);
    cursor = page.body.nextCursor;
  }
  assert.deepEqual(short(all), [
    ["A", 10, 10, 0],
    ["B", 4, 4, 0],
    ["C", 2, 0, -2],
    ["D", 0, 5, 5],
  ]);
  const { body } = await compare({ from: first, to: third, isAll: "true", limit: "1" });
  assert.equal((await compare({ from: second, to: third, cursor: body.nextCursor })).status, 400);
});

test("days in the wrong order, days to come, and places of others are refused", async () => {
  assert.match((await compare({ from: third, to: first })).body.detail, /is not after from/);
  assert.equal((await compare({ from: first, to: dateAgo(0) })).status, 404);
  assert.equal((await compare({ from: first, to: second, distributionCentre: "DC9" })).status, 422);
  assert.equal((await compare({ from: first, to: second, clientId: "OTHER" })).status, 403);
  assert.equal(
    (await compare({ from: first, to: first, clientId: "OTHER" })).status,
    403,
    "before the 400 of its days",
  );
  assert.deepEqual((await compare({ from: first, to: second, distributionCentre: "DC2" })).rows, []);
  assert.equal((await compare({ from: first, to: second }, ofDc2)).status, 403);
});

test("the statement of some days has their entries, with the balance after each", async () => {
  const statement = async (of: Readonly<Record<string, string>>) => {
    const { status, body } = await anna.get(pathOf({ sku: "A", ...of }, "/stock/statement"));
    assert.equal(status, 200, JSON.stringify(body));
    return (body.items as { qty: number; onHandAfter: number }[]).map(({ qty, onHandAfter }) => [qty, onHandAfter]);
  };
  assert.deepEqual(await statement({ from: second, to: second }), [[-3, 7]]);
  assert.deepEqual(await statement({ from: second, to: third }), [
    [3, 10],
    [-3, 7],
  ]);
  assert.deepEqual(await statement({ to: second }), [
    [-3, 7],
    [10, 10],
  ]);
  assert.deepEqual(await statement({ from: third }), [[3, 10]]);
  assert.deepEqual(await statement({ from: dateAgo(2), to: dateAgo(0) }), []);
  const old = await anna.get(pathOf({ sku: "A", from: dateAgo(500) }, "/stock/statement"));
  assert.equal(old.status, 404);
});

// rest.md §3: stock at the midnight that ended any retained day, from its snapshot or from the ledger.
import assert from "node:assert/strict";
import { test } from "node:test";
import { takeMidnightSnapshots } from "#/delivery/outbound/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { endOfDate } from "#/modules/inventory/snapshots/midnight.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { post } from "../../support/builders/stock.ts";
import type { Answer } from "../../support/http/call.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

// Without a worker: it would take yesterday's snapshot, and no booking before that midnight is possible after that.
const server = await testServer({ CROSSDOCK_ROLES: "api,feeds,auth" });
const zone = "Pacific/Auckland";
await server.operate((tx, change) =>
  createFacility(tx, change, { facilityCode: "AKL", name: "Auckland", country: "NZ", timezone: zone }),
);
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2", "AKL"], settings: { stockPools: "B2B" } });
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const rest = restCalls(server.url, "/v1", demo.credentials);
const restOfOther = restCalls(server.url, "/v1", other.credentials);
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C"]));

type Query = Readonly<Record<string, string | number>>;
const query = (of: Query) =>
  new URLSearchParams(Object.entries(of).map(([name, value]) => [name, String(value)])).toString();
const day = (date: string, of: Query = {}, call = rest) =>
  call("GET", `/inventoryService/snapshot/get/${date}?${query({ distributionCentre: "AKL", ...of })}`);
const snapshots = (of: Query = {}, call = rest) =>
  call("GET", `/inventoryService/snapshot/list?${query({ distributionCentre: "AKL", ...of })}`);
const itemsOf = <Item>({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Item[];
};
const cursorOf = ({ body }: Answer) => body.nextCursor as string;
const pointersOf = ({ body }: Answer) => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);

/** A date in Auckland, the given number of days ago. */
function dateAgo(days: number): string {
  return dateIn(zone, -days);
}

/** Does what a worker does at that midnight. */
async function takeMidnight(date: string): Promise<void> {
  const atMs = Date.parse(endOfDate(zone, date)) + 20_000;
  await takeMidnightSnapshots({ database: server.database, clock: { now: () => atMs }, ids: createIds() });
}

/** Books at a local time of a day in Auckland: the given number of hours before its midnight. */
const bookAt = (date: string, hoursBefore: number, movements: Parameters<typeof post>[2]) =>
  post(server.database, "DEMO", movements, {
    facilityCode: "AKL",
    atMs: Date.parse(endOfDate(zone, date)) - hoursBefore * 3_600_000,
  });

interface Row {
  readonly sku: string;
  readonly onHand: number;
  readonly available: number;
  readonly expected: number | null;
}

const [first, second, missed, last] = [9, 8, 7, 6].map(dateAgo) as [string, string, string, string];

test("a day's stock is as of the facility's own midnight, with every quantity", async () => {
  await bookAt(first, 3, [
    { sku: "A", qty: 10_000 },
    { sku: "A", qty: 4000, condition: "QUARANTINE" },
    { sku: "A", qty: 1000, condition: "DAMAGED" },
    { sku: "A", qty: 5000, stockPool: "B2B" },
    { sku: "A", qty: 2000, type: "ALLOCATION", allocatedChange: 2000 },
    { sku: "B", qty: 1500 },
  ]);
  await takeMidnight(first);
  // Within that day, even if the day has only 23 hours.
  await bookAt(second, 22, [
    { sku: "A", qty: -3000, type: "ADJUSTMENT" },
    { sku: "C", qty: 7000 },
  ]);
  await bookAt(second, 0.01, [{ sku: "B", qty: 500 }]);
  await takeMidnight(second);
  await bookAt(missed, 12, [
    { sku: "B", qty: -2000, type: "ADJUSTMENT" },
    { sku: "A", qty: 250, condition: "ON_HOLD" },
  ]);
  await bookAt(last, 12, [{ sku: "C", qty: 1000 }]);
  await takeMidnight(last);
  // The worker has taken it late. Only a day of a longer outage has none.
  await server.rows("delete from stock_snapshot where snapshot_date = $1", missed);
  const { status, body } = await day(first);
  assert.equal(status, 200, JSON.stringify(body));
  const { items, takenAt, ...head } = body;
  assert.deepEqual(head, {
    date: first,
    distributionCentre: "AKL",
    asOf: endOfDate(zone, first),
    position: 6,
    nextCursor: null,
  });
  assert.ok(Date.parse(String(takenAt)) > Date.parse(String(head.asOf)));
  const common = { date: first, distributionCentre: "AKL", expected: 0, inReturn: 0, backordered: 0, uom: "EA" };
  assert.deepEqual(items, [
    {
      ...common,
      sku: "A",
      onHand: 20,
      available: 13,
      allocated: 2,
      onHold: 4,
      damaged: 1,
      unsellable: 5,
      stockPools: [
        { stockPool: "B2B", onHand: 5, available: 5 },
        { stockPool: "DEFAULT", onHand: 15, available: 8 },
      ],
    },
    {
      ...common,
      sku: "B",
      onHand: 1.5,
      available: 1.5,
      allocated: 0,
      onHold: 0,
      damaged: 0,
      unsellable: 0,
      stockPools: [{ stockPool: "DEFAULT", onHand: 1.5, available: 1.5 }],
    },
  ]);
  const shown = async (date: string) => itemsOf<Row>(await day(date)).map(({ sku, onHand }) => `${sku} ${onHand}`);
  assert.deepEqual(await shown(second), ["A 17", "B 2", "C 7"]);
  assert.deepEqual(await shown(last), ["A 17.25", "B 0", "C 8"]);
});

test("a day whose snapshot was missed is worked out from the ledger; what leaves no trace there is null", async () => {
  const { body } = await day(missed);
  assert.deepEqual([body.takenAt, body.position, body.asOf], [null, 11, endOfDate(zone, missed)]);
  const rows = body.items as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ sku, onHand, available, onHold, expected }) => [sku, onHand, available, onHold, expected]),
    [
      ["A", 17.25, 10, 4.25, null],
      ["B", 0, 0, 0, null],
      ["C", 7, 7, 0, null],
    ],
  );
  assert.deepEqual([rows[0]?.inReturn, rows[0]?.backordered, rows[0]?.uom], [null, null, "EA"]);
  // No stock exists before the first entry.
  const before = await day(dateAgo(20));
  assert.deepEqual([itemsOf(before), before.body.position, before.body.takenAt], [[], 0, null]);
  const small = await day(dateAgo(20), { limit: 1 });
  assert.deepEqual([itemsOf(small), small.body.nextCursor], [[], null]);
});

test("worked out or taken, a day is the same in all that has a position", async () => {
  for (const date of [first, second, last]) {
    const taken = itemsOf<Record<string, unknown>>(await day(date));
    await server.rows(
      "update stock_snapshot set kind = 'REQUEST' where client_id = 'DEMO' and facility_code = 'AKL' and snapshot_date = $1",
      date,
    );
    const answer = await day(date);
    assert.equal(answer.body.takenAt, null);
    const worked = itemsOf<Record<string, unknown>>(answer).map(
      (row): Record<string, unknown> => ({ ...row, expected: 0, inReturn: 0, backordered: 0 }),
    );
    assert.deepEqual(
      worked.filter(({ onHand }) => onHand !== 0),
      taken.filter(({ onHand }) => onHand !== 0),
    );
    await server.rows(
      "update stock_snapshot set kind = 'MIDNIGHT' where client_id = 'DEMO' and facility_code = 'AKL' and snapshot_date = $1",
      date,
    );
  }
});

test("`available` counts the pools that the client wants counted", async () => {
  const available = async () => itemsOf<Row>(await day(first)).map((row) => row.available);
  await demo.set({ availablePools: "B2B" });
  assert.deepEqual(await available(), [5, 0]);
  await demo.set({ availablePools: "" });
  assert.deepEqual(await available(), [13, 1.5]);
});

test("a stored or computed day is paged by product while stock moves", async () => {
  for (const date of [second, missed]) {
    const seen: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await day(date, { limit: 1, ...(cursor === null ? {} : { cursor }) });
      seen.push(...itemsOf<Row>(page).map(({ sku, onHand }) => `${sku} ${onHand}`));
      await post(server.database, "DEMO", [{ sku: "A", qty: 1000 }], { facilityCode: "AKL" });
      cursor = page.body.nextCursor as string | null;
      if (cursor === null) break;
    }
    assert.deepEqual(seen, date === second ? ["A 17", "B 2", "C 7"] : ["A 17.25", "B 0", "C 7"]);
  }
});

test("snapshots are listed in the order in which they were taken, by facility and by day", async () => {
  interface Listed {
    readonly date: string;
    readonly distributionCentre: string;
    readonly position: number;
    readonly takenAt: string;
  }
  const until = { to: last };
  const dates = async (of: Query) => itemsOf<Listed>(await snapshots({ ...until, ...of })).map(({ date }) => date);
  assert.deepEqual(await dates({}), [first, second, last]);
  assert.deepEqual(await dates({ sort: "-receivedAt" }), [last, second, first]);
  assert.deepEqual(await dates({ from: second }), [second, last]);
  assert.deepEqual(await dates({ from: missed, to: missed }), []);
  assert.deepEqual(await dates({ distributionCentre: "DC2" }), []);
  const elsewhere = await snapshots({ distributionCentre: "AKX" });
  assert.deepEqual([elsewhere.status, pointersOf(elsewhere)], [422, ["/query/distributionCentre"]]);
  assert.match(String(elsewhere.body.detail), /did you mean AKL\?/);
  const everywhere = await rest("GET", `/inventoryService/snapshot/list?to=${last}`);
  assert.deepEqual(
    itemsOf<Listed>(everywhere).map(({ distributionCentre, date, position }) => [distributionCentre, date, position]),
    [
      ["AKL", first, 6],
      ["AKL", second, 9],
      ["AKL", last, 12],
    ],
  );
  for (const sort of ["receivedAt", "-receivedAt"]) {
    const seen: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await snapshots({ ...until, sort, limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...itemsOf<Listed>(page).map(({ date }) => date));
      cursor = page.body.nextCursor as string | null;
      if (cursor === null) break;
    }
    assert.deepEqual(seen, sort === "receivedAt" ? [first, second, last] : [last, second, first]);
  }
});

test("a day that has not ended, or is not kept any more, is a 404 that says so", async () => {
  await clearOfMidnight(zone, "UTC");
  for (const date of [dateAgo(0), dateAgo(-1), "9998-12-31"]) {
    const answer = await day(date);
    assert.equal(answer.status, 404, date);
    assert.match(String(answer.body.detail), /ends in AKL at .*Pacific\/Auckland/);
  }
  const oldest = new Date(Date.now() - 400 * dayMs).toISOString().slice(0, 10);
  for (const date of [new Date(Date.now() - 402 * dayMs).toISOString().slice(0, 10), "1900-01-01"]) {
    const answer = await day(date);
    assert.equal(answer.status, 404);
    assert.match(String(answer.body.detail), new RegExp(`the oldest is of ${oldest}`));
  }
  assert.equal((await day(oldest)).status, 200);
  assert.equal((await day(dateAgo(1))).status, 200);
});

test("what cannot be a day or a parameter is a 400, an unknown facility a 422", async () => {
  for (const date of ["", "2026-02-30", "today", "20261101", "0000-01-01", "2026-11-01T00:00:00Z", "%00"]) {
    const answer = await day(date);
    assert.equal(answer.status, 400, date);
    assert.ok(pointersOf(answer).includes("/path/date"), date);
  }
  const answer = await day("2026-13-01", { limit: 0, nonsense: 1 });
  assert.deepEqual(pointersOf(answer).sort(), ["/path/date", "/query/limit", "/query/nonsense"]);
  const bare = await rest("GET", `/inventoryService/snapshot/get/${first}`);
  assert.deepEqual([bare.status, pointersOf(bare)], [400, ["/query/distributionCentre"]]);
  const unknown = await day(first, { distributionCentre: "AKX" });
  assert.deepEqual([unknown.status, pointersOf(unknown)], [422, ["/query/distributionCentre"]]);
  assert.match(String(unknown.body.detail), /did you mean AKL/);
  const cursor = cursorOf(await day(second, { limit: 1 }));
  for (const again of [
    day(first, { cursor }),
    day(second, { cursor, distributionCentre: "DC1" }),
    snapshots({ cursor }),
  ]) {
    const refused = await again;
    assert.deepEqual([refused.status, pointersOf(refused)], [400, ["/query/cursor"]]);
  }
  const dates = await snapshots({ from: "x", to: "2026-02-30", sort: "date" });
  assert.deepEqual([dates.status, pointersOf(dates).sort()], [400, ["/query/from", "/query/sort", "/query/to"]]);
});

test("another client sees nothing of the data, and another facility is unknown to it", async () => {
  for (const answer of [await day(first, {}, restOfOther), await snapshots({}, restOfOther)]) {
    assert.deepEqual([answer.status, pointersOf(answer)], [422, ["/query/distributionCentre"]]);
  }
  assert.deepEqual(itemsOf(await day(first, { distributionCentre: "DC1" }, restOfOther)), []);
  assert.deepEqual(itemsOf(await snapshots({ distributionCentre: "DC1" }, restOfOther)), []);
  for (const call of [day, (_: string, of: Query, by: typeof rest) => snapshots(of, by)]) {
    assert.equal((await call(first, { clientId: "DEMO" }, restOfOther)).status, 403);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { takeSnapshot } from "#/modules/inventory/index.ts";
import { type PastDay, readPastDay } from "#/modules/inventory/rest/past-day.ts";
import { endOfDate } from "#/modules/inventory/snapshots/midnight.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { changeAt, insertItems, post, withBook } from "../../../../tests/support/builders/stock.ts";
import { restsLong, testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const zone = "Europe/London";
/** All days count back from one moment, because midnight may pass while the tests run. */
const startMs = Date.now();
const dateAgo = (days: number) => new Date(startMs - days * dayMs).toISOString().slice(0, 10);
const skus = ["A", "B", "C", "D", "E"];

async function newClient(clientId: string): Promise<void> {
  await insertClient(database, { clientId });
  await insertItems(
    database,
    clientId,
    // All lots of B that expire are too near their expiry.
    skus.map((sku) => ({ sku, attributes: sku === "B" ? { MinShelfLifeDays: "9999" } : {} })),
  );
}

async function read(clientId: string, date: string, limit = 500, after = ""): Promise<PastDay> {
  const found = await readPastDay(database, changeAt(), clientId, { facilityCode: "DC1", date, after, limit });
  assert.ok(found.ok, found.ok ? "" : found.fault.detail);
  return found.value;
}

function take(clientId: string, date: string): Promise<unknown> {
  const boundary = endOfDate(zone, date);
  const request = { kind: "MIDNIGHT", snapshotDate: date, boundary, wantsInv: false, wantsIms: false } as const;
  return database.transaction((tx) =>
    takeSnapshot(tx.of(clientId, changeAt(Date.parse(boundary) + 60_000)), "DC1", request),
  );
}

const forget = (clientId: string) =>
  database.query(sql`update stock_snapshot set kind = 'REQUEST' where client_id = ${clientId}`);

/**
 * The day without quantities that have no position, and without empty pools: a snapshot lists some of them, the ledger
 * does not.
 */
function comparable({ end: { asOf, position }, skus }: PastDay) {
  const rows = skus.map(({ sku, uom, pools }) => ({
    sku,
    uom,
    pools: pools.filter(({ onHand, allocated }) => onHand !== 0 || allocated !== 0),
  }));
  return { asOf, position, rows: rows.filter(({ pools }) => pools.length > 0) };
}

test("after random days, each computed day equals its snapshot", async () => {
  await newClient("PAST");
  let state = 42;
  const pick = <T>(of: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return of[(state >>> 8) % of.length] as T;
  };
  const days = [12, 11, 10, 9, 8, 7];
  // Goods that expire on one of the days are on hold from the next day on.
  const expiries = ["infinity", dateAgo(10), dateAgo(9), "2031-01-01"];
  for (const ago of days) {
    const date = dateAgo(ago);
    for (let hoursBefore = 20; hoursBefore > 0; hoursBefore -= 4) {
      const sku = pick(skus);
      const lot = { sku, stockPool: pick(["DEFAULT", "B2B"]), expiryDate: pick(expiries) };
      const qty = pick([500, 1000, 2500]);
      await post(
        database,
        "PAST",
        [
          { ...lot, qty: 3 * qty },
          { ...lot, qty: -qty, type: "HOLD" },
          { ...lot, qty, type: "HOLD", condition: pick(["ON_HOLD", "DAMAGED", "QUARANTINE"]) },
          { ...lot, qty, type: "ALLOCATION", allocatedChange: qty },
          ...(pick([true, false]) ? [{ ...lot, qty: -qty, type: "DESPATCH", allocatedChange: -qty } as const] : []),
        ],
        { atMs: Date.parse(endOfDate(zone, date)) - hoursBefore * 3_600_000 },
      );
    }
    await take("PAST", date);
  }
  const taken = await Promise.all(days.map((ago) => read("PAST", dateAgo(ago))));
  assert.ok(taken.every(({ end }) => end.snapshot !== undefined));
  await forget("PAST");
  for (const [i, ago] of days.entries()) {
    const worked = await read("PAST", dateAgo(ago));
    assert.equal(worked.end.snapshot, undefined);
    assert.deepEqual(comparable(worked), comparable(taken[i] as PastDay), dateAgo(ago));
  }
  assert.ok(taken.some(({ skus }) => skus.some(({ pools }) => pools.some(({ onHold }) => onHold > 0))));
});

test("a product is listed from the day on which it first moved", async () => {
  await newClient("FIRST");
  const book = (ago: number, sku: string, qty: number) =>
    post(database, "FIRST", [{ sku, qty }], { atMs: Date.parse(endOfDate(zone, dateAgo(ago))) - 3_600_000 });
  await book(9, "A", 1000);
  await book(8, "B", 1000);
  await book(7, "B", -1000);
  await book(6, "C", 1000);
  const listed = async (ago: number) =>
    (await read("FIRST", dateAgo(ago))).skus.map(({ sku, pools }) => [sku, pools.length]);
  assert.deepEqual(await listed(10), []);
  assert.deepEqual(await listed(9), [["A", 1]]);
  assert.deepEqual(await listed(7), [
    ["A", 1],
    ["B", 0],
  ]);
  const pages: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: PastDay = await read("FIRST", dateAgo(6), 1, after);
    assert.ok(page.skus.length <= 1);
    pages.push(...page.skus.map(({ sku }) => sku));
    after = page.nextAfter;
  }
  assert.deepEqual(pages, ["A", "B", "C"]);
});

test("no entry is booked into a reported day, even without its snapshot", async () => {
  await newClient("SEAL");
  const date = dateAgo(5);
  const midnightMs = Date.parse(endOfDate(zone, date));
  await post(database, "SEAL", [{ sku: "A", qty: 1000 }], { atMs: midnightMs - 7_200_000 });
  const first = await read("SEAL", date);
  // The transaction began before midnight and gets the book only now.
  await withBook(database, "SEAL", async (_, book) => assert.equal(Date.parse(book.at), midnightMs), {
    atMs: midnightMs - 1_000,
  });
  await post(database, "SEAL", [{ sku: "A", qty: 5000 }], { atMs: midnightMs - 1_000 });
  assert.deepEqual(await read("SEAL", date), first);
  assert.equal((await read("SEAL", dateAgo(4))).end.position, 2);
});

test("a day that cannot be closed because its book is locked must be requested again", async () => {
  await newClient("HELD");
  const date = dateAgo(5);
  await post(database, "HELD", [{ sku: "A", qty: 1000 }], { atMs: Date.parse(endOfDate(zone, date)) - 7_200_000 });
  await withBook(database, "HELD", async (tx) => {
    tx.send(restsLong);
    await assert.rejects(read("HELD", date), StoreUnavailableError);
  });
  assert.equal((await read("HELD", date)).end.position, 1);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { setChannels } from "#/delivery/outbound/channel-service.ts";
import { requestStatement, takeMidnightSnapshots } from "#/delivery/outbound/snapshots.ts";
import { partId, partRowsMax, partsOf, writeSnapshots } from "#/delivery/outbound/statement-writer.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds, isUuidV7 } from "#/kernel/values/ids.ts";
import { lastMidnight, lotOf, type Movement, openBook, postMovements } from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { insertItems } from "../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";
import { assertBalanced, onHandOf, readParts } from "../../../tests/support/postgres/statements.ts";

const { database } = await testDatabase();
const nowMs = Date.now();
const ids = createIds();
const clock = { now: () => nowMs };
/** Without a time budget: one run does all the work. */
const job = { database, clock, ids };
const iso = (ms: number) => new Date(ms).toISOString();

const receipt = (sku: string, qty: number, more: Partial<Movement> = {}): Movement => ({
  type: "RECEIPT",
  sku,
  condition: "GOOD",
  qty: qty * 1000,
  referenceType: "receipt",
  referenceId: "R-1",
  ...lotOf({}),
  ...more,
});

function post(clientId: string, facilityCode: string, at: string, movements: readonly Movement[]): Promise<void> {
  return database.transaction(async (tx) => {
    const book = await openBook(tx.of(clientId), facilityCode, at);
    postMovements(tx.of(book.clientId), book, createIds(), movements);
  });
}

async function request(clientId: string, type: "INV" | "IMS", facilityCode = "DC1"): Promise<string> {
  const change: Change = { actor: `client:${clientId}`, origin: "test", at: iso(nowMs), ids };
  const requested = await database.transaction((tx) => requestStatement(tx.of(clientId, change), facilityCode, type));
  assert.ok(requested.ok, requested.ok ? "" : requested.fault);
  return requested.value;
}

test("a requested snapshot has the stock, and its statement every movement since the beginning", async () => {
  const { clientId } = await insertClient(database, { clientId: "ASKS" });
  await insertItems(database, clientId, [{ sku: "A" }, { sku: "B" }]);
  const lot = lotOf({ stockPool: "OUTLET", batchRef: "L1", expiryDate: "2999-12-31" });
  await post(clientId, "DC1", iso(nowMs), [
    receipt("A", 10),
    receipt("A", 2.5, lot),
    receipt("B", 4, { condition: "DAMAGED" }),
    receipt("A", -1, { type: "HOLD" }),
    receipt("A", 1, { type: "HOLD", condition: "ON_HOLD" }),
    receipt("A", 3, { type: "ALLOCATION", allocatedChange: 3_000 }),
  ]);
  const promised = await request(clientId, "INV");
  assert.equal(await writeSnapshots(job), 2);
  const inv = await readParts(database, clientId, "INV");
  assert.deepEqual(
    inv.map(({ messageId }) => messageId),
    [promised],
  );
  assert.deepEqual(
    inv[0]?.items.map(({ sku, stockPool, onHand, allocated, onHold, damaged, available }) => [
      ...[sku, stockPool, onHand, allocated, onHold, damaged, available],
    ]),
    [
      ["A", "DEFAULT", "10", "3", "1", "0", "6"],
      ["A", "OUTLET", "2.5", "0", "0", "0", "2.5"],
      ["B", "DEFAULT", "4", "0", "0", "4", "0"],
    ],
  );
  const ims = await readParts(database, clientId, "IMS");
  assert.deepEqual([ims[0]?.fields.fromPosition, ims[0]?.fields.toPosition], ["0", inv[0]?.fields.position]);
  assert.deepEqual(assertBalanced(ims), onHandOf(inv));
  const types = ims.flatMap(({ items }) => items.flatMap(({ movements = [] }) => movements.map(({ type }) => type)));
  assert.deepEqual(types.toSorted(), ["HOLD", "HOLD", "RECEIPT", "RECEIPT", "RECEIPT"], "reservations are left out");
});

test("statements follow on each other: from snapshot to snapshot, and on request from the last INV", async () => {
  const { clientId } = await insertClient(database, { clientId: "CHAIN" });
  await post(clientId, "DC1", iso(nowMs), [receipt("A", 10), receipt("GONE", 5)]);
  await request(clientId, "INV");
  await writeSnapshots(job);
  await post(clientId, "DC1", iso(nowMs), [receipt("A", 1), receipt("GONE", -5, { type: "ADJUSTMENT" })]);
  const onRequest = await request(clientId, "IMS");
  await writeSnapshots(job);
  await post(clientId, "DC1", iso(nowMs), [receipt("A", -2, { type: "DESPATCH" }), receipt("NEW", 3)]);
  await request(clientId, "INV");
  await writeSnapshots(job);

  const [first, second] = await readParts(database, clientId, "INV");
  const [opening, middle, closing] = await readParts(database, clientId, "IMS");
  assert.ok(first && second && opening && middle && closing);
  assert.equal(middle.messageId, onRequest);
  const between = (part: typeof middle) => [part.fields.fromPosition, part.fields.toPosition];
  assert.deepEqual(between(opening), ["0", first.fields.position]);
  assert.deepEqual(between(middle), [first.fields.position, "4"]);
  assert.deepEqual(
    between(closing),
    [first.fields.position, second.fields.position],
    "the requested one is not an INV",
  );
  assert.deepEqual(Object.fromEntries(assertBalanced([opening])), { A: 10, GONE: 5 });
  assert.deepEqual(Object.fromEntries(assertBalanced([middle])), { A: 11, GONE: 0 });
  assert.deepEqual(Object.fromEntries(assertBalanced([closing])), { A: 9, GONE: 0, NEW: 3 });
  assert.deepEqual(Object.fromEntries(onHandOf([second])), { A: 9, GONE: 0, NEW: 3 });
});

test("a facility without any stock has a snapshot and a statement without rows", async () => {
  const { clientId } = await insertClient(database, { clientId: "EMPTY" });
  await request(clientId, "INV", "DC2");
  assert.equal(await writeSnapshots(job), 2);
  const parts = [...(await readParts(database, clientId, "INV")), ...(await readParts(database, clientId, "IMS"))];
  assert.deepEqual(
    parts.map(({ fields, items }) => [fields.distributionCentre, fields.part, fields.parts, items.length]),
    [
      ["DC2", "1", "1", 0],
      ["DC2", "1", "1", 0],
    ],
  );
});

test("the stock at the facility's midnight is reported once", async () => {
  const zones = { DC1: "Europe/London", AKL: "Pacific/Auckland", LAX: "America/Los_Angeles" };
  const { clientId } = await insertClient(database, { clientId: "NIGHT", facilities: Object.keys(zones) });
  for (const [code, zone] of Object.entries(zones)) {
    await database.query(sql`update facility set timezone = ${zone} where facility_code = ${code}`);
    const midnight = lastMidnight(zone, nowMs);
    await post(clientId, code, iso(Date.parse(midnight.at) - 1), [receipt("A", 7)]);
    await post(clientId, code, midnight.at, [receipt("A", 100)]);
  }
  await insertClient(database, { clientId: "NOTHING", facilities: ["DC1"] });
  assert.ok((await takeMidnightSnapshots(job)) >= 3);
  assert.equal(await takeMidnightSnapshots(job), 0);
  await writeSnapshots(job);
  const inv = await readParts(database, clientId, "INV");
  assert.deepEqual(
    inv
      .map(({ fields, items }) => [fields.distributionCentre, fields.snapshotDate, items.map((item) => item.onHand)])
      .sort(),
    Object.entries(zones)
      .map(([code, zone]) => [code, lastMidnight(zone, nowMs).endedDate, ["7"]])
      .sort(),
  );
  for (const part of await readParts(database, clientId, "IMS")) assertBalanced([part]);
  assert.deepEqual(await readParts(database, "NOTHING", "INV"), [], "a client without stock gets nothing");
});

/** Fails when the n-th document is stored, like a worker that is killed there. */
function failingAt(n: number): Database {
  let stored = 0;
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        const counted: Transaction = {
          ...tx,
          send(statement) {
            if (statement.text.includes("insert into outbound_document") && ++stored === n) throw new Error("killed");
            tx.send(statement);
          },
        };
        return work(counted);
      }, options),
  };
}

test("the parts of a large snapshot are each written once, also after a worker is killed", async () => {
  const { clientId } = await insertClient(database, { clientId: "LARGE" });
  const busy = Array.from({ length: partRowsMax + 500 }, () => receipt("BUSY", 0.001));
  const single = Array.from({ length: partRowsMax }, (_, i) => receipt(`S-${i}`, i + 1));
  const all = [...busy, ...single];
  for (let i = 0; i < all.length; i += 5_000) await post(clientId, "DC1", iso(nowMs), all.slice(i, i + 5_000));
  await database.transaction(async (tx) => {
    const push = { url: "https://example.com/inv", headers: {}, isSecretNew: false };
    const channels = { types: ["INV"] as const, isHttp: true, isSftp: false, push };
    const world = { allowsPlainHttp: false, refusalOfUrl: () => undefined };
    const change = { actor: "test", origin: "test", at: iso(nowMs), ids };
    assert.ok(
      (await setChannels(tx.of(clientId, change), channels, { secretBox: createSecretBox("x".repeat(32)), world })).ok,
    );
  });
  const promised = await request(clientId, "INV");
  for (const n of [2, 3, 1]) {
    await assert.rejects(writeSnapshots({ ...job, database: failingAt(n) }), AggregateError);
  }
  while ((await writeSnapshots({ ...job, budgetMs: 0 })) > 0);
  const inv = await readParts(database, clientId, "INV");
  const ims = await readParts(database, clientId, "IMS");
  for (const [parts, rows] of [
    [inv, single.length + 1],
    [ims, all.length],
  ] as const) {
    const expected = partsOf(rows);
    assert.deepEqual(
      parts.map(({ fields }) => [fields.part, fields.parts]),
      Array.from({ length: expected }, (_, i) => [String(i + 1), String(expected)]),
    );
  }
  assert.equal(inv[0]?.messageId, promised);
  const pushed = await database.query<{ event_id: string; is_due: boolean }>(
    sql`select event_id, due_at is not null as is_due from webhook_delivery where client_id = ${clientId}
      order by event_position`,
  );
  assert.deepEqual(
    pushed.map(({ event_id, is_due }) => [event_id, is_due]),
    inv.map(({ messageId }, i) => [messageId, i === 0]),
    "each part is pushed once, behind the one before",
  );
  const closings = assertBalanced(ims);
  assert.equal(closings.size, single.length + 1);
  assert.equal(closings.get("BUSY"), 10.5);
  assert.deepEqual(onHandOf(inv), new Map([...closings].sort()));
  for (const { items } of ims) {
    const rows = items.reduce((sum, { movements = [] }) => sum + movements.length, 0);
    assert.ok(rows <= partRowsMax);
  }
});

test("a client with ten waiting snapshots cannot request another", async () => {
  const { clientId } = await insertClient(database, { clientId: "EAGER" });
  for (let i = 0; i < 10; i++) await request(clientId, "IMS");
  await assert.rejects(request(clientId, "INV"), /10 snapshots of client EAGER wait to be written/);
  await writeSnapshots(job);
  await request(clientId, "INV");
});

test("identifiers of parts follow from the first one, and are different", () => {
  const first = "019a4c2e-8f00-7abc-8def-ffffffffffff";
  assert.equal(partId(first, 1), first);
  assert.equal(partId(first, 2), "019a4c2e-8f00-7abc-8def-000000000000");
  assert.equal(partId(first, 258), "019a4c2e-8f00-7abc-8def-000000000100");
  assert.ok(isUuidV7(partId(ids.next(nowMs), 1_000)));
  assert.deepEqual([0, 1, partRowsMax, partRowsMax + 1].map(partsOf), [1, 1, 1, 2]);
});

test("a midnight that no worker saw is reported late, with its date and its stock", async () => {
  const zone = "Europe/Paris";
  const { clientId } = await insertClient(database, { clientId: "LATE", facilities: ["DC2"] });
  await database.query(sql`update facility set timezone = ${zone} where facility_code = 'DC2'`);
  const midnights = [lastMidnight(zone, nowMs)];
  for (let i = 0; i < 3; i++) midnights.unshift(lastMidnight(zone, Date.parse(midnights[0]?.at as string) - 1));
  const [seen, ...missed] = midnights.map(({ at }) => Date.parse(at)) as [number, number, number, number];
  await post(clientId, "DC2", iso(seen - 1), [receipt("A", 1)]);
  await takeMidnightSnapshots({ ...job, clock: { now: () => seen + 60_000 } });
  for (const [i, midnight] of missed.entries())
    await post(clientId, "DC2", iso(midnight - 1), [receipt("A", 10 ** (i + 1))]);
  await post(clientId, "DC2", iso(nowMs), [receipt("A", 10_000)]);
  await takeMidnightSnapshots(job);
  await writeSnapshots(job);
  const inv = await readParts(database, clientId, "INV");
  assert.deepEqual(
    inv.map(({ fields, items }) => [fields.snapshotDate, items.map((item) => item.onHand)]),
    midnights.map(({ endedDate }, i) => [endedDate, [["1"], ["11"], ["111"], ["1111"]][i]]),
  );
  const closings = (await readParts(database, clientId, "IMS")).map((part) => assertBalanced([part]).get("A"));
  assert.deepEqual(closings, [1, 11, 111, 1_111]);
  assert.equal(await takeMidnightSnapshots(job), 0);
});

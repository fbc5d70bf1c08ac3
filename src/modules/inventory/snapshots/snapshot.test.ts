import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findOnHand,
  listMovementsBetween,
  listSnapshotRows,
  listUnwrittenSnapshots,
  markSnapshotWritten,
  readQuantities,
  type SnapshotRequest,
  takeSnapshot,
} from "#/modules/inventory/index.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { changeAt, hold, insertItems, post, withBook } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const nowMs = Date.now();
const today = new Date(nowMs).toISOString().slice(0, 10);

let clients = 0;
async function newClient(): Promise<string> {
  const { clientId } = await insertClient(database, { clientId: `SNAP${++clients}` });
  await insertItems(database, clientId, [
    { sku: "A" },
    { sku: "B" },
    { sku: "C" },
    { sku: "FRESH", attributes: { MinShelfLifeDays: "30" } },
  ]);
  return clientId;
}

const snap = (clientId: string, request: Partial<SnapshotRequest> = {}) =>
  database.transaction((tx) =>
    takeSnapshot(tx.of(clientId, changeAt()), "DC1", {
      kind: "REQUEST",
      snapshotDate: today,
      wantsInv: true,
      wantsIms: true,
      ...request,
    }),
  );

async function rowsOf(clientId: string, snapshotId: string): Promise<string[]> {
  const rows = await listSnapshotRows(database.of(clientId), snapshotId, undefined, 100);
  return rows.map(({ sku, stockPool, onHand, allocated, onHold, damaged, available }) =>
    [sku, stockPool, ...[onHand, allocated, onHold, damaged, available].map((qty) => qty / 1000)].join(" "),
  );
}

/** Fails unless opening + movements = closing for every SKU; returns the sums. */
async function bridge(clientId: string, snapshotId: string): Promise<string[]> {
  const view = database.of(clientId);
  const [head] = await database.query<{ position: number; previous_id: string | null }>(
    sql`select position, previous_id from stock_snapshot where client_id = ${clientId} and snapshot_id = ${snapshotId}`,
  );
  const [previous] = await database.query<{ position: number }>(
    sql`select position from stock_snapshot where client_id = ${clientId} and snapshot_id = ${head?.previous_id}`,
  );
  const movements = await listMovementsBetween(
    view,
    "DC1",
    previous?.position ?? 0,
    head?.position ?? 0,
    undefined,
    10_000,
  );
  const rows = await database.query<{ sku: string }>(
    sql`select distinct sku from stock_snapshot_row where client_id = ${clientId}
        and snapshot_id in (${snapshotId}, ${head?.previous_id}) order by sku`,
  );
  const skus = rows.map(({ sku }) => sku);
  const closings = await findOnHand(view, snapshotId, skus);
  const openings = head?.previous_id ? await findOnHand(view, head.previous_id, skus) : new Map<string, number>();
  return skus.map((sku) => {
    const [opening, closing] = [openings.get(sku) ?? 0, closings.get(sku) ?? 0];
    const moved = movements.filter((movement) => movement.sku === sku).reduce((sum, { qty }) => sum + qty, 0);
    assert.equal(opening + moved, closing, sku);
    return `${sku} ${opening / 1000} ${moved / 1000} ${closing / 1000}`;
  });
}

test("a snapshot has the quantities at its position, equal to those of the services", async () => {
  const clientId = await newClient();
  const view = database.of(clientId);
  await post(database, clientId, [
    { sku: "A", qty: 10_000 },
    { sku: "A", qty: 3000, condition: "QUARANTINE" },
    { sku: "A", qty: 2000, condition: "DAMAGED" },
    { sku: "A", qty: 4000, expiryDate: "2020-01-01" },
    { sku: "B", qty: 1000, stockPool: "B2B" },
    { sku: "FRESH", qty: 5000, expiryDate: today },
    { sku: "FRESH", qty: 2000 },
  ]);
  await hold(database, clientId, { sku: "A", allocated: 6000 }, 20_000);
  const taken = await snap(clientId);
  assert(taken);
  assert.equal(taken.position, 8);
  assert.deepEqual(await rowsOf(clientId, taken.snapshotId), [
    "A DEFAULT 19 6 7 2 4",
    "B B2B 1 0 0 0 1",
    "FRESH DEFAULT 7 0 0 0 2",
  ]);
  const quantities = await readQuantities(view, "DC1", ["A", "B", "C"], today);
  const [row] = await listSnapshotRows(view, taken.snapshotId, undefined, 1);
  assert(row);
  const { sku, stockPool, uom, ...quantity } = row;
  assert.deepEqual(quantities.get("A")?.total, quantity);
  assert.deepEqual([sku, stockPool, uom], ["A", "DEFAULT", "EA"]);
  assert.equal(quantities.get("C")?.total.onHand, 0);
  assert.equal((await rowsOf(clientId, taken.snapshotId)).length, 3);
});

test("expected, inReturn and backordered come from open documents of the facility only", async () => {
  const clientId = await newClient();
  const view = database.of(clientId);
  await post(database, clientId, [{ sku: "A", qty: 1000 }]);
  const token = "00000000-0000-7000-8000-000000000000";
  await database.transaction(async (tx) => {
    for (const [po, status, facility] of [
      ["P1", "OPEN", "DC1"],
      ["P2", "CLOSED", "DC1"],
      ["P3", "RECEIVING", "DC2"],
    ]) {
      tx.send(sql`insert into purchase_order (client_id, po_number, vendor_order_id, status, distribution_centre, feed_token,
          received_at, updated_at) values (${clientId}, ${po}, '', ${status}, ${facility}, ${token}, ${today}, ${today})`);
      tx.send(sql`insert into purchase_order_line (client_id, po_number, vendor_order_id, line_number, sku, qty, feed_qty,
          qty_received) values (${clientId}, ${po}, '', 1, 'A', 10, 10, 3), (${clientId}, ${po}, '', 2, 'A', 10, 10, 12)`);
    }
    tx.send(sql`insert into return_authorisation (client_id, rma_number, status, distribution_centre, feed_token, received_at,
        updated_at) values (${clientId}, 'R1', 'AUTHORISED', 'DC1', ${token}, ${today}, ${today})`);
    tx.send(sql`insert into return_authorisation_line (client_id, rma_number, line_number, sku, qty_expected, qty_received,
        feed_qty) values (${clientId}, 'R1', 1, 'A', 5, 1, 5)`);
    tx.send(sql`insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, qty_ordered,
        qty_open, qty_backordered, facility_code) values (${clientId}, 'O1', 1, 'A', 'B2B', 'EA', 6, 6, 0, 6, 'DC1')`);
  });
  const quantities = (await readQuantities(view, "DC1", ["A"], today)).get("A");
  assert.deepEqual(
    [quantities?.total.expected, quantities?.total.inReturn, quantities?.total.backordered],
    [7000, 4000, 6000],
  );
  assert.deepEqual(
    quantities?.pools.map((pool) => [pool.stockPool, pool.quantities.backordered, pool.quantities.expected]),
    [
      ["B2B", 6000, 0],
      ["DEFAULT", 0, 7000],
    ],
  );
  const taken = await snap(clientId);
  const rows = await listSnapshotRows(view, taken?.snapshotId ?? "", undefined, 10);
  assert.deepEqual(
    rows.map(({ stockPool, expected, inReturn, backordered }) => [stockPool, expected, inReturn, backordered]),
    [
      ["B2B", 0, 0, 6000],
      ["DEFAULT", 7000, 4000, 0],
    ],
  );
});

test("an entry after midnight is not in the midnight snapshot, even when the snapshot is taken later", async () => {
  const clientId = await newClient();
  const midnightMs = nowMs - 60_000;
  const midnight = new Date(midnightMs).toISOString();
  await post(database, clientId, [{ sku: "A", qty: 5000 }], { atMs: midnightMs - 1 });
  await post(
    database,
    clientId,
    [
      { sku: "A", qty: -2000, type: "ADJUSTMENT" },
      { sku: "B", qty: 1000 },
    ],
    {
      atMs: midnightMs,
    },
  );
  const taken = await snap(clientId, { kind: "MIDNIGHT", boundary: midnight });
  assert(taken);
  assert.equal(taken.position, 1);
  assert.deepEqual(
    (await rowsOf(clientId, taken.snapshotId)).filter((row) => !row.includes(" 0 0 0 0 0")),
    ["A DEFAULT 5 0 0 0 5"],
  );
  assert.equal(await snap(clientId, { kind: "MIDNIGHT", boundary: midnight }), undefined);
});

test("a transaction that began before midnight cannot book into the day that was reported", async () => {
  const clientId = await newClient();
  const midnightMs = nowMs - 30_000;
  await post(database, clientId, [{ sku: "A", qty: 5000 }], { atMs: midnightMs - 5_000 });
  const taken = await snap(clientId, { kind: "MIDNIGHT", boundary: new Date(midnightMs).toISOString() });
  await withBook(database, clientId, async (_, book) => assert(Date.parse(book.at) >= midnightMs), {
    atMs: midnightMs - 1_000,
  });
  assert.equal(taken?.position, 1);
});

test("opening + movements = closing, from snapshot to snapshot, with stock moving all the while", async () => {
  const clientId = await newClient();
  let isMoving = true;
  let hasMoved = 0;
  const movers = ["A", "B", "C"].map(async (sku) => {
    for (let i = 0; isMoving; i++) {
      if (i === 1) hasMoved++;
      await post(database, clientId, [
        { sku, qty: 3000 },
        { sku, qty: -1000, type: "HOLD" },
        { sku, qty: 1000, type: "HOLD", condition: "ON_HOLD" },
        { sku, qty: 500, type: "ALLOCATION", allocatedChange: 500 },
        ...(i % 2 === 0 ? [] : [{ sku, qty: -1000, type: "DESPATCH", allocatedChange: -500 } as const]),
      ]);
    }
  });
  const snapshots: string[] = [];
  // Each has stock before the first snapshot is taken.
  for (const endMs = performance.now() + 30_000; hasMoved < 3; await new Promise((resolve) => setTimeout(resolve, 5))) {
    assert.ok(performance.now() < endMs, "each of the three moves");
  }
  for (let i = 0; i < 6; i++) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    snapshots.push((await snap(clientId))?.snapshotId ?? "");
  }
  isMoving = false;
  await Promise.all(movers);
  let closing: (string | undefined)[] = [];
  for (const snapshotId of snapshots) {
    const sums = await bridge(clientId, snapshotId);
    const openings = sums.map((line) => line.split(" ")[1]);
    if (closing.length > 0) assert.deepEqual(openings, closing);
    closing = sums.map((line) => line.split(" ")[3]);
    assert.equal(sums.length, 3);
  }
});

test("a statement opens with the last snapshot sent as an INV, and is pending until it is written", async () => {
  const clientId = await newClient();
  await post(database, clientId, [{ sku: "A", qty: 1000 }]);
  const first = await snap(clientId);
  await post(database, clientId, [{ sku: "A", qty: 1000 }]);
  const statement = await snap(clientId, {
    wantsInv: false,
    messageIds: { ims: "00000000-0000-7000-8000-000000000001" },
  });
  assert.equal(statement?.previousId, first?.snapshotId);
  assert.equal(statement?.imsMessageId, "00000000-0000-7000-8000-000000000001");
  assert.equal(statement?.invMessageId, undefined);
  await post(database, clientId, [{ sku: "A", qty: 1000 }]);
  const last = await snap(clientId);
  assert.equal(last?.previousId, first?.snapshotId);
  assert.deepEqual(await bridge(clientId, last?.snapshotId ?? ""), ["A 1 2 3"]);
  const unwritten = async () =>
    (await listUnwrittenSnapshots(database.of(clientId))).map(({ snapshotId }) => snapshotId);
  assert.equal((await unwritten()).length, 3);
  await database.transaction(async (tx) =>
    markSnapshotWritten(tx.of(clientId), first?.snapshotId ?? "", changeAt().at),
  );
  assert.deepEqual(await unwritten(), [statement?.snapshotId, last?.snapshotId]);
});

test("movements are listed in pages, SKU by SKU, without reservation entries", async () => {
  const clientId = await newClient();
  await post(database, clientId, [
    { sku: "B", qty: 1000 },
    { sku: "A", qty: 2000 },
    { sku: "A", qty: 1000, type: "ALLOCATION", allocatedChange: 1000 },
    { sku: "A", qty: 3000 },
  ]);
  const page = (after?: { sku: string; position: number }) =>
    listMovementsBetween(database.of(clientId), "DC1", 0, 100, after, 2);
  const first = await page();
  assert.deepEqual(
    [...first, ...(await page(first.at(-1)))].map(({ sku, position, qty }) => [sku, position, qty]),
    [
      ["A", 2, 2000],
      ["A", 4, 3000],
      ["B", 1, 1000],
    ],
  );
  assert.deepEqual(await listMovementsBetween(database.of(clientId), "DC1", 2, 3, undefined, 10), []);
});

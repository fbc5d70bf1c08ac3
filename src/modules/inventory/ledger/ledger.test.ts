import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clearAllocationWants,
  listAllocationDue,
  listReservations,
  listReservationsOfLots,
  listWantedSkus,
  lotOf,
  openBook,
  openBooks,
  postMovements,
  writeReservations,
} from "#/modules/inventory/index.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  brokenRules,
  changeAt,
  movementOf,
  post,
  reservationOf,
  stockOf,
  withBook,
} from "../../../../tests/support/builders/stock.ts";
import { patient, testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);

test("entries get positions without a gap, in one book per facility", async () => {
  assert.equal(
    await post(database, clientId, [
      { sku: "P", qty: 1000 },
      { sku: "P", qty: 2000 },
    ]),
    2,
  );
  assert.equal(await post(database, clientId, [{ sku: "P", qty: 1000 }]), 3);
  assert.equal(await post(database, clientId, [{ sku: "P", qty: 1000 }], { facilityCode: "DC2" }), 1);
  assert.deepEqual(await stockOf(database, clientId, "P"), ["GOOD 4/0"]);
});

test("entries are booked in order with a wrong clock", async () => {
  const nowMs = Date.now();
  await post(database, clientId, [{ sku: "T", qty: 1000 }], { atMs: nowMs + 5_000 });
  const book = await database.transaction((tx) => openBook(tx.of(clientId), "DC1", changeAt(nowMs).at));
  assert.equal(book.at, new Date(nowMs + 5_000).toISOString());
});

test("parallel transactions give each position once, and their sum is the balance", async () => {
  const before = await post(database, clientId, [{ sku: "C", qty: 1000 }]);
  await Promise.all(Array.from({ length: 20 }, () => post(database, clientId, [{ sku: "C", qty: 500 }])));
  assert.equal(await post(database, clientId, [{ sku: "C", qty: 1000 }]), before + 21);
  assert.deepEqual(await stockOf(database, clientId, "C"), ["GOOD 12/0"]);
  assert.deepEqual(await brokenRules(database, clientId), []);
});

test("books locked in opposite order do not deadlock for ever", async () => {
  const at = changeAt().at;
  const both = (codes: string[]) =>
    database.transaction(async (tx) => (await openBooks(tx.of(clientId), codes, at)).size, patient);
  assert.deepEqual(
    await Promise.all([both(["DC1", "DC2"]), both(["DC2", "DC1"]), both(["DC2", "DC1", "DC2"])]),
    [2, 2, 2],
  );
});

test("a negative balance, or an allocation above it, fails the whole transaction", async () => {
  await post(database, clientId, [{ sku: "N", qty: 3000 }]);
  await assert.rejects(
    post(database, clientId, [
      { sku: "N2", qty: 1000 },
      { sku: "N", qty: -4000, type: "ADJUSTMENT" },
    ]),
  );
  await assert.rejects(post(database, clientId, [{ sku: "N", qty: 4000, type: "ALLOCATION", allocatedChange: 4000 }]));
  assert.deepEqual(await stockOf(database, clientId, "N"), ["GOOD 3/0"]);
  assert.deepEqual(await stockOf(database, clientId, "N2"), []);
  // One call may take before it gives: only its sum counts.
  await post(database, clientId, [
    { sku: "N", qty: -4000, type: "ADJUSTMENT" },
    { sku: "N", qty: 2000, type: "ADJUSTMENT" },
  ]);
  assert.deepEqual(await stockOf(database, clientId, "N"), ["GOOD 1/0"]);
});

test("the age of a lot restarts with the first receipt after it was empty", async () => {
  const received = async () => {
    const rows = await database.query<{ received_at: string }>(
      sql`select received_at from stock_balance where client_id = ${clientId} and sku = 'F'`,
    );
    return rows[0]?.received_at;
  };
  const atMs = Date.now() + 60_000;
  await post(database, clientId, [{ sku: "F", qty: 1000 }], { atMs });
  await post(database, clientId, [{ sku: "F", qty: 1000 }], { atMs: atMs + 1_000 });
  assert.equal(await received(), new Date(atMs).toISOString());
  await post(database, clientId, [{ sku: "F", qty: -2000, type: "ADJUSTMENT" }], { atMs: atMs + 2_000 });
  await post(database, clientId, [{ sku: "F", qty: 1000 }], { atMs: atMs + 3_000 });
  assert.equal(await received(), new Date(atMs + 3_000).toISOString());
});

test("GOOD stock that arrives or becomes free triggers allocation, stock that leaves does not", async () => {
  const other = await insertClient(database, { clientId: "WAKE" });
  const wanted = () => listWantedSkus(database.of(other.clientId), "DC1", 100);
  await post(database, other.clientId, [
    { sku: "W1", qty: 5000 },
    { sku: "W2", qty: 5000, condition: "DAMAGED" },
  ]);
  assert.deepEqual(await wanted(), ["W1"]);
  assert.deepEqual(
    (await listAllocationDue(database, 100)).filter((due) => due.clientId === other.clientId),
    [{ clientId: other.clientId, facilityCode: "DC1" }],
  );
  await database.transaction(async (tx) => clearAllocationWants(tx.of(other.clientId), "DC1", ["W1"]));
  await post(database, other.clientId, [{ sku: "W1", qty: 2000, type: "ALLOCATION", allocatedChange: 2000 }]);
  await post(database, other.clientId, [{ sku: "W1", qty: -1000, type: "DESPATCH", allocatedChange: -1000 }]);
  assert.deepEqual(await wanted(), []);
  await post(database, other.clientId, [{ sku: "W1", qty: -1000, type: "DEALLOCATION", allocatedChange: -1000 }]);
  assert.deepEqual(await wanted(), ["W1"]);
});

test("ten thousand entries of as many lots are booked by five statements", async () => {
  const movements = Array.from({ length: 10_000 }, (_, i) =>
    movementOf({ sku: `BULK-${i % 500}`, qty: 1000, batchRef: `B${i}` }),
  );
  let statements = 0;
  await withBook(database, clientId, async (tx, book, change) => {
    const counting = {
      ...tx,
      send: (statement: Parameters<typeof tx.send>[0]) => {
        statements++;
        tx.send(statement);
      },
    };
    postMovements(counting.of(clientId), book, change.ids, movements);
  });
  assert.equal(statements, 5);
  assert.deepEqual(await stockOf(database, clientId, "BULK-7").then((lots) => lots.length), 20);
});

test("a reservation is found by owner and by lot, and deleted at quantity zero", async () => {
  const view = database.of(clientId);
  const held = reservationOf({ sku: "R", ownerId: "O-R", allocated: 2000, picked: 1000 });
  const write = (...rows: (typeof held)[]) =>
    database.transaction(async (tx) => writeReservations(tx.of(clientId), rows));
  await write(held, reservationOf({ sku: "R", ownerId: "O-R", batchRef: "B", allocated: 500 }));
  assert.equal((await listReservations(view, "ORDER", ["O-R"])).length, 2);
  assert.deepEqual(await listReservationsOfLots(view, "DC1", [{ sku: "R", ...lotOf({}) }]), [held]);
  await write({ ...held, allocated: 0, packed: 1000 });
  assert.deepEqual(await listReservationsOfLots(view, "DC1", [{ sku: "R", ...lotOf({}) }]), [
    { ...held, allocated: 0, packed: 1000 },
  ]);
  await write({ ...held, allocated: 0, picked: 0 }, reservationOf({ sku: "R", ownerId: "O-R", batchRef: "B" }));
  assert.deepEqual(await listReservations(view, "ORDER", ["O-R"]), []);
});

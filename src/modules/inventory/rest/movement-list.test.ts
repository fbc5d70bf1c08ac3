import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { movementCursor } from "#/modules/inventory/rest/history-contract.ts";
import { type MovementListRequest, readMovements } from "#/modules/inventory/rest/movement-list.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { insertItems, post } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();

const start = { position: 0, fromMs: 0 };

async function read(clientId: string, request: Partial<MovementListRequest> = {}) {
  const page = await readMovements(database, clientId, {
    facilityCode: "DC1",
    sku: undefined,
    type: undefined,
    after: start,
    limit: 50,
    ...request,
  });
  const next = movementCursor.decode(page.nextCursor);
  assert.ok(next);
  return { positions: page.items.map(({ position }) => position), next };
}

test("entries of a rare kind are looked for in steps, over pages that may be empty", async () => {
  const { clientId } = await insertClient(database, { clientId: "RARE" });
  await insertItems(database, clientId, [{ sku: "A" }]);
  await post(database, clientId, [{ sku: "A", qty: 1000 }]);
  await database.query(
    sql`insert into stock_movement (client_id, movement_id, facility_code, position, type, sku, stock_pool, condition,
        batch_ref, expiry_date, qty, affects_on_hand, reference_type, reference_id, booked_at, occurred_at)
      select m.client_id, (left(m.movement_id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, m.facility_code, n,
        case when n = 60000 then 'CONSUMPTION' else m.type end, m.sku, m.stock_pool, m.condition, m.batch_ref,
        m.expiry_date, m.qty, true, m.reference_type, m.reference_id, m.booked_at, m.occurred_at
      from stock_movement m, generate_series(2, 70000) n where m.client_id = ${clientId}`,
  );
  await database.query(sql`update stock_book set last_position = 70000 where client_id = ${clientId}`);
  const first = await read(clientId, { type: "CONSUMPTION" });
  assert.deepEqual([first.positions, first.next.position], [[], 50_000]);
  const second = await read(clientId, { type: "CONSUMPTION", after: first.next });
  assert.deepEqual([second.positions, second.next.position], [[60_000], 70_000]);
  const third = await read(clientId, { type: "CONSUMPTION", after: second.next });
  assert.deepEqual([third.positions, third.next], [[], second.next]);
  assert.deepEqual((await read(clientId, { after: { position: 69_998, fromMs: 0 } })).positions, [69_999, 70_000]);
});

test("a cursor contains the time of its entry, and earlier months are not read", async () => {
  const { clientId } = await insertClient(database, { clientId: "WHEN" });
  await insertItems(database, clientId, [{ sku: "A" }]);
  const [beforeMs, lastMs] = [Date.now() - 20 * dayMs, Date.now() - 10 * dayMs];
  await post(database, clientId, [{ sku: "A", qty: 1000 }], { atMs: beforeMs });
  await post(database, clientId, [{ sku: "A", qty: 2000 }], { atMs: lastMs });
  assert.deepEqual((await read(clientId, { limit: 1 })).next, { facility: "DC1", position: 1, fromMs: beforeMs });
  const { next, positions } = await read(clientId);
  assert.deepEqual([positions, next], [[1, 2], { facility: "DC1", position: 2, fromMs: lastMs }]);
  // Work with an earlier clock gets a later position and is found there.
  await post(database, clientId, [{ sku: "A", qty: 3000 }], { atMs: beforeMs });
  assert.deepEqual((await read(clientId, { after: next })).positions, [3]);
  assert.deepEqual((await read(clientId, { after: { position: 9, fromMs: 0 } })).next.position, 9);
});

test("a page ends before the limit of serial numbers, and an entry with more of them is alone", async () => {
  const { clientId } = await insertClient(database, { clientId: "MANY" });
  await insertItems(database, clientId, [{ sku: "A" }]);
  const serials = (n: number, of: number) => Array.from({ length: of }, (_, i) => `S-${n}-${i}`);
  const counts = [2, 0, 2, 9, 1, 4];
  await post(
    database,
    clientId,
    counts.map((count, n) => ({
      sku: "A",
      qty: Math.max(1, count) * 1000,
      ...(count === 0 ? {} : { serials: serials(n, count) }),
    })),
  );
  const pages: number[][] = [];
  let next: MovementListRequest["after"] = start;
  for (;;) {
    const page = await read(clientId, { after: next, serialsMax: 4 });
    if (page.positions.length === 0) break;
    pages.push(page.positions);
    next = page.next;
  }
  assert.deepEqual(pages, [[1, 2, 3], [4], [5], [6]]);
});

test("a client without a book has no movements, and the cursor stays", async () => {
  const { clientId } = await insertClient(database, { clientId: "NONE" });
  assert.deepEqual(await read(clientId), { positions: [], next: { facility: "DC1", ...start } });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStock, describeBroken, writeSerials } from "#/modules/inventory/index.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  brokenRules,
  changeAt,
  hold,
  insertItems,
  movementOf,
  post,
} from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await insertItems(database, clientId, [{ sku: "A" }, { sku: "SER", attributes: { CaptureSerial: "1" } }]);
await post(database, clientId, [
  { sku: "A", qty: 10_000, batchRef: "B" },
  { sku: "A", qty: 2000, condition: "DAMAGED" },
]);
await hold(database, clientId, {
  sku: "A",
  ownerId: "O-1",
  batchRef: "B",
  allocated: 3000,
  picked: 2000,
  packed: 1000,
});
await post(database, clientId, [{ sku: "SER", qty: 2000, serials: ["S1", "S2"] }]);
await database.transaction(async (tx) => {
  const place = { ...movementOf({ sku: "SER", qty: 1000 }), state: "IN_STOCK", facilityCode: "DC1" } as const;
  writeSerials(
    tx.of(clientId),
    changeAt().at,
    ["S1", "S2"].map((serial) => ({ ...place, serial })),
  );
  tx.send(sql`insert into work_order_component (client_id, work_order_id, line_number, sku, uom, qty_per, qty_required,
      facility_code, priority, received_at, is_waiting)
    values (${clientId}, 'W-1', 1, 'A', 'EA', 1, 5, 'DC1', 5, ${changeAt().at}, false)`);
});

/** The findings of the check after a manual change, which is rolled back. */
async function brokenBy(statement: ReturnType<typeof sql>): Promise<string[]> {
  const undo = new Error("undo");
  let found: string[] = [];
  await database
    .transaction(async (tx) => {
      await tx.query(statement);
      found = (await checkStock(tx.of(clientId))).map((broken) => `${broken.rule} ${describeBroken(broken)}`);
      throw undo;
    })
    .catch((error: unknown) => assert.equal(error, undo));
  return found;
}

test("consistent stock has no findings, whatever the stock of another client", async () => {
  assert.deepEqual(await brokenRules(database, clientId), []);
  assert.deepEqual(await brokenRules(database, "OTHER"), []);
});

const lot = "SKU A, batch B GOOD in DC1:";
const breaks: readonly (readonly [what: string, statement: ReturnType<typeof sql>, found: readonly string[]])[] = [
  [
    "a balance that lost a unit",
    sql`update stock_balance set qty = 9 where client_id = ${clientId} and batch_ref = 'B'`,
    [`BALANCE ${lot} the balance is not the sum of its movements: 9, expected 10`],
  ],
  [
    "a balance that someone deleted",
    sql`delete from stock_balance where client_id = ${clientId} and condition = 'DAMAGED'`,
    ["BALANCE SKU A DAMAGED in DC1: the balance is not the sum of its movements: 0, expected 2"],
  ],
  [
    "an allocation that no entry tells",
    sql`update stock_balance set allocated = 7 where client_id = ${clientId} and batch_ref = 'B'`,
    [
      `BALANCE_ALLOCATED ${lot} what the balance has allocated is not the sum of its movements: 7, expected 6`,
      `HELD ${lot} what the balance has allocated is not what orders, work orders and transfers hold of the lot: 7, expected 6`,
    ],
  ],
  [
    "allocated stock that is damaged",
    sql`update stock_balance set allocated = 1 where client_id = ${clientId} and condition = 'DAMAGED'`,
    [
      "ALLOCATED_LIMIT SKU A DAMAGED in DC1: more is allocated than there is GOOD stock: 1, expected 0",
      "BALANCE_ALLOCATED SKU A DAMAGED in DC1: what the balance has allocated is not the sum of its movements: 1, expected 0",
    ],
  ],
  [
    "a reservation that is gone",
    sql`delete from stock_reservation where client_id = ${clientId} and owner_id = 'O-1'`,
    [
      `HELD ${lot} what the balance has allocated is not what orders, work orders and transfers hold of the lot: 6, expected 0`,
      "ORDER_ALLOCATED O-1 line 1 SKU A: the order line's qtyAllocated is not what it holds: 3, expected 0",
      "ORDER_PACKED O-1 line 1 SKU A: the order line's qtyPacked is not what it holds: 1, expected 0",
      "ORDER_PICKED O-1 line 1 SKU A: the order line's qtyPicked is not what it holds: 2, expected 0",
    ],
  ],
  [
    "an order line whose buckets moved alone",
    sql`update sales_order_line set qty_picked = 1, qty_packed = 2 where client_id = ${clientId} and order_id = 'O-1'`,
    [
      "ORDER_PACKED O-1 line 1 SKU A: the order line's qtyPacked is not what it holds: 2, expected 1",
      "ORDER_PICKED O-1 line 1 SKU A: the order line's qtyPicked is not what it holds: 1, expected 2",
    ],
  ],
  [
    "a component that claims what it does not hold",
    sql`update work_order_component set qty_allocated = 4 where client_id = ${clientId}`,
    ["WORK_ORDER W-1 line 1 SKU A: the component's qtyAllocated is not what it holds: 4, expected 0"],
  ],
  [
    "a serial number that is gone",
    sql`update stock_serial set state = 'GONE' where client_id = ${clientId} and serial = 'S1'`,
    ["SERIALS SKU SER in DC1: there are not as many serial numbers in stock as units: 1, expected 2"],
  ],
  [
    "an entry without a place in the book",
    sql`update stock_book set last_position = 9 where client_id = ${clientId} and facility_code = 'DC1'`,
    ["POSITIONS DC1: the book's last position is not the number of its entries: 9, expected 5"],
  ],
];

for (const [what, statement, found] of breaks) {
  test(`the check finds ${what}`, async () => {
    assert.deepEqual(await brokenBy(statement), found);
  });
}

test("the database refuses a balance below zero", async () => {
  const statement = sql`update stock_balance set qty = -1 where client_id = ${clientId}`;
  await assert.rejects(database.query(statement), { code: "23514" });
});

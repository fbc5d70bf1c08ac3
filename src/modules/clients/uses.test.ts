import assert from "node:assert/strict";
import { test } from "node:test";
import { changeClient, readSettings } from "#/modules/clients/index.ts";
import { requestCount } from "#/modules/inventory/index.ts";
import { sql } from "#/store/db/sql.ts";
import { accepted, intakeWorld } from "../../../tests/support/app/intake.ts";
import { changeAt, database } from "../../../tests/support/builders/stocked-orders.ts";

async function useOf(clientId: string) {
  const w = await intakeWorld(clientId);
  await w.items(["A", "B"]);
  const change = (changes: Parameters<typeof changeClient>[1]) =>
    database.transaction((tx) => changeClient(tx.of(clientId, changeAt()), changes));
  const set = (...assignments: string[]) => {
    const read = readSettings(assignments);
    assert.ok(read.ok);
    return change({ settings: read.value });
  };
  return { ...w, change, set };
}

test("a facility stays with a client that has open work or stock there; the refusal counts them", async () => {
  const w = await useOf("USE1");
  await w.order("O-1", [{ sku: "A", qty: 1 }]);
  await w.purchaseOrder("PO-1", [["A", 2]]);
  await w.purchaseOrder("PO-2", [["A", 2]]);
  await w.authorise("RMA-1", [["A", 1]]);
  accepted(
    await w.receive({
      poNumber: "PO-1",
      receiptId: "R-1",
      lines: [
        { sku: "A", qty: 1 },
        { sku: "B", qty: 1 },
      ],
    }),
  );
  const owner = { facilities: ["DC1"], settings: { stockPools: "*", availablePools: "*" } } as const;
  const scope = { sku: "A", condition: "GOOD" } as const;
  const counted = await database.transaction((tx) =>
    requestCount(tx.of("USE1", changeAt()), owner, { facilityCode: "DC1", scope, isBlind: false }),
  );
  assert.ok(counted.ok);
  const taken = await w.change({ facilities: ["DC2"] });
  assert.ok(!taken.ok);
  assert.deepEqual(taken.fault, {
    kind: "conflict",
    detail:
      "client USE1 still uses what the change takes away: facility DC1 has 1 open order, 2 open purchase orders, 1 open return, 1 open count, 2 lots in stock. " +
      "Let the warehouse finish the work, or cancel it, and move or book out the stock; then take it away",
  });
  assert.ok((await w.change({ facilities: ["DC1"] })).ok, "nothing is at the other one");
  assert.ok((await w.change({ facilities: ["DC2", "DC1"] })).ok, "an order of routing takes nothing away");
});

test("a stock pool stays with a client that has stock in it", async () => {
  const w = await useOf("USE2");
  assert.ok((await w.set("stockPools=VIP,B2B")).ok);
  await w.stock([{ sku: "A", qty: 1, stockPool: "VIP" }]);
  const taken = await w.set("stockPools=B2B");
  assert.ok(!taken.ok);
  assert.equal(taken.fault.kind, "conflict");
  assert.match(taken.fault.detail, /stock pool VIP has 1 lot in stock\. Move the goods to another pool/);
  assert.ok(!(await w.set("stockPools=")).ok);
  assert.ok((await w.set("stockPools=VIP")).ok, "the other pool is empty");
  assert.ok((await w.set("stockPools=", "availablePools=VIP")).ok, "the client still has the pool");
  assert.ok((await w.set("stockPools=*")).ok);
  assert.ok((await w.set("rmaDays=30")).ok);
});

test("the lots in lost pools are counted up to 1000", async () => {
  const w = await useOf("USE3");
  assert.ok((await w.set("stockPools=*")).ok);
  await w.stock([{ sku: "A", qty: 1, stockPool: "B2B" }]);
  await w.stock([{ sku: "A", qty: 1, stockPool: "VIP" }]);
  await database.query(
    sql`insert into stock_balance (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date, qty,
        received_at, last_position, last_moved_at)
      select client_id, facility_code, sku, stock_pool, condition, 'B-' || n, expiry_date, qty, received_at,
        last_position, last_moved_at
      from stock_balance, generate_series(1, 1000) n where client_id = 'USE3' and stock_pool = 'VIP' limit 1000`,
  );
  const ofBoth = await w.set("stockPools=");
  assert.ok(!ofBoth.ok);
  assert.match(
    ofBoth.fault.detail,
    /: stock pool B2B has 1 lot in stock; stock pool VIP has at least 1000 lots in stock\./,
  );
  const ofOne = await w.set("stockPools=B2B");
  assert.ok(!ofOne.ok);
  assert.match(ofOne.fault.detail, /: stock pool VIP has at least 1001 lots in stock\./);
});

// Random lives of orders: for any sequence of changes, quantities add up, states follow, and no unit is allocated
// twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { freeOrderAllocations } from "#/modules/orders/allocation/deallocation.ts";
import { cancelOrder } from "#/modules/orders/commands/cancel-order.ts";
import { updateOrderLine } from "#/modules/orders/commands/change-order.ts";
import { holdOrder, releaseOrder } from "#/modules/orders/commands/hold-order.ts";
import { stateOf } from "#/modules/orders/order.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import { takeOrders } from "#/modules/orders/order-work.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { at, changeAt, database, world } from "../../../tests/support/builders/stocked-orders.ts";

/** Park and Miller's: the same life for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

for (const seed of [11, 42, 815]) {
  test(`after every step of a random life quantities, states and stock agree (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const clientId = `LIFE${seed}`;
    const { items, stock, order, allocate } = await world(clientId);
    const skus = ["A", "B", "C"];
    await items(skus);
    const sku = () => skus[random(3)] as string;
    const orderIds: string[] = [];
    const some = () => orderIds[random(orderIds.length)] ?? "none";
    const lotsOf = ["B1", "B2"];
    const change = changeAt();
    const steps: (() => Promise<unknown>)[] = [
      () => {
        const orderId = `O${orderIds.length}`;
        orderIds.push(orderId);
        const lines = Array.from({ length: 1 + random(3) }, () => ({ sku: sku(), qty: 1 + random(4) }));
        return order(orderId, lines, { priority: 1 + random(9), shipPartial: random(2) === 0 });
      },
      () => stock([{ sku: sku(), qty: 1 + random(5), batchRef: lotsOf[random(2)] as string }]),
      () => allocate({ orderIds: [some(), some()] }),
      () => allocate({ skus }),
      () =>
        database.transaction((tx) =>
          holdOrder(tx.of(clientId, change), { orderId: some(), type: "OTHER", reason: "random" }),
        ),
      () => database.transaction((tx) => releaseOrder(tx.of(clientId, change), { orderId: some() })),
      () => database.transaction((tx) => takeOrders(tx.of(clientId, change), [some()])),
      () => {
        const lines = random(2) === 0 ? undefined : [{ lineNumber: 1, qty: 1_000 }];
        return database.transaction((tx) =>
          cancelOrder(tx.of(clientId, change), { orderId: some(), reason: "random", lines }),
        );
      },
      () => {
        const ask = { orderId: some(), lineNumber: 1, qty: 1_000 * (1 + random(5)) };
        return database.transaction((tx) => updateOrderLine(tx.of(clientId, change), ask));
      },
      () => {
        const lot = { sku: sku(), ...lotOf({ batchRef: lotsOf[random(2)] as string }) };
        return database.transaction(async (tx) => {
          const book = await openBook(tx.of(clientId), "DC1", at);
          const { freed } = await freeOrderAllocations(tx.of(book.clientId, change), book, lot, 2_000);
          const entry = { ...lot, type: "ADJUSTMENT" as const, condition: "GOOD" as const, qty: -freed };
          if (freed > 0)
            postMovements(tx.of(book.clientId), book, change.ids, [
              { ...entry, referenceType: "adjustment", referenceId: "1" },
            ]);
        });
      },
    ];
    for (let i = 0; i < 150; i++) {
      await (steps[random(steps.length)] as () => Promise<unknown>)();
      const orders = await readOrders(database.of(clientId), orderIds);
      for (const stored of orders)
        assert.equal(stored.status, stateOf(stored).state, `step ${i}, order ${stored.orderId}`);
      assert.deepEqual(await brokenLots(clientId), [], `step ${i}`);
    }
  });
}

/** SKUs whose balances, reservations and lines disagree. */
async function brokenLots(clientId: string): Promise<unknown[]> {
  return database
    .of(clientId)
    .query(sql`select sku, sum(of_balance) as b, sum(of_reservation) as r, sum(of_line) as l from (
        select sku, allocated as of_balance, 0 as of_reservation, 0 as of_line from stock_balance
        where client_id = ${tenant} and facility_code = 'DC1'
        union all
        select sku, 0, qty_allocated + qty_picked + qty_packed, 0 from stock_reservation
        where client_id = ${tenant} and facility_code = 'DC1'
        union all
        select sku, 0, 0, qty_allocated + qty_picked + qty_packed from sales_order_line where client_id = ${tenant}
      ) held group by sku having sum(of_balance) <> sum(of_reservation) or sum(of_balance) <> sum(of_line) limit 10`);
}

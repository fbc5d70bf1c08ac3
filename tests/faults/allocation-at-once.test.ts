// Concurrent allocators never allocate a unit twice. Ten thousand orders compete for less stock than they want. At the
// end, all available stock is allocated, and no more (lifecycle.md §1, Allocation).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import { openBook } from "#/modules/inventory/index.ts";
import { allocateOrders, createAllocationConsumer } from "#/modules/orders/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { isContention, isUnavailable, sqlStateOf } from "#/store/db/errors.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { brokenRules } from "../support/builders/stock.ts";
import { changeAt, database, url, world } from "../support/builders/stocked-orders.ts";
import { seededRandom, testSeed } from "./load/sender.ts";

const workers = 16;
const facilities = ["DC1", "DC2"] as const;
const many = openDatabase({
  url,
  connectionsMax: workers,
  applicationName: "crossdock allocation test",
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 30_000,
});
// Runs before the cleanup that removes the database.
atEnd(() => many.close());
const ids = createIds();
const stretch = watchMachine();

/** The event of an accepted order, as the relay passes it to its consumers. */
function received(orderId: string, facilityCode: string): OutboxRow {
  const at = "2026-11-02T10:00:00.000Z";
  return {
    outboxId: ids.next(Date.parse(at)),
    topic: "order:received",
    objectType: "order",
    objectId: orderId,
    facilityCode,
    feedToken: null,
    data: {},
    occurredAt: at,
    outbound: null,
    attempts: 0,
  };
}

/**
 * Runs the work like the product and retries on contention or timeout. On a busy machine, a report may wait that long
 * for sixteen workers, in a statement or between two. Any other error fails the test.
 */
async function insist(work: () => Promise<unknown>, note: (sqlState: string) => void): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isContention(error) && !isUnavailable(error)) throw error;
      note(sqlStateOf(error) ?? (error as Error).name);
    }
  }
}

async function quantities(clientId: string) {
  const rows = await database.query<Record<string, string>>({
    text: `select l.facility_code as f, l.sku as s, sum(l.qty_ordered)::bigint as wanted, sum(l.qty_allocated)::bigint as given,
        sum(l.qty_open)::bigint as open,
        (select coalesce(sum(b.qty), 0) from stock_balance b where b.client_id = $1 and b.facility_code = l.facility_code
          and b.sku = l.sku)::bigint as stock
      from sales_order_line l where l.client_id = $1 group by l.facility_code, l.sku order by 1, 2 limit 1000`,
    values: [clientId],
    name: "quantities of the test",
    isTenant: false,
  });
  return rows.map((row) => ({
    place: `${row.s} in ${row.f}`,
    wanted: Number(row.wanted),
    given: Number(row.given),
    open: Number(row.open),
    stock: Number(row.stock),
  }));
}

test(`${workers} workers allocate too little stock for 10 000 orders`, { timeout: 900_000 }, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const upTo = (n: number) => 1 + Math.floor(random() * n);
  const { clientId, items, stock, orders } = await world("ATONCE");
  const skus = Array.from({ length: 40 }, (_, i) => `SKU-${i}`);
  await items(skus);
  const all = Array.from({ length: 10_000 }, (_, i) => ({
    orderId: `O-${i}`,
    distributionCentre: facilities[Math.floor(random() * 2)] as string,
    priority: upTo(9),
    lines: Array.from(new Set([upTo(40), upTo(40), upTo(40)].slice(0, upTo(3)))).map((n) => ({
      sku: skus[n - 1] as string,
      qty: upTo(4),
    })),
  }));
  for (let i = 0; i < all.length; i += 2_000) await orders(all.slice(i, i + 2_000));
  for (const facilityCode of facilities) {
    // Most SKUs have less stock than wanted, some more, and one none; each has several lots.
    const lots = skus
      .slice(1)
      .flatMap((sku) => Array.from({ length: upTo(4) }, (_, i) => ({ sku, qty: upTo(300), batchRef: `B${i}` })));
    await stock(lots, facilityCode);
  }

  const left = all.map(({ orderId, distributionCentre }) => received(orderId, distributionCentre));
  const consumer = createAllocationConsumer({ ids });
  const states = new Map<string, number>();
  const note = (state: string) => states.set(state, (states.get(state) ?? 0) + 1);
  const change = () => changeAt(new Date().toISOString());
  const goods = { left: 200 };
  const beganMs = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (;;) {
        const kind = worker % 4;
        if (kind === 0) {
          // Allocates whole SKUs, like the allocator after a receipt of goods.
          if (left.length === 0) return;
          const facilityCode = facilities[Math.floor(random() * 2)] as string;
          const wanted = Array.from({ length: 10 }, () => skus[upTo(40) - 1] as string);
          await insist(
            () =>
              many.transaction(async (tx) => {
                const now = change();
                const book = await openBook(tx.of(clientId), facilityCode, now.at);
                return allocateOrders(tx.of(book.clientId, now), book, { skus: [...new Set(wanted)] });
              }),
            note,
          );
        } else if (kind === 1 && goods.left > 0) {
          goods.left--;
          await insist(
            () => stock([{ sku: skus[upTo(40) - 1] as string, qty: upTo(20) }], facilities[goods.left % 2]),
            note,
          );
        } else {
          // Allocates a batch of orders, like the relay after their acceptance.
          const batch = left.splice(0, 150);
          if (batch.length === 0) return;
          await insist(
            () => many.transaction((tx) => consumer.consume(tx.of(clientId), new Date().toISOString(), batch)),
            note,
          );
        }
      }
    }),
  );
  const sharedMs = performance.now() - beganMs;
  // Allocates the stock that arrived meanwhile, because nothing wakes up the allocator after this.
  for (const facilityCode of facilities) {
    const { isDone } = await many.transaction(async (tx) => {
      const now = change();
      return allocateOrders(tx.of(clientId, now), await openBook(tx.of(clientId), facilityCode, now.at), { skus });
    });
    assert(isDone);
  }
  t.diagnostic(
    `${all.length} orders in ${Math.round(sharedMs)} ms; waits: ${JSON.stringify(Object.fromEntries(states))}`,
  );
  for (const { place, wanted, given, open, stock: there } of await quantities(clientId)) {
    assert.equal(given, Math.min(wanted, there), `of ${place} ${there} are there and ${wanted} are wanted`);
    assert.equal(open, 0, `all of ${place} was looked for`);
  }
  assert.deepEqual(await brokenRules(database, clientId), []);
  assert.equal(states.get("40P01"), undefined, "no deadlock");
  assert(sharedMs < 60_000 * stretch());
});

test("of twenty orders at once for eight units eight get one each", async () => {
  const { clientId, items, stock, orders, read } = await world("EIGHT");
  await items(["ONE"]);
  await stock([{ sku: "ONE", qty: 8 }]);
  const orderIds = Array.from({ length: 20 }, (_, i) => `O-${String(i).padStart(2, "0")}`);
  await orders(orderIds.map((orderId) => ({ orderId, lines: [{ sku: "ONE", qty: 1 }] })));
  const consumer = createAllocationConsumer({ ids });
  await Promise.all(
    orderIds.map((orderId) =>
      insist(
        () =>
          many.transaction((tx) =>
            consumer.consume(tx.of(clientId), new Date().toISOString(), [received(orderId, "DC1")]),
          ),
        () => {},
      ),
    ),
  );
  const states = await Promise.all(orderIds.map(async (orderId) => (await read(orderId)).status));
  assert.equal(states.filter((status) => status === "ALLOCATED").length, 8);
  assert.equal(states.filter((status) => status === "BACKORDERED").length, 12);
  assert.deepEqual(await brokenRules(database, clientId), []);
});

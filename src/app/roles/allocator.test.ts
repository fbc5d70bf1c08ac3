import assert from "node:assert/strict";
import { test } from "node:test";
import { startAllocator } from "#/app/roles/allocator.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { withClient } from "../../../tests/faults/oracles/oracle.ts";
import { until } from "../../../tests/support/app/until.ts";
import { database, url, world } from "../../../tests/support/builders/stocked-orders.ts";

const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
const run = (text: string) => withClient(url, (client) => client.query(text));

test("clients whose allocation times out delay no other client, and get their stock when the cause is gone", async (t) => {
  // Enough poisoned SKUs that, in any order, some come before a healthy one.
  const poisoned = await Promise.all(Array.from({ length: 12 }, (_, i) => world(`POISON${i + 1}`)));
  const healthy = await Promise.all([1, 2, 3].map((n) => world(`HEALTHY${n}`)));
  for (const { items, order, allocate } of [...poisoned, ...healthy]) {
    await items(["A"]);
    for (const orderId of ["1", "2", "3"]) await order(orderId, [{ sku: "A", qty: 1 }]);
    await allocate({ orderIds: ["1", "2", "3"] });
  }
  await run(`create function times_out() returns trigger language plpgsql as $$ begin
    if new.client_id like 'POISON%' then raise 'too slow' using errcode = 'query_canceled'; end if; return new; end $$;
    create trigger times_out before insert on stock_reservation for each row execute function times_out()`);
  for (const { stock } of poisoned) await stock([{ sku: "A", qty: 3 }]);
  const allocator = startAllocator({ database, clock: systemClock, ids: createIds(), log });
  t.after(() => allocator.stop());
  const isAllocated = async (of: (typeof healthy)[number], orderId: string) =>
    (await of.buckets(orderId)).allocated === 1;
  for (const [i, orderId] of ["1", "2", "3"].entries()) {
    for (const { stock } of healthy) await stock([{ sku: "A", qty: 1 }]);
    allocator.wake();
    for (const client of healthy)
      await until(`order ${orderId} of ${client.clientId}, round ${i}`, () => isAllocated(client, orderId));
  }
  for (const client of poisoned) assert.equal(await isAllocated(client, "1"), false);
  await run("drop trigger times_out on stock_reservation");
  for (const client of poisoned) await until(`order 3 of ${client.clientId}`, () => isAllocated(client, "3"), 60_000);
});

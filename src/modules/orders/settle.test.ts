import assert from "node:assert/strict";
import { test } from "node:test";
import { holdOrder } from "#/modules/orders/commands/hold-order.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import { changeAt, database, feedsOf, world } from "../../../tests/support/builders/stocked-orders.ts";

const momentOf = (drafts: readonly EventDraft[]) =>
  feedsOf(drafts).map(({ content }) => (content as { statusTimeStamp: string }).statusTimeStamp);

test("a change that waited for another one has a later time, although it began earlier", async () => {
  const { items, stock, order, allocate, read } = await world("MOMENTS");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await order("1", [{ sku: "A", qty: 1 }]);
  const allocated = await allocate({ orderIds: ["1"] }, "DC1", "2026-11-02T10:00:05.000Z");
  assert.deepEqual(momentOf(allocated.drafts), ["2026-11-02T10:00:05.000Z"]);
  const held = await database.transaction((tx) =>
    holdOrder(tx.of("MOMENTS", changeAt("2026-11-02T10:00:02.000Z")), {
      orderId: "1",
      type: "OTHER",
      reason: "because",
    }),
  );
  assert.ok(held.ok);
  assert.deepEqual(momentOf(held.value.events), ["2026-11-02T10:00:05.001Z"]);
  assert.equal((await read("1")).updatedAt, "2026-11-02T10:00:05.001Z");
});

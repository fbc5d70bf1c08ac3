// Work orders with every outcome, for the workload of plans.test.ts.
import assert from "node:assert/strict";
import { findAnswer, keepAnswer, purgeAnswers } from "#/http/requests/idempotency.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Book, lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import {
  allocateComponents,
  cancelWorkOrder,
  createWorkOrder,
  freeComponentAllocations,
  listAssemblyWork,
  reportWorkOrder,
  updateWorkOrder,
} from "#/modules/workorders/index.ts";
import { listWorkOrders } from "#/modules/workorders/repository.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

const ids = createIds();

/** @param skus known through CAT: a finished good and two components. */
export async function runWorkOrders(
  database: Database,
  client: FeedClient,
  skus: readonly [finishedGood: string, component: string, another: string],
): Promise<void> {
  const { clientId } = client;
  const facilityCode = client.facilities[0] as string;
  const at = new Date().toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  const [finishedGoodSku, sku, another] = skus;

  const withBook = <T>(work: (tx: Transaction, book: Book) => Promise<T>) =>
    database.transaction(async (tx) => work(tx, await openBook(tx.of(clientId), facilityCode, at)));
  const create = (workOrderId: string, qty: number) =>
    database.transaction((tx) =>
      createWorkOrder(tx.of(clientId, change), {
        workOrderId,
        facilityCode,
        finishedGoodSku,
        qty,
        components: [{ sku, qtyPer: 1 }],
      }),
    );
  const update = (components: readonly { sku: string; qtyPer: number }[]) =>
    database.transaction((tx) =>
      updateWorkOrder(tx.of(clientId, change), { workOrderId: "WO-1" }, { components: [...components] }),
    );

  await create("WO-1", 2);
  await create("WO-2", 2);
  await create("WO-3", 1);
  await withBook(async (tx, book) => {
    const lot = { ...lotOf({ batchRef: "B1" }), sku, condition: "GOOD" as const, qty: 9_000 };
    postMovements(tx.of(book.clientId), book, ids, [
      { ...lot, type: "RECEIPT", referenceType: "receipt", referenceId: "WO" },
    ]);
  });
  const drafts = await withBook((tx, book) => allocateComponents(tx.of(book.clientId, change), book, [sku]));
  assert.equal(drafts.length, 3);
  await update([{ sku, qtyPer: 2 }]);
  await listAssemblyWork(database.of(clientId), ["WO-1", "WO-2"]);
  await withBook((tx, book) =>
    freeComponentAllocations(tx.of(book.clientId, change), book, { sku, ...lotOf({ batchRef: "B1" }) }, 1_000),
  );
  await withBook((tx, book) => allocateComponents(tx.of(book.clientId, change), book, [sku]));
  const report = await withBook((tx, book) =>
    reportWorkOrder(
      tx.of(book.clientId, change),
      book,
      { workOrderId: "WO-1", finishedGood: { qty: 1 } },
      { publishesAdjustments: true },
    ),
  );
  assert.ok(report.ok, report.ok ? "" : report.fault.detail);
  await create("WO-4", 1);
  const swapped = await database.transaction((tx) =>
    updateWorkOrder(tx.of(clientId, change), { workOrderId: "WO-4" }, { components: [{ sku: another, qtyPer: 1 }] }),
  );
  assert.ok(swapped.ok, swapped.ok ? "" : swapped.fault.detail);
  await database.transaction((tx) => cancelWorkOrder(tx.of(clientId, change), { workOrderId: "WO-3" }));

  const none = { status: undefined, facilityCode: undefined, updatedSince: undefined };
  for (const filter of [
    none,
    { ...none, status: "RELEASED" },
    { ...none, facilityCode },
    { ...none, updatedSince: at },
  ]) {
    for (const sort of ["receivedAt", "-receivedAt"] as const) {
      await listWorkOrders(database.of(clientId), { filter, sort, after: undefined, limit: 10 });
      const after = { us: Date.parse(at) * 1000, id: "WO-1" };
      await listWorkOrders(database.of(clientId), { filter, sort, after, limit: 10 });
    }
  }

  const later = new Date(Date.parse(at) + 60_000).toISOString();
  const answer = { key: "key", operation: "POST /", bodySha256: Buffer.alloc(32), status: 200, answer: {}, at };
  await database.transaction(async (tx) => keepAnswer(tx.of(clientId), { ...answer, expiresAt: later }));
  await findAnswer(database.of(clientId), "key", at);
  await purgeAnswers(database.of(clientId), at);
}

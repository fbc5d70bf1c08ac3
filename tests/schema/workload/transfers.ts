// Transfers with every outcome, for the workload of plans.test.ts.
import assert from "node:assert/strict";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Book, lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { expectTransfer } from "#/modules/purchasing/index.ts";
import {
  createTransfer,
  freeTransferAllocations,
  listShippingWork,
  settleReceipts,
  shipTransfer,
} from "#/modules/transfers/index.ts";
import { listTransfers, readTransfers } from "#/modules/transfers/repository.ts";
import { cancelTransfer } from "#/modules/transfers/service.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";

const ids = createIds();

/** @param sku known through CAT. */
export async function runTransfers(database: Database, client: FeedClient, sku: string): Promise<void> {
  const { clientId } = client;
  const [fromFacility, toFacility] = client.facilities as readonly [string, string];
  const at = new Date().toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  const withBook = <T>(work: (tx: UnitOfWork, book: Book) => Promise<T>) =>
    database.transaction(async (tx) => {
      const view = tx.of(clientId, change);
      return work(view, await openBook(view, fromFacility, at));
    });
  const lot = { ...lotOf({ batchRef: "T1" }), sku };
  await withBook(async (tx, book) => {
    const goods = { ...lot, condition: "GOOD" as const, qty: 9_000 };
    postMovements(tx, book, ids, [{ ...goods, type: "RECEIPT", referenceType: "receipt", referenceId: "TR" }]);
  });
  for (const transferId of ["TR-1", "TR-2"]) {
    const made = await withBook((tx) =>
      createTransfer(tx, { transferId, fromFacility, toFacility, lines: [{ sku, qty: 3 }] }),
    );
    assert.ok(made.ok, made.ok ? "" : made.fault.detail);
  }
  await withBook((tx, book) => freeTransferAllocations(tx, book, lot, 1_000));
  await listShippingWork(database.of(clientId), ["TR-1", "TR-2"]);
  const shipped = await withBook((tx, book) =>
    shipTransfer(tx, book, { transferId: "TR-1", lines: [{ sku, qty: 2, batchRef: "T1" }] }, expectTransfer),
  );
  assert.ok(shipped.ok, shipped.ok ? "" : shipped.fault.detail);
  await withBook((tx) => settleReceipts(tx, [{ transferId: "TR-1", status: "OPEN", lines: [] }]));
  await withBook((tx) => cancelTransfer(tx, { transferId: "TR-2" }));
  await readTransfers(database.of(clientId), ["TR-1"]);

  const none = { status: undefined, fromFacility: undefined, updatedSince: undefined };
  for (const filter of [
    none,
    { ...none, status: "SHIPPED" },
    { ...none, fromFacility },
    { ...none, updatedSince: at },
  ]) {
    for (const sort of ["receivedAt", "-receivedAt"] as const) {
      await listTransfers(database.of(clientId), { filter, sort, after: undefined, limit: 10 });
      const after = { us: Date.parse(at) * 1000, id: "TR-1" };
      await listTransfers(database.of(clientId), { filter, sort, after, limit: 10 });
    }
  }
}

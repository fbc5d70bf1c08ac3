import { dayMs } from "#/kernel/values/durations.ts";
import type { PoolSettings } from "#/kernel/values/stock-pools.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { listExpiredLots } from "#/modules/inventory/adjustments/expiry.ts";
import {
  approveCount,
  cancelCount,
  checkStock,
  clearAllocationWants,
  findSnapshot,
  importOpeningStock,
  listDueForAbcCount,
  listFacilitiesToAllocate,
  listMovementsBetween,
  listReservations,
  listSerials,
  listSnapshotRows,
  listUnwrittenSnapshots,
  listWantedSkus,
  lotOf,
  markSnapshotWritten,
  publishChanges,
  rejectCount,
  reportAdjustment,
  reportCount,
  requestCount,
  requestShortPickCounts,
  requestZeroBalanceCounts,
  shortPick,
  takeSnapshot,
  writeReservations,
} from "#/modules/inventory/index.ts";
import type { Database } from "#/store/db/database.ts";
import { changeAt, freeNothing, insertItems, post, reservationOf, withBook } from "../../support/builders/stock.ts";

const countTerms = { free: freeNothing, tolerance: { countTolerance: 0, countToleranceUnits: 0 } };

/** Sends every statement of the stock ledger that names a client. */
export async function runStockWorkload(database: Database, clientId: string): Promise<void> {
  await insertItems(database, clientId, [{ sku: "STOCK-1" }, { sku: "STOCK-2", attributes: { CaptureSerial: "1" } }]);
  await post(database, clientId, [{ sku: "STOCK-1", qty: 10_000 }]);
  await withBook(database, clientId, async (tx, book, change) => {
    writeReservations(tx.of(clientId), [reservationOf({ sku: "STOCK-1", ownerId: "STOCK-O", allocated: 1000 })]);
    writeReservations(tx.of(clientId), [reservationOf({ sku: "STOCK-1", ownerId: "STOCK-O" })]);
    const lines = [{ sku: "STOCK-2", qty: 2, serials: ["S1", "S2"] }];
    await reportAdjustment(
      tx.of(book.clientId, change),
      book,
      { adjustmentId: "A1", reasonCode: "INITIAL", lines },
      freeNothing,
    );
  });
  await withBook(database, clientId, (tx, book, change) => {
    const lines = [
      { sku: "STOCK-1", countedQty: 9 },
      { sku: "STOCK-2", countedQty: 1, serials: ["S1"] },
    ];
    return reportCount(tx.of(book.clientId, change), book, { countId: "C1", occurredAt: change.at, lines }, countTerms);
  });
  await withBook(database, clientId, async (tx, book, change) => {
    const lots = [{ sku: "STOCK-1", qty: 1000, ...lotOf({}) }];
    await shortPick(tx.of(book.clientId, change), book, { orderId: "STOCK-O", lots });
    return reportCount(
      tx.of(book.clientId, change),
      book,
      { countId: "C2", lines: [{ sku: "STOCK-1", countedQty: 8 }] },
      countTerms,
    );
  });
  const owner = { clientId, facilities: ["DC1"], settings: { stockPools: "*", availablePools: "*" } } as const;
  await requestedCounts(database, owner);
  const file = { text: "sku,qty\nSTOCK-1,1", importId: "OPENING-1", isDryRun: false };
  const tolerance = { countTolerance: 100, countToleranceUnits: 1_000 };
  await database.transaction((tx) => importOpeningStock(tx.of(clientId, changeAt()), owner, file, tolerance));
  await listReservations(database.of(clientId), "ORDER", ["STOCK-O"]);
  await listSerials(database.of(clientId), "STOCK-2", ["S1"]);
  await findItemRules(database.of(clientId), ["STOCK-1"]);
  await listFacilitiesToAllocate(database.of(clientId));
  const skus = await listWantedSkus(database.of(clientId), "DC1", 10);
  await database.transaction(async (tx) => clearAllocationWants(tx.of(clientId), "DC1", skus));
  await database.transaction((tx) => publishChanges(tx.of(clientId, changeAt()), changeAt().at));
  await listExpiredLots(database.of(clientId), "DC1", "2026-01-01", 10);
  await checkStock(database.of(clientId));
  await snapshots(database, clientId);
}

async function requestedCounts(
  database: Database,
  owner: { readonly clientId: string; readonly facilities: readonly ["DC1"]; readonly settings: PoolSettings },
): Promise<void> {
  const { clientId } = owner;
  const request = (scope: object) =>
    withBook(database, clientId, async (tx, _book, change) => {
      const of = { facilityCode: "DC1", scope: { condition: "GOOD", ...scope }, isBlind: true } as const;
      const result = await requestCount(tx.of(clientId, change), owner, of);
      return result.ok ? result.value.countId : "";
    });
  const answer = async (countId: string, countedQty: number) =>
    withBook(database, clientId, (tx, book, change) =>
      reportCount(tx.of(book.clientId, change), book, { countId, lines: [{ sku: "STOCK-1", countedQty }] }, countTerms),
    );
  const approval = { freesAllocations: true };
  const first = await request({ sku: "STOCK-1" });
  await answer(first, 5);
  await withBook(database, clientId, (tx, _book, change) =>
    approveCount(tx.of(clientId, change), first, approval, freeNothing),
  );
  const second = await request({ sku: "STOCK-1" });
  await answer(second, 3);
  await withBook(database, clientId, (tx, _book, change) =>
    rejectCount(tx.of(clientId, change), second, { isRecounted: true }),
  );
  const third = await request({ stockPool: "DEFAULT" });
  await withBook(database, clientId, (tx, _book, change) => cancelCount(tx.of(clientId, change), third, undefined));
  const [short] = await withBook(database, clientId, async (tx, book, change) => {
    await shortPick(tx.of(book.clientId, change), book, {
      orderId: "STOCK-O",
      lots: [{ sku: "STOCK-1", qty: 1000, ...lotOf({}) }],
    });
    return requestShortPickCounts(tx.of(clientId, change), "DC1", ["STOCK-1"]);
  });
  await withBook(database, clientId, (tx, _book, change) =>
    requestZeroBalanceCounts(tx.of(clientId, change), "DC1", ["STOCK-1"]),
  );
  // The first night begins the interval of other SKUs; STOCK-1 was counted.
  for (const days of [0, 31]) {
    await listDueForAbcCount(database, changeAt(Date.now() + days * dayMs), clientId, "DC1");
  }
  // Ends the hold: of few products stock is on hold, and other statements are measured on this base.
  await answer(short?.countId ?? "", 5);
  await withBook(database, clientId, (tx, _book, change) =>
    approveCount(tx.of(clientId, change), short?.countId ?? "", approval, freeNothing),
  );
}

async function snapshots(database: Database, clientId: string): Promise<void> {
  const change = changeAt();
  const taken = await database.transaction((tx) =>
    takeSnapshot(tx.of(clientId, change), "DC1", {
      kind: "MIDNIGHT",
      snapshotDate: "2026-01-01",
      boundary: change.at,
      wantsInv: true,
      wantsIms: true,
    }),
  );
  const snapshotId = taken?.snapshotId ?? "";
  await findSnapshot(database.of(clientId), snapshotId);
  await listUnwrittenSnapshots(database.of(clientId));
  await listSnapshotRows(database.of(clientId), snapshotId, undefined, 10);
  await listMovementsBetween(database.of(clientId), "DC1", 0, 100, undefined, 10);
  await database.transaction(async (tx) => markSnapshotWritten(tx.of(clientId), snapshotId, change.at));
}

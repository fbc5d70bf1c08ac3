// Stock of the past and reconciliation, with all their options, for the workload of plans.test.ts.
import assert from "node:assert/strict";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { reconcile } from "#/modules/inventory/reconciliation/reconcile.ts";
import * as repository from "#/modules/inventory/rest/history-repository.ts";
import { readPastDay } from "#/modules/inventory/rest/past-day.ts";
import type { Database } from "#/store/db/database.ts";
import { changeAt } from "../../support/builders/stock.ts";

/** @param skus with stock in DC1, where the client has a midnight snapshot. */
export async function runHistory(database: Database, clientId: string, skus: readonly string[]): Promise<void> {
  const fromId = idBoundary(Date.now() - 40 * dayMs);
  for (const sku of [undefined, skus[0]]) {
    for (const type of [undefined, "RECEIPT"]) {
      await repository.listMovements(database.of(clientId), "DC1", {
        sku,
        type,
        after: 1,
        to: 1_000,
        fromId,
        limit: 50,
        serialsMax: 100,
      });
    }
  }
  const dates = { from: "2025-01-01", oldestId: idBoundary(0), after: undefined, limit: 50 };
  for (const facilityCode of [undefined, "DC1"]) {
    for (const to of [undefined, "2027-01-01"]) {
      for (const isNewestFirst of [false, true]) {
        await repository.listMidnights(database.of(clientId), { ...dates, facilityCode, to, isNewestFirst });
      }
    }
  }
  const [midnight] = await repository.listMidnights(database.of(clientId), {
    ...dates,
    facilityCode: "DC1",
    to: undefined,
    isNewestFirst: false,
  });
  assert.ok(midnight, "there is no snapshot of a midnight");
  await repository.listTakenRows(database.of(clientId), midnight.snapshotId, "", 50);
  await repository.listStockedSkus(database.of(clientId), "DC1", "", 50);
  await repository.listTakenSkus(database.of(clientId), midnight.snapshotId, skus);
  const date = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 10);
  const query = { facilityCode: "DC1", date, after: "", limit: 50 };
  assert.ok((await readPastDay(database, changeAt(), clientId, query)).ok);
  const at = { skus, position: 1_000, today: date };
  await repository.listPastQuantities(database.of(clientId), "DC1", { ...at, laterFromId: fromId });
  await repository.listMovedSkus(database.of(clientId), "DC1", { ...at, sinceId: fromId });

  const counts = (qty: (ours: number) => number, ours: ReadonlyMap<string, number> = new Map()) =>
    skus.map((sku) => ({ sku, qty: qty(ours.get(sku) ?? 0) }));
  const compare = (goods: { sku: string; qty: number }[]) =>
    database.transaction((tx) =>
      reconcile(tx.of(clientId, changeAt()), { distributionCentre: "DC1", counts: goods }, undefined),
    );
  const different = await compare(counts(() => 4_711));
  assert.ok(different.ok, different.ok ? "" : different.fault.detail);
  const ours = new Map(different.value.items.map((item) => [item.sku, item.ours]));
  for (const _ of ["first", "again"]) await compare(counts((qty) => qty, ours));
}

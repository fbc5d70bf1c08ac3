// Operators' queries on stock and on purchase orders, with all their options, for the workload of plans.test.ts.

import * as inbound from "#/console-api/inbound/inbound.cross-client.ts";
import * as purchases from "#/console-api/inbound/purchase-order-repository.ts";
import * as demand from "#/console-api/stock/demand.ts";
import * as statement from "#/console-api/stock/statement.ts";
import * as stock from "#/console-api/stock/stock.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { listReceipts } from "#/modules/purchasing/receiving/receipts.ts";
import type { Database } from "#/store/db/database.ts";

export async function runConsoleStock(database: Database, clientId: string): Promise<void> {
  const scopes: Scope[] = [
    { clientIds: null, facilityCodes: null },
    { clientIds: [clientId], facilityCodes: null },
    { clientIds: null, facilityCodes: ["DC1"] },
    { clientIds: [clientId], facilityCodes: ["DC1"] },
    { clientIds: [clientId, "OTHER"], facilityCodes: ["DC1", "DC2"] },
    { clientIds: [clientId, "OTHER"], facilityCodes: null },
    { clientIds: [clientId, "OTHER"], facilityCodes: ["DC1"] },
    { clientIds: null, facilityCodes: ["DC1", "DC2"] },
    { clientIds: [clientId], facilityCodes: ["DC1", "DC2"] },
  ];
  const at = new Date().toISOString();
  const limit = 50;
  for (const scope of scopes) {
    await stock.listLevels(database, { ...scope, prefix: "SKU", after: undefined, at, limit });
    const onHold = await stock.listOnHold(database, { ...scope, prefix: "", after: undefined, limit });
    await stock.listLevels(database, { ...scope, prefix: "", after: undefined, among: onHold, at, limit });
    await stock.listBackordered(database, { ...scope, after: undefined, limit });
    const days = { from: "2025-01-01", to: "2027-01-01", after: undefined };
    for (const only of [undefined, "EXPIRED_ALLOCATED", "EXPIRING"] as const) {
      await stock.listExpiring(database, { ...scope, ...days, only, at, limit });
    }
  }
  const product = { clientId, distributionCentre: "DC1", sku: "SKU-1" };
  await stock.namesOf(database, [product, { clientId: "OTHER", sku: "SKU-2" }]);
  await stock.sumDespatched(database, [product], idBoundary(Date.now() - 30 * dayMs));
  await statement.listLots(database.of(clientId), { sku: "SKU-1", batchRef: null, facilityCodes: null, limit });
  await statement.findOnHand(database.of(clientId), "DC1", "SKU-1");
  await statement.listEntriesBefore(database.of(clientId), {
    facilityCode: "DC1",
    sku: "SKU-1",
    since: 0,
    before: 1_000,
    limit,
  });
  const days = await inbound.listFacilityDays(database, at);
  const arrivals = { statuses: ["OPEN", "RECEIVING"], isNewestFirst: true, after: undefined, limit };
  for (const scope of scopes) {
    for (const due of ["TODAY", "OVERDUE"] as const) {
      await inbound.countDue(database, scope, { due, days }, 1_000);
      await inbound.listPurchaseOrders(database, { ...scope, ...arrivals, due: { due, days } });
    }
  }
  const places = [undefined, { facilityCode: "DC1", priority: 5, at, kind: "ORDER", id: "ORDER-1", lineNumber: 1 }];
  for (const facilityCodes of [null, ["DC1"]]) {
    const ask = { sku: "SKU-1", facilityCodes, limit };
    for (const after of places) await demand.listWaiting(database.of(clientId), { ...ask, after });
    await demand.listExpected(database.of(clientId), ask);
  }
  const key = { poNumber: "PO-1", vendorOrderId: "V-1" };
  await purchases.listNamed(database.of(clientId), "PO-1/V-1", null);
  await purchases.listNamed(database.of(clientId), "PO-1", ["DC1"]);
  await purchases.findHeader(database.of(clientId), key);
  await purchases.listLines(database.of(clientId), key, limit);
  await listReceipts(database.of(clientId), key);
}

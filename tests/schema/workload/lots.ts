// The trace of a lot and of a unit, for the workload of plans.test.ts.
import * as lots from "#/modules/lots/trace-repository.ts";
import type { Database } from "#/store/db/database.ts";

/** Sends every statement of a trace and of a hold. */
export async function runLots(database: Database, clientId: string): Promise<void> {
  const tx = database.of(clientId);
  const lot = { sku: "STOCK-1", lotNumber: "B1" };
  const unit = { sku: "STOCK-1", serialNumber: "S1" };
  const several = [lot, { sku: "STOCK-2", lotNumber: "B2" }];
  await lots.listStock(tx, several);
  await lots.listReservations(
    tx,
    several.map((named) => ({ ...named, distributionCentre: "DC1" })),
  );
  await lots.listReceipts(tx, several);
  await lots.listReceiptsOfUnit(tx, unit);
  await lots.listReturns(tx, several);
  await lots.listReturnsOfUnit(tx, unit);
  await lots.listReturnedOrders(tx, [{ rmaNumber: "RMA-5001", olpnId: "106141412345678908" }]);
  await lots.listUses(tx, several);
  await lots.listUsesOfWorkOrder(tx, { workOrderId: "WO-1", sku: "STOCK-1" });
  await lots.listComponents(tx, lot);
  await lots.listMade(tx, ["WO-1"]);
  await lots.listDespatched(tx, [{ ...lot, place: 0 }], "", 50);
  await lots.listOrders(tx, ["WEB-100045"]);
  await lots.listFacilities(tx, lot);
}

// A server on which every journey can be run: stock, carriers and a simulated warehouse.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

export const server = await testServer();
await seedCarriers(server.database);
export const demo = await server.onboard("DEMO", { facilities: ["DC1"] });

/** Stocks the lot B-1 of OIL. */
export async function stockLot(): Promise<void> {
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "OIL", captureBatchRef: true }]));
  const dc1 = await warehouseOf(server);
  const lines = [{ sku: "OIL", qty: 5, batchRef: "B-1" }];
  await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: "A-1", reasonCode: "INITIAL", lines });
}

/** Starts the simulated warehouse, which receives 50 TEE. */
export async function startSimulation() {
  await demo.accept("CAT", catalogue("DEMO", ["TEE"]));
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "TEE", qty: 50 }]));
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-journeys-"));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const sim = await server.startNode({
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "100",
    CROSSDOCK_DATA_DIR: dataDir,
  });
  await until(
    "the stock",
    async () => {
      const [row] = await server.rows<{ status: string }>("select status from purchase_order where po_number = 'PO-1'");
      return row?.status === "RECEIVED";
    },
    60_000,
  );
  return sim;
}

/** Values of the variables of a collection. @param run a new one for each run */
export const variablesOf = (run: string): Readonly<Record<string, string>> => ({
  clientId: demo.credentials.oauth.client_id,
  clientSecret: demo.credentials.oauth.client_secret,
  order_sku: "TEE",
  order_orderId: run,
  return_sku: "TEE",
  return_rmaNumber: `R-${run}`,
  recall_sku: "OIL",
  recall_lotNumber: "B-1",
  recall_key: run,
});

import { readStock } from "#/modules/inventory/index.ts";
import { readLots, readStockPage } from "#/modules/inventory/rest/lookups.ts";
import type { Database } from "#/store/db/database.ts";

/** Sends every statement of the look-ups of the Inventory service. */
export async function runInventory(database: Database, clientId: string): Promise<void> {
  const today = "2026-01-01";
  await readStock(database.reads.of(clientId), "DC1", ["STOCK-1", "STOCK-2"], today);
  await readLots(database.of(clientId), "DC1", ["STOCK-1", "STOCK-2"]);
  for (const entriesMax of [0, 1000]) {
    await readStockPage(database, clientId, "DC1", { after: "A", since: 1, limit: 10, today, entriesMax });
  }
}

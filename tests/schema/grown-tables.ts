import type { Database } from "#/db/database.ts";
import { copyRows, firstRowOf } from "../support/postgres/copied-rows.ts";
import { readTables } from "./migrations.ts";

const copies = 4_000;
const openOneIn = 50;

/** A few rows for each client, whatever its size: these stay as they are, and reading all of them is no fault. */
export const smallTables: ReadonlySet<string> = new Set([
  "tenant",
  "outbox_lane",
  "outbox_due",
  "stock_book",
  "webhook_cursor",
  "outbound_way",
]);

/** Tables of which each client has rows without a bound. */
export const growingTables: readonly string[] = readTables()
  .filter(
    ({ name, class: tableClass }) => !smallTables.has(name) && ["distributed", "keyed"].includes(tableClass ?? ""),
  )
  .map(({ name }) => name);

/**
 * Makes every table of the client large and has the statistics taken.
 * One client owns nearly everything: where an index finds only the client, it has found nothing.
 */
export async function growTables(database: Database, clientId: string): Promise<void> {
  const missing: string[] = [];
  for (const table of growingTables) {
    const source = await firstRowOf(database, table, clientId);
    const made = await copyRows(database, { table, source, from: 1, to: copies, openOneIn });
    if (made !== copies) missing.push(table);
  }
  if (missing.length > 0) throw new Error(`no row of ${clientId} to copy in ${missing.join(", ")}`);
  await database.query({ text: "analyze", name: "", values: [], isTenant: false });
}

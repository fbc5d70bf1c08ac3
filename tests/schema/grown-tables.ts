import type { Database } from "#/store/db/database.ts";
import { copyRows, firstRowOf } from "../support/postgres/copied-rows.ts";
import { readTables } from "./migrations.ts";

const copies = 4_000;
const openOneIn = 50;

/**
 * Tables with a few rows per client, whatever its size. They do not grow here, and reading all their rows is not a
 * fault.
 */
export const smallTables: ReadonlySet<string> = new Set([
  "tenant",
  "certificate",
  "outbox_lane",
  "outbox_due",
  "stock_book",
  "activity_cursor",
  "webhook_cursor",
  "outbound_channel",
]);

/** Tables in which the number of rows per client is unlimited. */
export const growingTables: readonly string[] = readTables()
  .filter(
    ({ name, class: tableClass }) => !smallTables.has(name) && ["distributed", "keyed"].includes(tableClass ?? ""),
  )
  .map(({ name }) => name);

/**
 * Makes every table of the client large and updates the statistics. One client owns nearly all rows, so an index that
 * matches only the client is not selective.
 */
export async function growTables(database: Database, clientId: string): Promise<void> {
  const missing: string[] = [];
  for (const table of growingTables) {
    const source = await firstRowOf(database.of(clientId), table);
    const made = await copyRows(database, { table, source, from: 1, to: copies, openOneIn });
    if (made !== copies) missing.push(table);
  }
  if (missing.length > 0) throw new Error(`no row of ${clientId} to copy in ${missing.join(", ")}`);
  await database.query({ text: "analyze", name: "", values: [], isTenant: false });
}

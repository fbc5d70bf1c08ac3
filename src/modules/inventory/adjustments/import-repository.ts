import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { insertInto, selectFrom } from "#/db/table.ts";
import { stockImport } from "#/modules/inventory/tables.ts";

export interface StoredImport {
  readonly import_id: string;
  readonly content_sha256: string;
  readonly imported_at: string;
}

const readImports = selectFrom(stockImport, {
  by: "import_id",
  select: ["import_id", "content_sha256", "imported_at"],
  limit: 1,
});
const insertImports = insertInto(stockImport);

export async function findImport(tx: ClientTx, importId: string): Promise<StoredImport | undefined> {
  const [row] = await readImports.query(tx, [importId]);
  return row;
}

/** The primary key resolves races: of two imports of one id the second fails and runs again. */
export function insertImport(
  tx: ClientTransaction,
  row: { readonly importId: string; readonly contentSha256: string; readonly at: string; readonly lineCount: number },
): void {
  insertImports.send(tx, [
    { import_id: row.importId, content_sha256: row.contentSha256, imported_at: row.at, line_count: row.lineCount },
  ]);
}

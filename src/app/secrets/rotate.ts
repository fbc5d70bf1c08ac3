import { sealedTables } from "#/app/secrets/sealed-tables.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Database } from "#/store/db/database.ts";
import type { Resealed, SealedRow, SealedTable } from "#/store/db/schema/sealed-table.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

/** Counts of one column. */
export interface RotatedColumn {
  readonly table: string;
  readonly column: string;
  /** Sealed again under the current master key. */
  resealed: number;
  /** Already sealed under the current master key. */
  current: number;
  /** Changed concurrently by another transaction. The next run checks it again. */
  changed: number;
  /** Opened by neither key. */
  unopened: number;
}

/** A text that neither key opens. */
export interface UnopenedText {
  readonly table: string;
  readonly column: string;
  /** Undefined if the table belongs to no client. */
  readonly clientId: string | undefined;
  readonly key: string;
}

export interface Rotation {
  readonly columns: readonly RotatedColumn[];
  /** The first hundred. */
  readonly unopened: readonly UnopenedText[];
}

export interface RotateContext {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly onProgress?: (part: number) => void;
  /** Rows per transaction; tests use fewer. */
  readonly batchSize?: number;
}

const batchSizeDefault = 200;
const unopenedMax = 100;

/**
 * Seals every secret again that is sealed under the previous key. It works row by row in small transactions and
 * replaces a text only if it is unchanged since it was read. It may run concurrently with other work, stop at any
 * point, and run again.
 */
export async function rotateMasterKey(context: RotateContext): Promise<Rotation> {
  const { database, onProgress } = context;
  const clientIds = await listTenants(database);
  const parts = sealedTables.flatMap((table) =>
    (table.isOfClients ? clientIds : [undefined]).map((clientId) => ({ table, clientId })),
  );
  const columns = new Map<string, RotatedColumn>();
  for (const { table, columns: names } of sealedTables) {
    for (const column of names)
      columns.set(`${table}.${column}`, { table, column, resealed: 0, current: 0, changed: 0, unopened: 0 });
  }
  const unopened: UnopenedText[] = [];
  for (const [i, { table, clientId }] of parts.entries()) {
    await rotatePart(context, table, clientId, columns, unopened);
    onProgress?.((i + 1) / parts.length);
  }
  return { columns: [...columns.values()], unopened };
}

async function rotatePart(
  { database, secretBox, batchSize = batchSizeDefault }: RotateContext,
  table: SealedTable,
  clientId: string | undefined,
  columns: ReadonlyMap<string, RotatedColumn>,
  unopened: UnopenedText[],
): Promise<void> {
  for (let after = ""; ; ) {
    const rows: SealedRow[] = await table.list(database.of(clientId ?? ""), after, batchSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
    const texts: Resealed[] = [];
    for (const { key, column, sealed, context } of rows.flatMap((row) =>
      row.texts.map((text) => ({ ...row, ...text })),
    )) {
      const found = columns.get(`${table.table}.${column}`) as RotatedColumn;
      const secret = secretBox.open(sealed, context);
      if (secret === undefined) {
        found.unopened++;
        if (unopened.length < unopenedMax) unopened.push({ table: table.table, column, clientId, key });
      } else if (secretBox.isCurrent(sealed)) found.current++;
      else texts.push({ key, column, before: sealed, after: secretBox.seal(secret, context) });
    }
    if (texts.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const column of table.columns) {
        const columnTexts = texts.filter((text) => text.column === column);
        if (columnTexts.length === 0) continue;
        const found = columns.get(`${table.table}.${column}`) as RotatedColumn;
        const replaced = await table.replace(tx.of(clientId ?? ""), column, columnTexts);
        found.resealed += replaced;
        found.changed += columnTexts.length - replaced;
      }
    });
  }
}

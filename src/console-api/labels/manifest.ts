import { type ManifestDetail, manifestDetail } from "#/console-api/labels/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const columns = columnsOf(manifestDetail, "m");

export async function findManifest(tx: ClientTx, manifestId: string): Promise<ManifestDetail | undefined> {
  if (!isUuidV7(manifestId)) return undefined;
  const rows = await tx.query<ManifestDetail>(sql`select ${columns} from label_manifest m
    where m.client_id = ${tenant} and m.manifest_id = ${manifestId}::uuid limit 1`);
  return rows[0];
}

/** The document of a manifest that has one. */
export async function readDocument(tx: ClientTx, manifestId: string): Promise<Buffer> {
  const rows = await tx.query<{ document: Buffer }>(sql`select m.document from label_manifest m
    where m.client_id = ${tenant} and m.manifest_id = ${manifestId}::uuid limit 1`);
  return (rows[0] as { document: Buffer }).document;
}

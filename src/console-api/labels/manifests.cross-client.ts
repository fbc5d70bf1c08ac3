import { type ManifestRow, manifestRow } from "#/console-api/labels/contract.ts";
import type { PurchaseFilter } from "#/console-api/labels/purchases.cross-client.ts";
import { highest, lowest, type NewestPlace, place } from "#/console-api/newest-first.cross-client.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, acrossClients as sql } from "#/store/db/sql.ts";

const columns = columnsOf(manifestRow, "m", {
  parcels: sql`jsonb_array_length(m.parcels)`,
  leftOut: sql`jsonb_array_length(m.left_out)`,
});

/** Manifests over all clients, the last changed first. */
export function listManifests(tx: Tx, filter: PurchaseFilter): Promise<ManifestRow[]> {
  const { clientIds, facilityCodes, statuses, sourceCode, after = highest, reach = lowest, limit } = filter;
  const conditions = allOf([
    clientIds === null ? undefined : sql`m.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`m.facility_code = any(${facilityCodes}::text[])`,
    statuses === undefined ? undefined : sql`m.status = any(${statuses}::text[])`,
    sourceCode === undefined ? undefined : sql`m.source_code = ${sourceCode}`,
  ]);
  return tx.query(sql`select ${columns} from label_manifest m
    where m.updated_at > '-infinity' and m.updated_at <= ${after.at}::timestamptz and m.updated_at >= ${reach.at}::timestamptz
      and (m.updated_at, m.client_id, m.manifest_id) < ${place(after)}
      and (m.updated_at, m.client_id, m.manifest_id) >= ${place(reach)} and ${conditions}
    order by m.updated_at desc, m.client_id desc, m.manifest_id desc limit ${limit}`);
}

/** The last of the next `looked` manifests, without any filter; undefined where there are fewer. */
export async function findReachOfManifests(
  tx: Tx,
  after: NewestPlace = highest,
  looked: number,
): Promise<NewestPlace | undefined> {
  const rows = await tx.query<NewestPlace>(sql`select m.updated_at as at, m.client_id as client, m.manifest_id as id
    from label_manifest m
    where m.updated_at > '-infinity' and m.updated_at <= ${after.at}::timestamptz
      and (m.updated_at, m.client_id, m.manifest_id) < ${place(after)}
    order by m.updated_at desc, m.client_id desc, m.manifest_id desc limit 1 offset ${looked - 1}`);
  return rows[0];
}

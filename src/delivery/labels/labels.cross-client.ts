import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const clientsMax = 1_000;

/** The clients with purchases or manifests that are due at a source. @param at ISO 8601 UTC */
export async function listClientsWithDue(tx: Tx, sourceCode: string, at: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from (
        select client_id from label_purchase
        where source_code = ${sourceCode} and due_at is not null and due_at <= ${at}::timestamptz
        union
        select client_id from label_manifest
        where source_code = ${sourceCode} and due_at is not null and due_at <= ${at}::timestamptz
      ) due limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The clients with parcels whose tracking is due at a source. @param at ISO 8601 UTC */
export async function listClientsToTrack(tx: Tx, sourceCode: string, at: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from label_purchase
      where source_code = ${sourceCode} and track_due_at is not null and track_due_at <= ${at}::timestamptz
      limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The clients with bought labels at a facility that no manifest names, and whose manifests of this cut-off have not begun. */
export function listClientsToManifest(
  tx: Tx,
  {
    facilityCode,
    cutOffAt,
    since,
  }: { readonly facilityCode: string; readonly cutOffAt: string; readonly since: string },
): Promise<{ readonly clientId: string; readonly sourceCode: string }[]> {
  return tx.query(
    sql`select distinct p.client_id as "clientId", p.source_code as "sourceCode" from label_purchase p
      where p.facility_code = ${facilityCode} and p.manifest_id is null and p.created_at >= ${since}::timestamptz
        and p.created_at <= ${cutOffAt}::timestamptz and p.status = 'BOUGHT' and not exists (
          select from label_manifest m
          where m.client_id = p.client_id and m.facility_code = p.facility_code and m.source_code = p.source_code
            and m.cut_off_at = ${cutOffAt}::timestamptz)
      order by p.client_id, p.source_code limit ${clientsMax * 10}`,
  );
}

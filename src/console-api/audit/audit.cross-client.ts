import { type StoredAudit, storedAudit } from "#/console-api/audit/contract.ts";
import type { IdRange } from "#/console-api/id-order.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface AuditPageRequest extends IdRange {
  /** Null: all, and the platform itself. */
  readonly clientIds: readonly string[] | null;
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly objectType: string | undefined;
  readonly objectId: string | undefined;
  readonly limit: number;
}

/** Lines that an index finds in the order of the list: those of one client, or all. */
const linesOf = (clientIds: readonly string[] | null): Statement =>
  clientIds?.length === 1 ? sql`a.client_id = ${clientIds[0]}` : sql`a.action > ''`;

const inOrder = (isNewestFirst: boolean) => (isNewestFirst ? sql`a.audit_id desc` : sql`a.audit_id`);

/** An action on the platform itself has an empty client in the store. */
const columns = columnsOf(storedAudit, "a", { clientId: sql`nullif(a.client_id, '')` });

/** Lines of the audit log by time. */
export function listAuditOfAll(tx: Tx, page: AuditPageRequest): Promise<StoredAudit[]> {
  const { clientIds, actor, action, objectType, objectId, from, before, isNewestFirst, limit } = page;
  const conditions = allOf([
    clientIds === null || (clientIds.length === 1 && objectId === undefined)
      ? undefined
      : sql`a.client_id = any(${clientIds}::text[])`,
    actor === undefined ? undefined : sql`a.actor = ${actor}`,
    action === undefined ? undefined : sql`a.action = ${action}`,
    objectType === undefined ? undefined : sql`a.object_type = ${objectType}`,
    objectId === undefined ? linesOf(clientIds) : sql`a.object_id > '' and a.object_id = ${objectId}`,
  ]);
  return tx.query(
    sql`select ${columns}
      from audit_log a where a.audit_id >= ${from}::uuid and a.audit_id < ${before}::uuid and ${conditions}
      order by ${inOrder(isNewestFirst)} limit ${limit}`,
  );
}

/** The last of the first `looked` lines of the range that an index finds; undefined where there are fewer. */
export async function findReachOfAudit(
  tx: Tx,
  { clientIds, from, before, isNewestFirst }: Pick<AuditPageRequest, "clientIds"> & IdRange,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ audit_id: string }>(
    sql`select a.audit_id from audit_log a
      where ${linesOf(clientIds)} and a.audit_id >= ${from}::uuid and a.audit_id < ${before}::uuid
      order by ${inOrder(isNewestFirst)} limit 1 offset ${looked - 1}`,
  );
  return rows[0]?.audit_id;
}

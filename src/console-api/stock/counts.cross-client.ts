/** Requested counts over all clients, for operators: read-only, the newest first, a page at a time. */
import { type CountSummary, countSummary } from "#/console-api/stock/count-contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface CountPlace {
  /** ISO 8601, with the precision of the store. */
  readonly requestedAt: string;
  readonly clientId: string;
  readonly countId: string;
}

export interface CountFilter extends Scope {
  readonly status: string | undefined;
  readonly after: CountPlace | undefined;
  /** The last position of the scan; undefined: the end of the list. */
  readonly reach?: CountPlace | undefined;
  readonly limit: number;
}

const summaryColumns = columnsOf(countSummary, "o", {
  distributionCentre: sql`o.facility_code`,
  batchRef: sql`nullif(o.batch_ref, '')`,
  expiryDate: sql`nullif(o.expiry_date, 'infinity')`,
  lines: sql`jsonb_array_length(o.lines)`,
  waiting: sql`jsonb_array_length(jsonb_path_query_array(o.lines, '$[*].state ? (@ == "WAITING")'))`,
});

export function listCounts(tx: Tx, filter: CountFilter): Promise<CountSummary[]> {
  const { clientIds, facilityCodes, status, reach } = filter;
  const conditions = allOf([
    clientIds === null ? undefined : sql`o.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`o.facility_code = any(${facilityCodes}::text[])`,
    status === undefined ? undefined : sql`o.status = ${status}`,
    reach && sql`o.requested_at >= ${reach.requestedAt}::timestamptz and ${keyOf} >= ${valuesOf(reach)}`,
  ]);
  return tx.query(
    sql`select ${summaryColumns}
      from stock_count o
      where ${after(filter)} and ${conditions}
      order by o.requested_at desc, o.client_id desc, o.count_id desc limit ${filter.limit}`,
  );
}

/** The last of the next `looked` rows; undefined where there are fewer, or for the whole list. */
export async function findReachOfCounts(tx: Tx, filter: CountFilter, looked: number): Promise<CountPlace | undefined> {
  if (filter.clientIds === null && filter.facilityCodes === null && filter.status === undefined) return undefined;
  const rows = await tx.query<{ requested_at: string; client_id: string; count_id: string }>(
    sql`select o.requested_at, o.client_id, o.count_id from stock_count o where ${after(filter)}
      order by o.requested_at desc, o.client_id desc, o.count_id desc limit 1 offset ${looked - 1}`,
  );
  return rows[0] && { requestedAt: rows[0].requested_at, clientId: rows[0].client_id, countId: rows[0].count_id };
}

const keyOf = sql`(o.requested_at, o.client_id, o.count_id)`;
const valuesOf = ({ requestedAt, clientId, countId }: CountPlace): Statement =>
  sql`(${requestedAt}::timestamptz, ${clientId}, ${countId})`;

const first: CountPlace = { requestedAt: "infinity", clientId: "\u{10FFFF}", countId: "\u{10FFFF}" };

const after = ({ after: place = first }: CountFilter): Statement =>
  sql`o.requested_at > '-infinity' and o.requested_at <= ${place.requestedAt}::timestamptz and ${keyOf} < ${valuesOf(place)}`;

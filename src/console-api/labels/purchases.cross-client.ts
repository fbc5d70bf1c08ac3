import { type PurchaseRecord, purchase, type SourceHealth } from "#/console-api/labels/contract.ts";
import { highest, lowest, type NewestPlace, place } from "#/console-api/newest-first.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, acrossClients as sql } from "#/store/db/sql.ts";

export interface PurchaseFilter extends Scope {
  readonly statuses: readonly string[] | undefined;
  readonly sourceCode: string | undefined;
  readonly after: NewestPlace | undefined;
  /** The last position of the scan; undefined: the end of the list. */
  readonly reach: NewestPlace | undefined;
  readonly limit: number;
}

const columns = columnsOf(purchase, "p", { price: sql`p.price::text` });

/** Purchases of labels over all clients, the last changed first. */
export function listPurchases(tx: Tx, filter: PurchaseFilter): Promise<PurchaseRecord[]> {
  const { clientIds, facilityCodes, statuses, sourceCode, after = highest, reach = lowest, limit } = filter;
  const conditions = allOf([
    clientIds === null ? undefined : sql`p.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`p.facility_code = any(${facilityCodes}::text[])`,
    statuses === undefined ? undefined : sql`p.status = any(${statuses}::text[])`,
    sourceCode === undefined ? undefined : sql`p.source_code = ${sourceCode}`,
  ]);
  return tx.query(sql`select ${columns} from label_purchase p
    where p.updated_at > '-infinity' and p.updated_at <= ${after.at}::timestamptz and p.updated_at >= ${reach.at}::timestamptz
      and (p.updated_at, p.client_id, p.purchase_id) < ${place(after)}
      and (p.updated_at, p.client_id, p.purchase_id) >= ${place(reach)} and ${conditions}
    order by p.updated_at desc, p.client_id desc, p.purchase_id desc limit ${limit}`);
}

/** The last of the next `looked` purchases, without any filter; undefined where there are fewer. */
export async function findReachOfPurchases(
  tx: Tx,
  after: NewestPlace = highest,
  looked: number,
): Promise<NewestPlace | undefined> {
  const rows = await tx.query<NewestPlace>(sql`select p.updated_at as at, p.client_id as client, p.purchase_id as id
    from label_purchase p
    where p.updated_at > '-infinity' and p.updated_at <= ${after.at}::timestamptz
      and (p.updated_at, p.client_id, p.purchase_id) < ${place(after)}
    order by p.updated_at desc, p.client_id desc, p.purchase_id desc limit 1 offset ${looked - 1}`);
  return rows[0];
}

/** How many purchases are read for the figures of a day: more count as this many. */
const countedMax = 100_000;

/** The figures of each source since a moment: its waiting purchases, and what changed since then. */
export async function readHealthOfSources(tx: Tx, since: string): Promise<ReadonlyMap<string, SourceHealth>> {
  const rows = await tx.query<SourceHealth & { readonly sourceCode: string }>(sql`select p.source_code as "sourceCode",
      (count(*) filter (where p.due_at is not null))::integer as pending,
      (count(*) filter (where p.status = 'BOUGHT'))::integer as bought,
      (count(*) filter (where p.status in ('REFUSED', 'FAILED', 'VOID_FAILED')))::integer as failed,
      (array_agg(p.error order by p.updated_at desc) filter (where p.error is not null))[1] as "lastError",
      min(p.created_at) filter (where p.status = 'PENDING') as "oldestPendingAt"
    from (
      select l.source_code, l.status, l.error, l.due_at, l.created_at, l.updated_at from label_purchase l
      where l.updated_at > '-infinity' and l.updated_at > ${since}::timestamptz order by l.updated_at desc limit ${countedMax}
    ) p group by p.source_code limit 1000`);
  return new Map(rows.map(({ sourceCode, ...health }) => [sourceCode, health]));
}

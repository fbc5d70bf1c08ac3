import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

interface BookName {
  readonly clientId: string;
  readonly facilityCode: string;
}

const bookName = sql`client_id as "clientId", facility_code as "facilityCode"`;

/** Books with newly free stock that lines may wait for, in no order. */
export function listAllocationDue(tx: Tx, limit: number): Promise<BookName[]> {
  return tx.query(sql`select distinct ${bookName} from stock_change where needs_allocation limit ${limit}`);
}

/** Clients with unreported changes that are at least as old as `olderThan` (ISO 8601). */
export async function listClientsWithUnpublishedChanges(tx: Tx, olderThan: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from stock_change
      where changed_at is not null and changed_at <= ${olderThan}::timestamptz limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Books with allocated, unpicked stock whose last day was before `today`. */
export function listBooksWithExpired(tx: Tx, today: string, limit: number): Promise<BookName[]> {
  return tx.query(
    sql`select distinct ${bookName} from stock_reservation
      where expiry_date < 'infinity' and expiry_date < ${today}::date and qty_allocated > 0 limit ${limit}`,
  );
}

/** Books with lines that wait for goods which were promised for a day before `today`. */
export function listBooksWithOverduePromises(tx: Tx, today: string, limit: number): Promise<BookName[]> {
  return tx.query(
    sql`select distinct ${bookName} from sales_order_line
      where promised_on is not null and qty_open + qty_backordered > 0 and promised_on < ${today}::date limit ${limit}`,
  );
}

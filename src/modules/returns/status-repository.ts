import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

export interface ReturnStatus {
  readonly rma_number: string;
  readonly status: string;
  readonly distribution_centre: string;
  /** The document that wrote it last. */
  readonly feed_token: string;
}

/** The states of returns; unknown returns are absent. */
export function findStatuses(tx: ClientTx, rmaNumbers: readonly string[]): Promise<ReturnStatus[]> {
  return tx.query(sql`select rma_number, status, distribution_centre, feed_token from return_authorisation
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) limit 10000`);
}

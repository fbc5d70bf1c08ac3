import type { Transaction, Tx } from "#/db/database.ts";
import type { Statement } from "#/db/sql.ts";
import { assert } from "#/kernel/assert.ts";

/**
 * The only access to tenant tables (operations.md §5): a statement reaches them only through this function, with its
 * client bound as `$1`. Statements over several clients exist only in files named *.cross-client.ts.
 */
export function tenantQuery<Row = unknown>(tx: Tx, clientId: string, statement: Statement): Promise<Row[]> {
  return tx.query<Row>(bound(clientId, statement));
}

/** Sends without waiting for the answer: a failure fails the transaction. */
export function tenantSend(tx: Transaction, clientId: string, statement: Statement): void {
  tx.send(bound(clientId, statement));
}

function bound(clientId: string, statement: Statement): Statement {
  assert(statement.isTenant, `a tenant statement must name its client: ${statement.text}`);
  return { ...statement, values: [clientId, ...statement.values.slice(1)] };
}

/** The rules for the contents of a transaction, as functions of its statements. */
import type { TableClass } from "#/db/citus/table-classes.ts";
import type { Database, Transaction } from "#/db/database.ts";
import type { Statement } from "#/db/sql.ts";
import type { Schema } from "./plan-rules.ts";

/** Records the statements of each transaction. */
export function withTransactionsNoted(database: Database, transactions: Statement[][]): Database {
  return {
    ...database,
    transaction(work, options) {
      const statements: Statement[] = [];
      transactions.push(statements);
      const noted = (tx: Transaction): Transaction => ({
        ...tx,
        query(statement) {
          statements.push(statement);
          return tx.query(statement);
        },
        send(statement) {
          statements.push(statement);
          tx.send(statement);
        },
      });
      return database.transaction((tx) => work(noted(tx)), options);
    },
  };
}

/** Tables of a class that the statements write. */
function written(statements: readonly Statement[], { classOf }: Pick<Schema, "classOf">, wanted: TableClass): string[] {
  const names = statements.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:insert\s+into|delete\s+from|update)\s+(\w+)/gi)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter((name) => classOf.get(name) === wanted).sort();
}

/**
 * Faults that a crash of the coordinator during the commit may leave half-committed. Its own tables are committed
 * separately from those of clients. The tables of one client are on one node, those of two clients on two.
 */
export function faultsOfTransaction(statements: readonly Statement[], schema: Pick<Schema, "classOf">): string[] {
  const clients = new Set(statements.filter(({ isTenant }) => isTenant).map(({ values }) => String(values[0])));
  const ofClients = written(statements, schema, "distributed");
  const ofCoordinator = written(statements, schema, "local");
  const faults = clients.size > 1 ? [`names the clients ${[...clients].sort().join(" and ")}`] : [];
  if (ofClients.length > 0) faults.push(...ofCoordinator.map((name) => `changes ${name} beside a client's rows`));
  return faults;
}

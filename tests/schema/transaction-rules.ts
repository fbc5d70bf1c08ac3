/** The rules for the contents of a transaction, as functions of its statements. */

import type { TableClass } from "#/store/db/citus/catalogue.ts";
import { views } from "#/store/db/client-view.ts";
import type { ClientTx, Database, Transaction, Tx } from "#/store/db/database.ts";
import type { Statement } from "#/store/db/sql.ts";
import type { Schema } from "./plan-rules.ts";

/** A transaction, a query or a read: what is sent to one server. */
export interface Noted {
  /** Of work that goes to the node of this client. */
  readonly clientId: string | undefined;
  readonly statements: Statement[];
}

/** Records the statements of each transaction, and those that go to the node of a client. */
export function withTransactionsNoted(database: Database, transactions: Noted[]): Database {
  const begin = (clientId?: string): Statement[] => {
    const statements: Statement[] = [];
    transactions.push({ clientId, statements });
    return statements;
  };
  const transactionOf =
    (clientId?: string): Database["transaction"] =>
    (work, options) => {
      const statements = begin(clientId);
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
    };
  const queriesOf = (tx: ClientTx): Tx => ({
    ...views,
    query(statement) {
      begin(tx.clientId).push(statement);
      return tx.plain.query(statement);
    },
  });
  return {
    ...database,
    transaction: transactionOf(),
    ofClient: (clientId) => ({
      ...views,
      transaction: transactionOf(clientId),
      query: queriesOf(database.of(clientId)).query,
      reads: queriesOf(database.reads.of(clientId)),
    }),
  };
}

/** Tables of a class that the statements write. */
function written(
  statements: readonly Pick<Statement, "text">[],
  { classOf }: Pick<Schema, "classOf">,
  wanted: TableClass,
): string[] {
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

/**
 * Faults of work on the node of a client: other clients' rows, and what only the coordinator has. Notifications and
 * advisory locks do not leave their server. A restore point holds back commits over two nodes on the coordinator alone.
 */
export function faultsOfClientWork({ clientId, statements }: Noted, { classOf }: Pick<Schema, "classOf">): string[] {
  if (clientId === undefined) return [];
  return statements.flatMap(({ text, isTenant, values }) => {
    if (isTenant) return values[0] === clientId ? [] : [`${clientId}'s node is asked about ${values[0]}`];
    const names = [...text.matchAll(/\b(?:from|join|into|update|using)\s+(\w+)/gi)].map(([, name = ""]) => name);
    const faults = names.filter((name) => classOf.get(name) === "local").map((name) => `${name} is the coordinator's`);
    faults.push(...written([{ text }], { classOf }, "keyed").map((name) => `writes ${name}, which is on any node`));
    if (/\bpg_(?:try_)?(?:notify|advisory)/.test(text)) faults.push(`stays on its server: ${text}`);
    if (names.some((name) => classOf.get(name) === "distributed")) faults.push(`names no client: ${text}`);
    return faults;
  });
}

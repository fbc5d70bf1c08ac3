// The catalogue of statements: every statement that the product sent during the workload.

import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { openDatabase } from "#/store/db/database.ts";
import type { Statement } from "#/store/db/sql.ts";
import { type Noted, withTransactionsNoted } from "./transaction-rules.ts";
import { readSearchedLists } from "./workload/searched-lists.ts";
import { runWorkload } from "./workload/workload.ts";

export interface Recorded {
  /** One per text, with the values of its first use. */
  readonly statements: readonly Statement[];
  readonly transactions: readonly Noted[];
}

/** Runs the workload on the database; its rows remain. */
export async function recordWorkload(url: string, client: FeedClient): Promise<Recorded> {
  const sent = new Map<string, Statement>();
  const transactions: Noted[] = [];
  const recorded = openDatabase({
    url,
    connectionsMax: 10,
    applicationName: "crossdock plans",
    onStatement: (statement) => sent.has(statement.text) || sent.set(statement.text, kept(statement)),
  });
  try {
    await runWorkload(withTransactionsNoted(recorded, transactions), client);
  } finally {
    await recorded.close();
  }
  return { statements: [...sent.values()], transactions };
}

/** Texts of the statements for pages of lists, on the database of a workload. */
export async function textsOfPages(url: string, clientId: string): Promise<Set<string>> {
  const texts = new Set<string>();
  const onStatement = ({ text }: Statement) => texts.add(text);
  const database = openDatabase({ url, connectionsMax: 4, applicationName: "crossdock pages", onStatement });
  try {
    await readSearchedLists(database, { clientId, searchedAtOnce: 1 });
  } finally {
    await database.close();
  }
  return texts;
}

/** Values as they are sent. Bytes are copied, because the product releases large buffers as soon as they are stored. */
function kept(statement: Statement): Statement {
  const values = statement.values.map((value) => {
    if (value instanceof Uint8Array) return Buffer.from(value);
    const { toPostgres } = (value ?? {}) as { toPostgres?(): unknown };
    return toPostgres === undefined ? value : toPostgres.call(value);
  });
  return { ...statement, values };
}

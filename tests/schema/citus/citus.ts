import pg from "pg";
import type { Statement } from "#/db/sql.ts";
import { createOnCitus, dropOnCitus } from "../../support/postgres/citus-database.ts";
import { explainText, prepareText } from "../prepared.ts";

/**
 * Asks a Citus coordinator for the plan of each statement; answers those that are more than one task.
 * @param citusUrl of a database on it that has the extension and its workers; the plans are asked in one made for this
 */
export async function explainOnCitus(citusUrl: string, statements: readonly Statement[]): Promise<string[]> {
  const name = `plans_${process.pid}_${Date.now().toString(36)}`;
  try {
    return await explainIn(await createOnCitus(citusUrl, name), statements);
  } finally {
    await dropOnCitus(citusUrl, name);
  }
}

async function explainIn(url: string, statements: readonly Statement[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const faults: string[] = [];
    for (const statement of statements) {
      await client.query(prepareText(statement));
      const { rows } = await client.query<{ "QUERY PLAN": string }>(explainText(statement, "costs off"));
      await client.query("deallocate explained");
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      // A single insert of values is sent on as it is, and counts its task too.
      const isOneTask = /Task Count: 1\b/.test(plan) && !/Distributed Subplan|pull to coordinator/i.test(plan);
      if (!isOneTask) faults.push(`${statement.text}\n${plan}`);
    }
    return faults;
  } finally {
    await client.end();
  }
}

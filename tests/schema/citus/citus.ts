import pg from "pg";
import type { Statement } from "#/store/db/sql.ts";
import { faultsOfClientPlan } from "../../citus/citus-plans.ts";
import { createOnCitus, dropOnCitus } from "../../support/postgres/citus-database.ts";
import { explainText, prepareText } from "../prepared.ts";

/**
 * Requests the plan of each statement from a Citus coordinator; returns the statements with more than one task.
 * @param citusUrl of a database with the extension and its workers; the plans are requested in a database created for
 * this
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
      faults.push(...faultsOfClientPlan(plan).map((fault) => `${fault}: ${statement.text}\n${plan}`));
    }
    return faults;
  } finally {
    await client.end();
  }
}

import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "#/db/migrator.ts";
import { makePartitions } from "#/db/partitions.ts";
import type { Statement } from "#/db/sql.ts";
import { readTables } from "./migrations.ts";
import { explainText, prepareText } from "./prepared.ts";

const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

/**
 * Asks a Citus coordinator for the plan of each statement; answers those that are more than one task.
 * @param url of a database on it, with the extension and at least one worker, that is there for this test
 */
export async function explainOnCitus(url: string, statements: readonly Statement[]): Promise<string[]> {
  await migrate(url, migrationsFolder, { afterwards: (connection) => makePartitions(connection, Date.now()) });
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await distribute(client);
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

/** As the tables' classes say; what is distributed already stays. */
async function distribute(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>("select table_name::text as name from citus_tables");
  const known = new Set(rows.map(({ name }) => name));
  for (const tableClass of ["reference", "distributed"] as const) {
    for (const { name } of readTables().filter((table) => table.class === tableClass && !known.has(table.name))) {
      const root = name === "tenant" ? "" : ", colocate_with => 'tenant'";
      const call =
        tableClass === "reference"
          ? `create_reference_table('${name}')`
          : `create_distributed_table('${name}', 'client_id'${root})`;
      await client.query(`select ${call}`);
    }
  }
}

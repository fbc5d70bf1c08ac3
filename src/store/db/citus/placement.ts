// Executes the placement plan.
import { hasCitus, type PlainConnection, readLiveTables, tablesIn } from "#/store/db/citus/catalogue.ts";
import { type PlacementPlan, planPlacement, rootTable } from "#/store/db/citus/plan.ts";
import { readMigrations } from "#/store/db/schema/migrator.ts";

/** @throws PlacementError when the database and the classes of the migrations contradict each other */
export async function readPlacementPlan(connection: PlainConnection, folder: string): Promise<PlacementPlan> {
  return planPlacement(tablesIn(await readMigrations(folder)), await readLiveTables(connection));
}

/** Executes each step separately: after an interruption, another run continues with the remaining steps. */
export async function place(
  connection: PlainConnection,
  plan: PlacementPlan,
  log: (line: string) => void = () => {},
): Promise<void> {
  for (const { text } of plan.steps) {
    log(`${text};`);
    await connection.query(text);
  }
}

/**
 * Places the tables that a migration has created on a distributed database: without this step they silently remain
 * tables of the coordinator only. Does nothing on one PostgreSQL, and before the first `citus:plan` was carried out.
 */
export async function placeNewTables(connection: PlainConnection, folder: string): Promise<void> {
  if (!(await hasCitus(connection))) return;
  const found = await connection.query(`select from citus_tables where table_name::text = '${rootTable}' limit 1`);
  if (found.rows.length > 0) await place(connection, await readPlacementPlan(connection, folder));
}

/**
 * The settings for sessions with the workers: options of our connections reach the coordinator only. Time zone and plan
 * settings affect the results and plans of statements; lock waits then end as on one PostgreSQL. One worker after the
 * other: as a superuser each propagates the setting to the others, and two at once deadlock. A worker that fails is a
 * row and no error, so its message is cast to a type that it does not fit.
 */
export async function workerSettings(connection: PlainConnection): Promise<string[]> {
  const { rows } = await connection.query(
    "select quote_ident(current_user) as role, quote_ident(current_database()) as database",
  );
  const { role, database } = (rows as { role: string; database: string }[])[0] ?? { role: "", database: "" };
  const settings = [
    "timezone = 'UTC'",
    "random_page_cost = 1.1",
    "jit = off",
    "max_parallel_workers_per_gather = 0",
    "lock_timeout = '1s'",
  ];
  return settings.map(
    (setting) =>
      `select nodename, (case when success then 'true' else result end)::boolean as is_set from run_command_on_workers($$alter role ${role} in database ${database} set ${setting}$$, parallel => false)`,
  );
}

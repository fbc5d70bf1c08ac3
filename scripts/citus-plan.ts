// `npm run citus:plan` prints the statements that distribute the database by the classes of its tables. `-- --back`
// prints those that make it a single PostgreSQL again; `--apply` runs them (docs/citus.md).
import { parseArgs } from "node:util";
import { bringUpToDate, openStore } from "#/app/roles/store.ts";
import { readConfig } from "#/cli/context.ts";
import { systemClock } from "#/kernel/clock.ts";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import { hasCitus, type PlainConnection, readLiveTables } from "#/store/db/citus/catalogue.ts";
import { place, readPlacementPlan, workerSettings } from "#/store/db/citus/placement.ts";
import { type PlacementPlan, planReturn } from "#/store/db/citus/plan.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";

const usage = "usage: npm run citus:plan [-- [--back] [--apply]]";

interface Flags {
  readonly isApplied: boolean;
  readonly isBack: boolean;
}

function readFlags(args: readonly string[]): Flags | undefined {
  try {
    const options = { apply: { type: "boolean" }, back: { type: "boolean" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    return { isApplied: values.apply === true, isBack: values.back === true };
  } catch {
    return undefined;
  }
}

async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (!flags) {
    console.error(usage);
    return 2;
  }
  const config = readConfig();
  if (!config.ok) {
    console.error(config.fault.reason);
    return 1;
  }
  const store = await openStore(config.value);
  try {
    await bringUpToDate(store, systemClock);
    await withSchemaLock(store.directUrl, (client) => answer(client, flags));
    return 0;
  } catch (error) {
    // The operator can fix the cause. The message states it in one sentence; a stack trace would hide it.
    console.error((error as Error).message);
    return 1;
  } finally {
    await store.close();
  }
}

async function answer(client: PlainConnection, { isApplied, isBack }: Flags): Promise<void> {
  const isCitus = await hasCitus(client);
  const plan = isBack
    ? { steps: planReturn(await readLiveTables(client)), done: [], local: [] }
    : await readPlacementPlan(client, migrationsFolder);
  if (plan.steps.length === 0) {
    const why = isBack ? "no table is distributed" : `all ${plan.done.length} tables are placed as their classes say`;
    console.log(`-- Nothing to do: ${why}.`);
    return;
  }
  const settings = isBack ? [] : await workerSettings(client);
  if (!isApplied) {
    console.log(text(plan, settings, isCitus));
    return;
  }
  if (!isCitus)
    throw new Error("this database has no Citus: run `create extension citus` in it, add its workers (docs/citus.md)");
  await refuseBesideOthers(client);
  const steps = [...settings.map((setting) => ({ table: "", text: setting })), ...plan.steps];
  await place(client, { ...plan, steps }, (line) => console.log(line));
}

/**
 * Fails while other nodes are connected: a node that writes to a table during its move waits, and on timeout its
 * request fails.
 */
async function refuseBesideOthers(client: PlainConnection): Promise<void> {
  const { rows } = await client.query(`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'crossdock%'
    order by 1 limit 100`);
  const names = (rows as { name: string }[]).map(({ name }) => name);
  if (names.length > 0)
    throw new Error(`stop all nodes first: the database is in use by ${names.map((name) => `"${name}"`).join(", ")}`);
}

function text({ steps, done, local }: PlacementPlan, settings: readonly string[], isCitus: boolean): string {
  const comment = (words: string) => (words.match(/.{1,110}(?:\s|$)/g) ?? []).map((line) => `-- ${line.trimEnd()}`);
  return [
    ...comment(
      "Send this to the coordinator with every node stopped: npm run --silent citus:plan | psql --set=ON_ERROR_STOP=1",
    ),
    ...(isCitus ? [] : comment("This database has no Citus yet: create extension citus, and add the workers first.")),
    ...(done.length > 0 ? comment(`Placed already: ${done.join(", ")}.`) : []),
    ...(local.length > 0 ? comment(`Stay on the coordinator: ${local.join(", ")}.`) : []),
    ...[...settings, ...steps.map((step) => step.text)].map((statement) => `${statement};`),
  ].join("\n");
}

process.exitCode = await main(process.argv.slice(2));

import { rmSync } from "node:fs";
import pg from "pg";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { listDueForAbcCount } from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { openDatabase } from "#/store/db/database.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { makePartitions, makePastPartitions } from "#/store/db/schema/partitions.ts";
import { insertPicks, type PickedBook } from "./counts/picks.ts";
import { machine, startProduct, temporaryFolder } from "./feeds/machine.ts";
import { superuserUrl } from "./life/base.ts";
import { forgetStatements, readStatements } from "./life/statements.ts";
import { numberOption } from "./load/arguments.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

const days = 90;

/**
 * Measures the night of the ABC counts (client setting `countAbc`): the classes of the SKUs of one client and facility,
 * by all picks of 90 days. Each pick has three entries of the ledger: allocated, picked, despatched. As many entries
 * are older than 90 days as the part of the oldest month that lies before them.
 */
export async function run(args: readonly string[]): Promise<void> {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  const plan = { picks: value("picks", 1_000_000), skus: value("skus", 20_000), nights: value("nights", 3) };
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder, settings: { shared_preload_libraries: "pg_stat_statements" } });
  const client = new pg.Client({ connectionString: superuserUrl(server, folder) });
  const database = openDatabase({ url: server.url, connectionsMax: 4, applicationName: "crossdock bench" });
  try {
    // Migrates the schema, and ends: its jobs would read beside the measurement.
    await (await startProduct(server.url)).stop();
    await client.connect();
    await client.query("create extension pg_stat_statements");
    const nowMs = Date.now();
    await makePartitions(client, nowMs);
    await makePastPartitions(client, "stock_movement", nowMs - 2 * days * dayMs, nowMs);
    await client.query("grant select on all tables in schema public to crossdock");
    const book: PickedBook = { clientId: "BENCH", facilityCode: "DC1", skus: plan.skus };
    const startedMs = performance.now();
    const entries = await insertPicks(client, book, { picks: plan.picks, days, nowMs });
    await client.query("vacuum analyze stock_movement, stock_balance, stock_last_count");
    const loadSeconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(
      `${plan.skus} SKUs and ${entries} entries of ${plan.picks} picks were put in place in ${loadSeconds} s`,
    );
    for (let night = 1; night <= plan.nights; night++) {
      const change: Change = { actor: "bench", origin: "bench", at: new Date(nowMs).toISOString(), ids: createIds() };
      await forgetStatements(client);
      const before = { wallMs: performance.now(), usage: process.cpuUsage(), postgres: cpuSecondsOf(server.pid) };
      const due = await listDueForAbcCount(database, change, book.clientId, book.facilityCode);
      const usage = process.cpuUsage(before.usage);
      const seconds = (performance.now() - before.wallMs) / 1_000;
      const postgres = cpuSecondsOf(server.pid) - before.postgres;
      const productSeconds = (usage.user + usage.system) / 1_000_000;
      const times = `${seconds.toFixed(1)} s; processor time: product ${productSeconds.toFixed(1)} s, PostgreSQL ${postgres.toFixed(1)} s`;
      console.log(`night ${night}: ${due.length} SKUs are due; ${times}`);
      for (const { text, calls, ms, pages } of await readStatements(client, 4)) {
        if (!/stock_(movement|balance)/.test(text)) continue;
        const { rows } = await client.query<{ max: number }>(
          "select max(max_exec_time) as max from pg_stat_statements where regexp_replace(query, '\\s+', ' ', 'g') = $1",
          [text],
        );
        const longest = `${(rows[0]?.max ?? 0).toFixed(0)} ms at most`;
        const average = `${(ms / calls).toFixed(1)} ms and ${Math.round(pages / calls)} pages each`;
        console.log(`  ${calls} statements, ${average}, ${longest}: ${text.slice(0, 60)}`);
      }
    }
  } finally {
    await database.close();
    await client.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

// The months of partitioned tables on Citus: a new one has its shards on the workers, append-only where the table is;
// an old one leaves none there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import {
  dropOldPartitions,
  makePartitions,
  makePastPartitions,
  monthSuffix,
  partitionedTables,
} from "#/store/db/schema/partitions.ts";
import { withClient } from "../faults/oracles/oracle.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";

const nowMs = Date.now();
const { url, database } = await testDatabase();
const { clientId } = await insertClient(database);

const list = <Row>(text: string, ...values: unknown[]) =>
  withClient(url, async (client) => (await client.query(text, values)).rows as Row[]);

/** The shards on all nodes of each partition that has this month. */
async function shardsOf(suffix: string): Promise<number> {
  const rows = await list<{ success: boolean; result: string }>(
    "select success, result from run_command_on_all_nodes($1)",
    `select count(*) from pg_class where relkind = 'r' and relname ~ '_${suffix}_[0-9]+$'`,
  );
  assert.ok(rows.length > 1 && rows.every(({ success }) => success));
  return rows.reduce((sum, { result }) => sum + Number(result), 0);
}

test("the months of a later run are on the workers, and the shards of the audit log are append-only", async () => {
  const lateMs = nowMs + 60 * dayMs;
  const suffix = monthSuffix(lateMs, 3);
  assert.equal(await shardsOf(suffix), 0);
  await withSchemaLock(url, (connection) => makePartitions(connection, lateMs));
  const [made] = await list<{ shards: number }>(
    "select count(*)::int as shards from pg_dist_shard where logicalrelid::text ~ $1",
    `_${suffix}$`,
  );
  assert.ok((made?.shards ?? 0) >= partitionedTables.length);
  assert.equal(await shardsOf(suffix), made?.shards);
  const rights = await list<{ success: boolean; result: string }>(
    "select success, result from run_command_on_shards($1, $2)",
    ...[`audit_log_${suffix}`, "select relacl::text from pg_class where oid = '%s'::regclass"],
  );
  assert.ok(rights.length > 1);
  // Of PostgreSQL's letters: a inserts, r reads, w updates, d deletes, D truncates.
  for (const { result } of rights) assert.match(result, /^\{\w+=ar[^wdD]*\/\w+\}$/);
});

test("an old month is dropped with its shards and rows on the workers, and later ones stay", async () => {
  await withSchemaLock(url, (connection) =>
    makePastPartitions(connection, "webhook_attempt", nowMs - 100 * dayMs, nowMs),
  );
  // Last month may be over for a table that is kept for a few days.
  const [old, kept] = [monthSuffix(nowMs - 100 * dayMs, 0), monthSuffix(nowMs, 0)];
  const startedAt = new Date(nowMs - 100 * dayMs).toISOString();
  await list(
    `insert into webhook_attempt (client_id, attempt_id, delivery_id, webhook_id, state, started_at)
     values ($1, $2, $2, $2, 'ENDED', $3)`,
    ...[clientId, createIds().next(nowMs - 100 * dayMs), startedAt],
  );
  const [before] = await list<{ n: number }>("select count(*)::int as n from webhook_attempt");
  assert.equal(before?.n, 1);
  const keptShards = await shardsOf(kept);
  assert.ok(keptShards > 0 && (await shardsOf(old)) > 0);
  const dropped = await withSchemaLock(url, (connection) => dropOldPartitions(connection, nowMs));
  assert.ok(dropped.includes(`webhook_attempt_${old}`), dropped.join());
  await until("no shard of the month on any node", async () => (await shardsOf(old)) === 0);
  assert.equal(await shardsOf(kept), keptShards);
  const [after] = await list<{ n: number }>("select count(*)::int as n from webhook_attempt");
  assert.equal(after?.n, 0);
});

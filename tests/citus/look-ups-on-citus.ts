// Asks every look-up of background work on Citus with all nodes, and then with a worker killed: each finds the rows of
// the clients on the other worker, and no others (docs/decisions/0048-look-ups-with-a-node-away.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, type Tx } from "#/store/db/database.ts";
import { isNodeAway } from "#/store/db/errors.ts";
import { readTables } from "../schema/migrations.ts";
import { recordWorkload } from "../schema/recorded.ts";
import { atEnd } from "../support/app/at-end.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { readRows, writeRows, writeRowsOf } from "../support/postgres/skewed-base.ts";
import { lookUps } from "./look-ups.ts";
import { openList } from "./two-clients.ts";

const clientId = "DEMO";
/** Look-ups that find rows of the workload. The others are asked, too. */
const withRowsMin = 12;
/** A connection prepares a statement, and plans it for any values from the sixth time on. */
const times = 7;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const url = await createOnCitus(cluster.url, "crossdock_look_ups");
const noted: (readonly string[])[] = [];
const database = openDatabase({
  url,
  connectionsMax: 1,
  applicationName: "crossdock test",
  statementTimeoutMs: 60_000,
  onNodesAway: (nodes) => noted.push(nodes),
});
atEnd(() => database.close());
const list = await openList(url);

async function portOf(id: string): Promise<number> {
  const [row] = await list<{ port: number }>(
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
     where p.shardid = get_shard_id_for_distribution_column('tenant', $1::text)`,
    id,
  );
  assert.ok(row);
  return row.port;
}

// The workload runs on one PostgreSQL, in a tenth of the time.
const plain = await testDatabase({ engine: "postgresql" });
await recordWorkload(plain.url, await insertClient(plain.database));
const tables = readTables();
const namesOf = (wanted: string) => tables.flatMap((table) => (table.class === wanted ? [table.name] : []));
await writeRows(database, await readRows(plain.database, namesOf("reference")));
const rows = await readRows(plain.database, namesOf("distributed"));
const port = await portOf(clientId);
let number = 1;
while ((await portOf(`SMALL${number}`)) === port) number++;
const other = `SMALL${number}`;
await insertClient(database, { clientId: other });
for (const name of namesOf("distributed")) await list(`delete from ${name} where client_id = $1`, other);
for (const to of [clientId, other]) await writeRowsOf(database, rows, { from: clientId, to });

interface Owned {
  readonly clientId?: string;
  readonly client_id?: string;
  readonly tenantId?: string;
}
const ownerOf = (row: unknown): string => {
  if (typeof row === "string") return row;
  const { clientId: id, client_id, tenantId } = row as Owned;
  return id ?? client_id ?? tenantId ?? assert.fail(JSON.stringify(row));
};
const sorted = (found: readonly unknown[]) => found.map((row) => JSON.stringify(row)).toSorted();

/** The rows that each look-up finds. */
async function askAll(tx: Tx): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const found = new Map<string, readonly unknown[]>();
  for (const [name, ask] of Object.entries(lookUps)) found.set(name, await ask(tx));
  return found;
}

test("with a worker away, each look-up of background work finds the rows on the other", {
  timeout: 300_000,
}, async (t) => {
  const whole = await askAll(database.lookUps);
  for (const [name, ask] of Object.entries(lookUps))
    assert.deepEqual(sorted(whole.get(name) ?? []), sorted(await ask(database)), name);
  assert.deepEqual(noted, []);
  const empty = [...whole].flatMap(([name, found]) => (found.length === 0 ? name : []));
  t.diagnostic(`without rows: ${empty.join(", ")}`);
  assert.ok(whole.size - empty.length >= withRowsMin, empty.join(", "));
  const ports = new Map<string, number>();
  for (const id of new Set([...whole.values()].flat().map(ownerOf))) ports.set(id, await portOf(id));

  await cluster.kill(port);
  for (let time = 1; time <= times; time++) {
    for (const [name, found] of await askAll(database.lookUps)) {
      const expected = (whole.get(name) ?? []).filter((row) => ports.get(ownerOf(row)) !== port);
      assert.deepEqual(sorted(found), sorted(expected), name);
    }
  }
  assert.deepEqual(noted, [[`127.0.0.1:${port}`]]);
  for (const [name, ask] of Object.entries(lookUps)) await assert.rejects(ask(database), isNodeAway, name);

  await cluster.start(port);
  await until("all rows", async () => {
    const found = await askAll(database.lookUps).catch(() => new Map<string, readonly unknown[]>());
    return [...whole].every(([name, all]) => sorted(found.get(name) ?? []).join() === sorted(all).join());
  });
  assert.deepEqual(noted.slice(1), [[]]);
});

// Follows docs/citus.md, "A migration under load": the next release adds columns, an index and a table while the program
// takes orders of two clients on different workers. No order is refused, and each is there once with all lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextRelease } from "../faults/nodes/releases.ts";
import { runCommand } from "../support/app/cli.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { openList, refusedOf, secret, startTwoClients } from "./two-clients.ts";

const { url } = await testDatabase();
const list = await openList(url);
const clients = await startTwoClients(url, list);
const { folder, lacks } = await nextRelease();

test("a migration refuses no order, and places what it adds", { timeout: 300_000 }, async (t) => {
  const { dataDir } = clients.server();
  const sent = await clients.underLoad(t, async () => {
    const beganMs = performance.now();
    const environment = { DATABASE_URL: url, CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_SECRET: secret };
    const { code, stdout, stderr } = await runCommand(["migrate"], environment, folder);
    assert.equal(code, 0, stderr);
    for (const name of lacks) assert.match(stdout, new RegExp(`^applied ${name}$`, "m"));
    t.diagnostic(`the migration took ${Math.round(performance.now() - beganMs)} ms`);
  });
  for (const clientId of clients.clientIds) assert.deepEqual(refusedOf(sent, clientId), []);
  await clients.checkOrders();
  const columns = await list<{ result: string }>(
    `select result from run_command_on_shards('sales_order',
       $$select count(*) from pg_attribute where attrelid = '%s'::regclass and attname in ('gift_note', 'is_gift')$$)`,
  );
  assert.ok(columns.length > 1 && columns.every(({ result }) => result === "2"));
  const [added] = await list<{ kind: string; column: string; isBesideTenant: boolean }>(
    `select n.citus_table_type as kind, n.distribution_column as column,
       n.colocation_id = t.colocation_id as "isBesideTenant"
     from citus_tables n, citus_tables t
     where n.table_name = to_regclass('order_remark') and t.table_name = to_regclass('tenant')`,
  );
  assert.deepEqual(added, { kind: "distributed", column: "client_id", isBesideTenant: true });
  const invalid = await list<{ result: string }>(
    `select result from run_command_on_shards('sales_order',
       $$select count(*) from pg_index where indrelid = '%s'::regclass and not indisvalid$$)`,
  );
  assert.ok(invalid.every(({ result }) => result === "0"));
  const ofMonths = await list<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'stock_movement_gift'::regclass",
  );
  const months = await list("select from pg_inherits where inhparent = 'stock_movement'::regclass");
  assert.ok(months.length > 0 && ofMonths.length === months.length);
  const shards = await list<{ result: string }>(
    `select result from run_command_on_shards('stock_movement', $$select count(*) from pg_index i
       join pg_class c on c.oid = i.indexrelid where i.indrelid = '%s'::regclass and i.indisvalid
         and starts_with(c.relname, 'stock_movement_gift')$$)`,
  );
  assert.ok(shards.length > 0 && shards.every(({ result }) => result === "1"), JSON.stringify(shards));
  await clients.server().stop("SIGTERM");
});

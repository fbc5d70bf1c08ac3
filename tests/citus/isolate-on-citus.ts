// Follows docs/citus.md, "A worker for a large client": the client gets a separate shard while the program is stopped.
// A new worker gets the shard under the load of this client and of one on another worker: no order is refused, and each
// is there once with all lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";
import { addWorker, openOperator, refusedOf, startTwoClients } from "./two-clients.ts";

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const url = await createOnCitus(cluster.url, "crossdock_large");
const list = await openOperator(url);
const clients = await startTwoClients(url, list);

test("a large client moves to a separate worker, and no order is refused", { timeout: 600_000 }, async (t) => {
  const [large] = clients.clientIds;
  const timed = async <Row>(name: string, text: string, ...values: unknown[]) => {
    const beganMs = performance.now();
    const rows = await list<Row>(text, ...values);
    t.diagnostic(`${name}: ${Math.round(performance.now() - beganMs)} ms`);
    return rows;
  };
  await clients.underLoad(t, async () => {});
  let shard: string | undefined;
  await clients.whileStopped(async () => {
    const [isolated] = await timed<{ shard: string }>(
      "the shard",
      "select isolate_tenant_to_new_shard('tenant', $1::text, 'CASCADE', 'block_writes')::text as shard",
      large,
    );
    shard = isolated?.shard;
  });
  const sent = await clients.underLoad(t, async () => {
    const port = await addWorker(cluster, url, list);
    await timed("the reference tables", "select replicate_reference_tables()");
    await timed(
      "the move",
      "select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)",
      ...[shard, await clients.portOf(large), port],
    );
    assert.equal(await clients.portOf(large), port);
    const shards = await list<{ shard: string }>(
      "select shardid::text as shard from citus_shards where table_name = 'tenant'::regclass and nodeport = $1",
      port,
    );
    assert.deepEqual(shards, [{ shard }]);
  });
  for (const clientId of clients.clientIds) assert.deepEqual(refusedOf(sent, clientId), []);
  await clients.checkOrders();
  await clients.server().stop("SIGTERM");
});

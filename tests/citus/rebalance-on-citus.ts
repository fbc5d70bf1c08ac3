// Follows docs/citus.md, "What is different to run": a worker is added and gets its share of the shards, under the load
// of two clients on different workers. No order is refused, and each is there once with all lines. The program's
// connections lead to the workers of its clients, unless a variable forbids it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { until } from "../support/app/until.ts";
import { startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";
import { addWorker, openOperator, refusedOf, startTwoClients } from "./two-clients.ts";

const movesMsMax = 240_000;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const url = await createOnCitus(cluster.url, "crossdock_workers");
const list = await openOperator(url);
const clients = await startTwoClients(url, list);

test("a worker is added and gets its share of the shards, and no order is refused", { timeout: 600_000 }, async (t) => {
  const sent = await clients.underLoad(t, async () => {
    for (const clientId of clients.clientIds)
      assert.ok((await clients.connectionsTo(await clients.portOf(clientId))) > 0);
    const port = await addWorker(cluster, url, list);
    await list("select citus_rebalance_start()");
    const moved = await until(
      "the moves",
      async () => {
        const [job] = await list<{ state: string }>(
          "select state::text from pg_dist_background_job order by job_id desc limit 1",
        );
        assert.ok(!["failed", "cancelled"].includes(job?.state ?? ""), "the rebalancing failed");
        return job?.state === "finished";
      },
      movesMsMax,
    );
    assert.ok(moved);
    const [placed] = await list<{ shards: number }>(
      "select count(distinct shardid)::int as shards from citus_shards where nodeport = $1",
      port,
    );
    t.diagnostic(`the new worker has ${placed?.shards} shards`);
    assert.ok((placed?.shards ?? 0) > 0);
  });
  for (const clientId of clients.clientIds) assert.deepEqual(refusedOf(sent, clientId), []);
  await clients.checkOrders();
});

test("CROSSDOCK_CITUS_WORKERS=false leads every connection to the coordinator", { timeout: 120_000 }, async (t) => {
  await clients.whileStopped(async () => {}, { CROSSDOCK_CITUS_WORKERS: "false" });
  const sent = await clients.underLoad(t, async () => {
    for (const clientId of clients.clientIds)
      assert.equal(await clients.connectionsTo(await clients.portOf(clientId)), 0);
  });
  for (const clientId of clients.clientIds) assert.deepEqual(refusedOf(sent, clientId), []);
  await clients.checkOrders();
  await clients.server().stop("SIGTERM");
});

// Follows docs/citus.md, "A worker is down": kill -9 of a worker under the load of two clients on different workers.
// The clients of the worker get 503 with Retry-After until it runs again, the others are not refused, and each order is
// there once with all lines. Orders of the others are allocated, and their webhooks sent, while the worker is down.
// `crossdock doctor` names it meanwhile, and the log both changes. Then the same with a worker that hangs.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check } from "#/cli/doctor/check.ts";
import { openDatabase } from "#/store/db/database.ts";
import { call, skus } from "../faults/load/sender.ts";
import { atEnd } from "../support/app/at-end.ts";
import { runCommand } from "../support/app/cli.ts";
import { accessTokenOf } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { post } from "../support/builders/stock.ts";
import { call as callApi } from "../support/http/call.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";
import { acceptedOf, assertRetryLater, openOperator, refusedOf, secret, startTwoClients } from "./two-clients.ts";

const refusedMin = 10;
const acceptedMin = 40;
/** In thousandths: enough for every order of the load. */
const stockQty = 100_000_000;
/** Some hundred orders took 14 s with two cores at a load of 9. */
const pushedMsMax = 120_000;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const url = await createOnCitus(cluster.url, "crossdock_killed");
const list = await openOperator(url);
const clients = await startTwoClients(url, list);
const server = clients.server();
const database = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock test" });
atEnd(() => database.close());
const receiver = await startReceiver();
atEnd(() => receiver.close());

/** From now on, the receiver gets each event of this topic of the client on the other worker. */
async function subscribe(topicName: string): Promise<void> {
  const { clientId, oauth } = clients.other;
  const body = { clientId, topicName, facilityCode: "*", contentType: "application/json", url: receiver.url };
  const created = await callApi("POST", `${server.url}/v1/webhookService/webhook/create?clientId=${clientId}`, {
    token: await accessTokenOf(server.url, oauth),
    body,
  });
  assert.equal(created.status, 201, `${created.bytes}`);
}

const pushedOrders = () =>
  receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { readonly objectId: string }).objectId);

async function checksOf(): Promise<ReadonlyMap<string, Check>> {
  const { stdout, stderr } = await runCommand(["doctor", "--json"], {
    DATABASE_URL: url,
    CROSSDOCK_DATA_DIR: server.dataDir,
    CROSSDOCK_SECRET: secret,
    PORT: new URL(server.url).port,
    CROSSDOCK_SFTP_PORT: "off",
  });
  assert.notEqual(stdout, "", stderr);
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  return new Map(checks.map((check) => [check.name, check]));
}

test("a worker that is killed costs the others no order, and none is lost or doubled", {
  timeout: 300_000,
}, async (t) => {
  const [affected, other] = clients.clientIds;
  const port = await clients.portOf(affected);
  await subscribe("order:allocated");
  const sent = await clients.underLoad(t, async (answered) => {
    await cluster.kill(port);
    let waiting = 0;
    let beganMs = 0;
    // The senders of the worker's client end only when it runs again.
    try {
      const before = answered().length;
      const since = () => answered().slice(before);
      await until("refusals", () => refusedOf(since(), affected).length > refusedMin);
      await until("orders of the other client", () => acceptedOf(since(), other).length > acceptedMin);
      assert.equal((await call(`${server.url}/readyz`)).status, 200);
      const checks = await checksOf();
      assert.equal(checks.get("database")?.status, "ok");
      assert.equal(checks.get("nodes")?.status, "fail");
      assert.match(checks.get("nodes")?.text ?? "", new RegExp(`127\\.0\\.0\\.1:${port}$`));
      assert.match(checks.get("publishing")?.text ?? "", /^could not be checked without 127/);
      assert.deepEqual(pushedOrders(), []);
      const stockedMs = performance.now();
      await post(
        database,
        other,
        skus.map((sku) => ({ sku, qty: stockQty })),
      );
      const taken = acceptedOf(since(), other).map(({ orderId }) => orderId);
      await until(
        "webhooks of the orders that were sent with the worker away",
        () => {
          const pushed = new Set(pushedOrders());
          return taken.every((orderId) => pushed.has(orderId));
        },
        pushedMsMax,
      );
      t.diagnostic(
        `${taken.length} orders of the other client were allocated and pushed within ${Math.round(performance.now() - stockedMs)} ms`,
      );
      assert.match(server.output(), new RegExp(`"nodes":\\["127\\.0\\.0\\.1:${port}"\\].*background work leaves out`));
      assert.doesNotMatch(server.output(), /all nodes of the database answer again/);
    } finally {
      waiting = answered().length;
      beganMs = performance.now();
      await cluster.start(port);
    }
    const startedMs = performance.now();
    await until("an order of the worker's client", () => acceptedOf(answered().slice(waiting), affected).length > 0);
    t.diagnostic(
      `the worker started in ${Math.round(startedMs - beganMs)} ms; the first order was accepted ${Math.round(performance.now() - startedMs)} ms later`,
    );
  });
  await until("the log", () => /all nodes of the database answer again/.test(server.output()));
  assert.deepEqual(refusedOf(sent, other), []);
  assertRetryLater(refusedOf(sent, affected));
  await clients.checkOrders();
  await until("no prepared transaction on any node", async () => {
    const rows = await list<{ result: string }>(
      "select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts')",
    );
    return rows.every(({ result }) => result === "0");
  });
  assert.equal((await checksOf()).get("nodes")?.status, "ok");
});

test("a worker that hangs costs the others no order, and their background work goes on", {
  timeout: 300_000,
}, async (t) => {
  const [affected, other] = clients.clientIds;
  const port = await clients.portOf(affected);
  const sent = await clients.underLoad(t, async (answered) => {
    const before = answered().length;
    const since = () => answered().slice(before);
    const thaw = cluster.freeze(port);
    try {
      await until("orders of the other client", () => acceptedOf(since(), other).length > acceptedMin);
      await until("refusals", () => refusedOf(since(), affected).length > 0);
      const taken = acceptedOf(since(), other).map(({ orderId }) => orderId);
      const frozenMs = performance.now();
      await until(
        "webhooks of the orders that were sent meanwhile",
        () => {
          const pushed = new Set(pushedOrders());
          return taken.every((orderId) => pushed.has(orderId));
        },
        pushedMsMax,
      );
      t.diagnostic(
        `${taken.length} orders were allocated and pushed within ${Math.round(performance.now() - frozenMs)} ms`,
      );
    } finally {
      thaw();
    }
    await until("an order of the worker's client", () => acceptedOf(since(), affected).length > 0);
  });
  assert.deepEqual(refusedOf(sent, other), []);
  assertRetryLater(refusedOf(sent, affected));
  await clients.checkOrders();
  await server.stop("SIGTERM");
});

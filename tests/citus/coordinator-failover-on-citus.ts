// Follows docs/citus.md, "A standby of the coordinator": kill -9 of the coordinator under the load of two clients, and
// the promotion of its standby under the same address. Clients get 503 with Retry-After meanwhile, and no order that was
// acknowledged is lost or doubled. The program is not restarted.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { postgresAccount, spawnOptions } from "#/store/db/embedded/account.ts";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { withClient } from "../faults/oracles/oracle.ts";
import { atEnd } from "../support/app/at-end.ts";
import { runCommand } from "../support/app/cli.ts";
import { freePort } from "../support/app/free-port.ts";
import { endProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { programsOf, startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";
import { acceptedOf, assertRetryLater, type List, refusedOf, secret, startTwoClients } from "./two-clients.ts";

const refusedMin = 10;
const acceptedMin = 10;
const startMsMax = 90_000;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const coordinator = cluster.ports[0] as number;
const url = await createOnCitus(cluster.url, "crossdock_promoted");
/** Each on a new connection, because the coordinator goes away. */
const list: List = <Row>(text: string, ...values: unknown[]) =>
  withClient(url, async (client) => (await client.query(text, values)).rows as Row[]);
const clients = await startTwoClients(url, list);
const server = clients.server();

const { bin, libraries } = programsOf(cluster.pidOf(coordinator));
const standby = path.join(cluster.folder, "standby");
atEnd(() => processesIn(standby).forEach(endProcess));

/** Runs a program of PostgreSQL as its account. Its children do not inherit the pipes of this process. */
async function run(program: string, ...args: readonly string[]): Promise<void> {
  const options = spawnOptions(postgresAccount());
  await promisify(execFile)(path.join(bin, program), args, {
    ...options,
    env: { ...options.env, LD_LIBRARY_PATH: libraries },
    timeout: startMsMax,
  });
}
const startStandby = (...args: readonly string[]) =>
  run("pg_ctl", "start", "--pgdata", standby, "--wait", "--silent", "--log", `${standby}.log`, ...args);

async function createStandby(): Promise<void> {
  const source = `host=127.0.0.1 port=${coordinator} user=postgres`;
  await run("pg_basebackup", "--dbname", source, "--pgdata", standby, "--write-recovery-conf", "--checkpoint", "fast");
  await startStandby("--options", `-p ${await freePort()}`);
  await withClient(cluster.url, async (client) => {
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query("select pg_reload_conf()");
    await until("the standby to be synchronous", async () => {
      const { rows } = await client.query("select 1 from pg_stat_replication where sync_state = 'sync'");
      return rows.length === 1;
    });
  });
}

/** The standby takes the address of the coordinator: another machine takes its name instead. */
async function promote(): Promise<void> {
  await run("pg_ctl", "stop", "--pgdata", standby, "--wait", "--silent");
  await startStandby();
  await run("pg_ctl", "promote", "--pgdata", standby, "--wait", "--silent");
}

const command = (...words: readonly string[]) =>
  runCommand(words, {
    DATABASE_URL: url,
    CROSSDOCK_DATA_DIR: server.dataDir,
    CROSSDOCK_SECRET: secret,
    PORT: new URL(server.url).port,
    CROSSDOCK_SFTP_PORT: "off",
  });

test("the standby of the coordinator takes its place, and no order is lost or doubled", {
  timeout: 300_000,
}, async (t) => {
  await createStandby();
  const created = await command("user", "create", "NIGHT", "--role", "viewer");
  assert.equal(created.code, 0, created.stderr);

  const [first, second] = clients.clientIds;
  const sent = await clients.underLoad(t, async (answered) => {
    const before = answered().length;
    await cluster.kill(coordinator);
    const killedMs = performance.now();
    const refused = () => [first, second].flatMap((of) => refusedOf(answered().slice(before), of));
    await until("refusals", () => refused().length > refusedMin);
    const promotedFromMs = performance.now();
    await promote();
    const promotedMs = performance.now();
    const waiting = answered().length;
    for (const clientId of [first, second]) {
      await until(
        `orders of ${clientId}`,
        () => acceptedOf(answered().slice(waiting), clientId).length > acceptedMin,
        60_000,
      );
    }
    t.diagnostic(
      `the promotion took ${Math.round(promotedMs - promotedFromMs)} ms, and the clients were without the store for ${Math.round(promotedMs - killedMs)} ms`,
    );
  });
  for (const clientId of [first, second]) assertRetryLater(refusedOf(sent, clientId));
  await clients.checkOrders();

  await until("no prepared transaction on any node", async () => {
    const rows = await list<{ result: string }>(
      "select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts')",
    );
    return rows.length === cluster.ports.length && rows.every(({ result }) => result === "0");
  });
  const users = await command("user", "list");
  assert.match(users.stdout, /NIGHT/, users.stderr);
  const doctor = await command("doctor", "--json");
  const { checks } = JSON.parse(doctor.stdout) as {
    checks: readonly { readonly name: string; readonly status: string }[];
  };
  assert.deepEqual(
    checks.filter(({ name }) => ["database", "nodes", "publishing"].includes(name)).map(({ status }) => status),
    ["ok", "ok", "ok"],
  );
  await server.stop("SIGTERM");
});

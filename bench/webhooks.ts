import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { machine, median, temporaryFolder } from "./feeds/machine.ts";
import { superuserUrl } from "./life/base.ts";
import { forgetStatements, readStatements } from "./life/statements.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";
import { readWalBytes } from "./sizing/tables.ts";
import {
  aloneClient,
  type Base,
  clients,
  facilities,
  insertBacklog,
  makeBase,
  masterKey,
  pathOf,
} from "./webhooks/base.ts";
import {
  type Child,
  type PeerProcess,
  type ReceiverProcess,
  startPeer,
  startReceiver,
  startWorker,
  watchMemory,
} from "./webhooks/processes.ts";
import { runSteady } from "./webhooks/steady.ts";

/**
 * Measures webhook delivery. One worker delivers a backlog to fifty subscriptions and to one; the peer is a bare loop
 * of undici and HMAC that posts the same bodies to the same receiver. It also measures the delay between the commit of
 * an event and its arrival, the cost of a hanging receiver for the others, and whether memory stays flat. Worker,
 * receiver and loop are separate processes; fsync is on.
 */
export async function run(args: readonly string[]): Promise<void> {
  const plan = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const settings = { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track_planning": "on" };
  const server = await startEmbedded({ dataDir: folder, settings: plan.printsStatements ? settings : {} });
  const children: Child[] = [];
  const started = <T extends Child>(child: T): T => {
    children.push(child);
    return child;
  };
  const client = new pg.Client({ connectionString: server.url });
  const superuser = new pg.Client({ connectionString: superuserUrl(server, folder) });
  let base: Base | undefined;
  try {
    await client.connect();
    await superuser.connect();
    if (plan.printsStatements) await superuser.query("create extension pg_stat_statements");
    const receiver = started(await startReceiver());
    const peer = started(startPeer());
    base = await makeBase(server.url, receiver.url, client);
    const { profileFolder } = plan;
    const worker = started(startWorker({ databaseUrl: server.url, secret: masterKey, profileFolder }));
    const world: World = { base, client, superuser, postgresPid: server.pid, receiver, peer, worker };
    await drain(world, clients, plan.deliveries / 10);
    const memory = watchMemory(worker.pid);
    await measureBacklog(world, "50 subscriptions of 5 clients", clients, plan, plan.deliveries);
    await measureBacklog(world, "one subscription alone", [aloneClient], plan, plan.deliveries / 3);
    if (plan.seconds > 0) await measureSteady(world, plan);
    console.log(`memory of the worker, first, after a minute, last: ${memory.report()} (goal: flat)`);
    memory.stop();
  } finally {
    for (const child of children.reverse()) await child.stop();
    await base?.database.close();
    await client.end();
    await superuser.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World {
  readonly base: Base;
  readonly client: pg.Client;
  /** Reads what statements cost. */
  readonly superuser: pg.Client;
  readonly postgresPid: number;
  readonly receiver: ReceiverProcess;
  readonly peer: PeerProcess;
  readonly worker: Child;
}

interface Plan {
  readonly rounds: number;
  /** Duration of each phase of 200 events a second; 0 skips these phases. */
  readonly seconds: number;
  /** Deliveries of each round. */
  readonly deliveries: number;
  readonly profileFolder: string | undefined;
  /** Also prints the most expensive statements of the worker, which slows PostgreSQL a little. */
  readonly printsStatements: boolean;
}

function readArguments(args: readonly string[]): Plan {
  const text = (name: string) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const value = (name: string, otherwise: number) => Number(text(name) ?? otherwise);
  return {
    rounds: value("rounds", 3),
    seconds: value("seconds", 20),
    deliveries: value("deliveries", 30_000),
    profileFolder: text("profile"),
    printsStatements: args.includes("--statements"),
  };
}

const subscriptionsOf = (clientIds: readonly string[]) => (clientIds.includes(aloneClient) ? ["*"] : facilities);
const drainMsMax = 120_000;

/** Writes a backlog into the event logs, and returns the number of deliveries a second, from the first to the last. */
async function drain({ client, receiver }: World, clientIds: readonly string[], deliveries: number): Promise<number> {
  const subscriptions = clientIds.length * subscriptionsOf(clientIds).length;
  const events = Math.ceil(deliveries / subscriptions);
  const expected = events * subscriptions;
  await receiver.ask({ kind: "count", expected });
  await insertBacklog(client, clientIds, events);
  const { firstMs, lastMs } = await receiver.counted(drainMsMax);
  // The worker has not yet settled its last deliveries.
  await sleep(1_000);
  return expected / ((lastMs - firstMs) / 1_000);
}

const peerSeconds = 3;
const list = (values: readonly number[], digits = 0) => values.map((value) => value.toFixed(digits)).join(" ");

async function measureBacklog(
  world: World,
  name: string,
  clientIds: readonly string[],
  { rounds, printsStatements }: Plan,
  deliveries: number,
): Promise<void> {
  const { base, superuser, receiver, peer } = world;
  const urls = clientIds.flatMap((clientId) =>
    subscriptionsOf(clientIds).map((facilityCode) => receiver.url + pathOf(clientId, facilityCode)),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  const costs: Costs[] = [];
  if (printsStatements) await forgetStatements(superuser);
  for (let round = 0; round < rounds; round++) {
    theirs.push((await peer.run({ urls, inFlight: 4, seconds: peerSeconds, bodies: base.bodies })).rate);
    const before = await readCosts(world);
    ours.push(await drain(world, clientIds, deliveries));
    costs.push(minus(await readCosts(world), before));
  }
  const goal = clientIds.includes(aloneClient) ? "" : " (goal ≥ 2000)";
  console.log(`${name}: ${list(ours)} deliveries/s, median ${median(ours).toFixed(0)}${goal}`);
  console.log(`${name}: bare loop ${list(theirs)} posts/s, median ${median(theirs).toFixed(0)}`);
  const ratios = ours.map((rate, i) => rate / (theirs[i] as number));
  console.log(`${name}: ratio ${median(ratios).toFixed(2)}, by round ${list(ratios, 2)}`);
  const figures = (figureOf: (cost: Costs) => number) => list(costs.map((cost) => figureOf(cost) / deliveries));
  const microseconds = `worker ${figures(({ worker }) => worker * 1e6)} µs, PostgreSQL ${figures(({ postgres }) => postgres * 1e6)} µs`;
  console.log(`${name}: a delivery by round, ${microseconds} of processor time`);
  console.log(
    `${name}: a delivery by round, log ${figures(({ wal }) => wal)} B, disk ${figures(({ disk }) => disk)} B`,
  );
  if (!printsStatements) return;
  for (const { text, calls, ms, rows } of await readStatements(superuser, 16)) {
    const [microseconds, count, written] = [ms * 1_000, calls, rows].map((sum) => sum / (rounds * deliveries));
    const line = `${microseconds?.toFixed(1)} µs, ${count?.toFixed(3)} calls, ${written?.toFixed(2)} rows a delivery`;
    console.log(`${line}: ${text.slice(0, 150)}`);
  }
}

/** Totals of the worker and of PostgreSQL: seconds of processor time, and bytes of the log and of the database's files. */
interface Costs {
  readonly worker: number;
  readonly postgres: number;
  readonly wal: number;
  readonly disk: number;
}

async function readCosts({ client, worker, postgresPid }: World): Promise<Costs> {
  const { rows } = await client.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  return {
    worker: cpuSecondsOf(worker.pid),
    postgres: cpuSecondsOf(postgresPid),
    wal: await readWalBytes(client),
    disk: Number(rows[0]?.bytes),
  };
}

const minus = (left: Costs, right: Costs): Costs => ({
  worker: left.worker - right.worker,
  postgres: left.postgres - right.postgres,
  wal: left.wal - right.wal,
  disk: left.disk - right.disk,
});

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

/** Alternates between undisturbed phases and phases in which one of fifty receivers hangs. */
async function measureSteady({ base, receiver }: World, { rounds, seconds }: Plan): Promise<void> {
  const calm: (readonly number[])[] = [];
  const disturbed: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) {
    calm.push(await runSteady(base.database, receiver, seconds, false));
    disturbed.push(await runSteady(base.database, receiver, seconds, true));
    await sleep(2_000);
  }
  const p = (runs: readonly (readonly number[])[], q: number) => runs.map((sorted) => quantile(sorted, q));
  const of = (runs: readonly (readonly number[])[]) =>
    `p50 ${median(p(runs, 0.5)).toFixed(0)} ms, p99 ${median(p(runs, 0.99)).toFixed(0)} ms`;
  console.log(`commit to arrival at 200 events/s: ${of(calm)} (goal p99 ≤ 1000), p99 by round ${list(p(calm, 0.99))}`);
  console.log(`one of 50 hangs: ${of(disturbed)} of the other 49, p99 by round ${list(p(disturbed, 0.99))}`);
  const ratios = p(disturbed, 0.99).map((p99, i) => p99 / (p(calm, 0.99)[i] as number));
  console.log(`one of 50 hangs: ratio of p99 ${median(ratios).toFixed(2)} (goal ≤ 1.2), by round ${list(ratios, 2)}`);
}

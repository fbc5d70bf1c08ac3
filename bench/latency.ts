import { rmSync } from "node:fs";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { machine, median, sendArrivals, sendOrders, temporaryFolder } from "./feeds/machine.ts";
import { drained, type Started, shares, startOn } from "./feeds.ts";
import { numberOption } from "./load/arguments.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

/**
 * Measures how long an order waits for its acknowledgement when orders arrive at a share of the greatest rate: with all
 * roles in one process, and with the roles `feeds` and `auth` in a separate process, in turn on one PostgreSQL. With
 * `--one`, only the first. The rates are shares of the greatest rate of one process, or of `--greatest`.
 */
export async function run(args: readonly string[]): Promise<void> {
  const rounds = numberOption(args, "rounds", 2);
  const seconds = numberOption(args, "seconds", 8);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  const stops: (() => Promise<void>)[] = [];
  const start = async (name: string, env?: NodeJS.ProcessEnv) => {
    const started = await startOn(server.url, name, env);
    stops.push(started.stop);
    return started;
  };
  try {
    const deployments: Deployment[] = [];
    const product = await start("bench_one");
    deployments.push({ name: "one process", feeds: product, pids: [product.pid] });
    if (!args.includes("--one")) {
      const dataDir = temporaryFolder("split");
      const others = await start("bench_split", {
        CROSSDOCK_DATA_DIR: dataDir,
        CROSSDOCK_ROLES: "api,auth,worker,console,sftp",
      });
      const feeds = await start("bench_split", { CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_ROLES: "feeds,auth" });
      deployments.push({ name: "feeds apart", feeds, pids: [feeds.pid, others.pid] });
    }
    for (const { feeds } of deployments) await sendOrders(feeds, 6, "W");
    let greatest = numberOption(args, "greatest", 0);
    for (const { name, feeds } of deployments) {
      const { rate, p50, p99 } = await sendOrders(feeds, seconds, "G");
      greatest ||= rate;
      await drained(feeds.databaseUrl);
      console.log(`${name}: 32 senders ${Math.round(rate)} /s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    }
    for (const share of shares) await compare(deployments, { share, greatest, rounds, seconds, serverPid: server.pid });
  } finally {
    for (const stop of stops) await stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Deployment {
  readonly name: string;
  readonly feeds: Started;
  readonly pids: readonly number[];
}

interface Comparison {
  readonly share: number;
  readonly greatest: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly serverPid: number;
}

async function compare(deployments: readonly Deployment[], comparison: Comparison): Promise<void> {
  const { share, greatest, rounds, seconds, serverPid } = comparison;
  const rate = Math.round((greatest * share) / 100);
  const results = deployments.map(() => ({ p50: [] as number[], p99: [] as number[], product: 0, store: 0, count: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { feeds, pids }] of deployments.entries()) {
      const result = results[i] as (typeof results)[number];
      const product = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
      const before = { product: product(), store: cpuSecondsOf(serverPid) };
      const { p50, p99, count } = await sendArrivals(feeds, { seconds, rate, prefix: `A${share}-${round}` });
      // Work that the relay still has is part of an order's time, and must not slow the next peer.
      await drained(feeds.databaseUrl);
      result.p50.push(p50);
      result.p99.push(p99);
      result.product += product() - before.product;
      result.store += cpuSecondsOf(serverPid) - before.store;
      result.count += count;
    }
  }
  for (const [i, { p50, p99, product, store, count }] of results.entries()) {
    const text = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(" ");
    const perOrder = (busy: number) => ((busy * 1_000) / count).toFixed(2);
    console.log(
      `${share} %, ${rate} /s, ${deployments[i]?.name}: p50 ${median(p50).toFixed(1)} ms (${text(p50)}), p99 ${median(p99).toFixed(1)} ms (${text(p99)}), product ${perOrder(product)} + PostgreSQL ${perOrder(store)} ms`,
    );
  }
}

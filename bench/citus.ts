import { interruptible } from "#/cli/interruption.ts";
import { missingKit } from "../tests/support/postgres/citus-cluster.ts";
import { type Peer, type Place, startPeer } from "./citus/peers.ts";
import { threeLineOrder } from "./feeds/documents.ts";
import { machine } from "./feeds/machine.ts";
import { sendFeed } from "./feeds/send.ts";
import { takeRepeated } from "./life/reports.ts";
import { live, skuOf, together } from "./life/stages.ts";
import { numberOption } from "./load/arguments.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

interface Plan {
  readonly clients: number;
  readonly senders: number;
  readonly shards: number;
  readonly rounds: number;
  /** Orders of a round, of all clients together. */
  readonly accepted: number;
  /** Zero leaves the lives out. */
  readonly lived: number;
  /** Leaves larger clusters out. */
  readonly workersMax: number;
}

/** Seconds of processors, of the product and of each node of its store. */
interface Usage {
  readonly seconds: number;
  readonly productSeconds: number;
  readonly nodeSeconds: readonly number[];
}

const workerCounts = [0, 1, 2, 4];

/**
 * Measures which node's processors an order takes on Citus with one, two and four workers, beside plain PostgreSQL: its
 * acceptance over HTTP, by a product that does nothing else, and its whole life. The peers take turns, so other load
 * meets all of them.
 */
export async function run(args: readonly string[]): Promise<void> {
  const missing = missingKit();
  if (missing !== undefined) {
    console.log(missing);
    return;
  }
  const plan = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const closers: (() => unknown)[] = [];
  await interruptible(
    () => compare(plan, closers),
    async () => {
      for (const close of closers.toReversed()) await close();
    },
  );
}

function readArguments(args: readonly string[]): Plan {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  return {
    clients: value("clients", 8),
    senders: value("senders", 16),
    shards: value("shards", 8),
    rounds: value("rounds", 3),
    accepted: value("accepted", 800),
    lived: value("lived", 160),
    workersMax: value("workers", workerCounts.at(-1) ?? 1),
  };
}

async function compare(plan: Plan, closers: (() => unknown)[]): Promise<void> {
  const peers: Peer[] = [];
  for (const workers of workerCounts.filter((count) => count <= plan.workersMax))
    peers.push(await startPeer(workers, plan, closers));
  const [first] = peers;
  const { rows } = (await first?.places[0]?.base.client.query("show server_version")) ?? { rows: [] };
  console.log(
    `PostgreSQL ${rows[0]?.server_version}, ${plan.clients} clients, ${plan.senders} senders, ${plan.shards} shards`,
  );
  if (plan.lived > 0) {
    const lives = await measureByTurns(peers, plan, (peer, name) =>
      usageOf(peer, peer.product.pid, () => liveAll(peer, plan, name)),
    );
    print(`whole life, ${plan.rounds} rounds of ${plan.lived} orders`, peers, lives, plan.lived * plan.rounds);
    console.log(`reports that came again because the product was too busy: ${takeRepeated()}`);
  }
  const products = new Map(await Promise.all(peers.map(async (peer) => [peer, await peer.startAcceptance()] as const)));
  const accepted = await measureByTurns(peers, plan, async (peer, name) => {
    const product = products.get(peer) ?? peer.product;
    return usageOf(peer, product.pid, () => sendAll(product.url, peer, plan, name));
  });
  print(`acceptance, ${plan.rounds} rounds of ${plan.accepted} orders`, peers, accepted, plan.accepted * plan.rounds);
}

/** The first round compiles the product's code and prepares the statements of its connections, and does not count. */
async function measureByTurns(
  peers: readonly Peer[],
  { rounds }: Plan,
  measure: (peer: Peer, round: string) => Promise<Usage>,
): Promise<ReadonlyMap<Peer, Usage>> {
  const sums = new Map<Peer, Usage>();
  for (let round = 0; round <= rounds; round++) {
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
      const usage = await measure(peer, `R${round}`);
      const sum = sums.get(peer);
      if (round > 0) sums.set(peer, sum ? combine(sum, usage, 1) : usage);
    }
  }
  return sums;
}

async function usageOf(peer: Peer, productPid: number, work: () => Promise<void>): Promise<Usage> {
  const read = (): Usage => ({
    seconds: performance.now() / 1_000,
    productSeconds: cpuSecondsOf(productPid),
    nodeSeconds: peer.nodes.map(({ pid }) => cpuSecondsOf(pid)),
  });
  const before = read();
  await work();
  return combine(read(), before, -1);
}

function combine(left: Usage, right: Usage, sign: number): Usage {
  return {
    seconds: left.seconds + sign * right.seconds,
    productSeconds: left.productSeconds + sign * right.productSeconds,
    nodeSeconds: left.nodeSeconds.map((seconds, i) => seconds + sign * (right.nodeSeconds[i] ?? 0)),
  };
}

/** The clients' orders live at the same time, so that all workers are busy. */
async function liveAll({ places }: Peer, { lived, senders }: Plan, round: string): Promise<void> {
  const perClient = (count: number) => Math.max(1, Math.round(count / places.length));
  await Promise.all(
    places.map(({ base, brand }) => {
      const orderIds = Array.from({ length: perClient(lived) }, (_, i) => `${round}-${brand.clientId}-${i}`);
      const life = { orderIds, reporters: perClient(senders), parcelsOfLoad: 10, readsPapers: false };
      return live(base, brand, life, (_, work) => work());
    }),
  );
}

function sendAll(url: string, { places }: Peer, { accepted, senders }: Plan, round: string): Promise<void> {
  const orders = Array.from({ length: accepted }, (_, i) => i);
  return together(senders, orders, (i) => {
    const { brand } = places[i % places.length] as Place;
    const { clientId, apiKey } = brand;
    const order = threeLineOrder(clientId, `A${round}-${i}`, (line) => skuOf(brand, i, line));
    return sendFeed({ url, apiKey }, clientId, "NO", order);
  });
}

function print(title: string, peers: readonly Peer[], usages: ReadonlyMap<Peer, Usage>, orders: number): void {
  console.log(`\n${title}: processor time of an order, ms`);
  printRow("store", [
    "orders/s",
    "product",
    "coordinator",
    "a worker",
    "all workers",
    "store",
    "store, ratio",
    "all, ratio",
  ]);
  const timesOf = (peer: Peer) => {
    const { seconds, productSeconds, nodeSeconds } = usages.get(peer) as Usage;
    const [coordinator = 0, ...workers] = nodeSeconds.map((busy) => (busy * 1_000) / orders);
    const ofWorkers = workers.reduce((sum, ms) => sum + ms, 0);
    const product = (productSeconds * 1_000) / orders;
    return { rate: orders / seconds, product, coordinator, workers, ofWorkers, store: coordinator + ofWorkers };
  };
  const [plain] = peers.map(timesOf);
  for (const peer of peers) {
    const { rate, product, coordinator, workers, ofWorkers, store } = timesOf(peer);
    printRow(peer.name, [
      rate.toFixed(1),
      product.toFixed(2),
      coordinator.toFixed(2),
      workers.map((ms) => ms.toFixed(2)).join(" "),
      ofWorkers.toFixed(2),
      store.toFixed(2),
      // Orders of a processor second, to those of plain PostgreSQL.
      ((plain?.store ?? 0) / store).toFixed(2),
      (((plain?.store ?? 0) + (plain?.product ?? 0)) / (store + product)).toFixed(2),
    ]);
  }
}

function printRow(first: string, figures: readonly string[]): void {
  console.log([first.padEnd(20), ...figures.map((figure, i) => figure.padStart(i === 3 ? 26 : 14))].join("").trimEnd());
}

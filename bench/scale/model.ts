/** Clients on the workers of Citus: the share of each shard and worker, and the moves that even it out. Pure. */
import { createHash } from "node:crypto";

/** A client; shares are parts of all orders, so they add up to 1. */
export interface ScaleClient {
  readonly number: number;
  readonly share: number;
  /** 32 bits, uniform like those by which Citus places a client. */
  readonly hash: number;
}

export interface Shard {
  readonly worker: number;
  readonly clients: readonly ScaleClient[];
  readonly share: number;
}

export interface Move {
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

export interface Balance {
  readonly shards: readonly Shard[];
  readonly moves: readonly Move[];
}

export interface Placement {
  readonly workers: number;
  readonly shards: number;
  /** The number of clients, the largest first, that get a separate shard each. */
  readonly isolated: number;
  /** A worker with more than this multiple of the mean gives shards away. */
  readonly imbalanceMax: number;
}

const hashes = 2 ** 32;
const exponentMax = 64;
/** Halvings of the range of exponents, after which the share is exact to the digits of a number. */
const halvings = 60;

/** Shares by a power law, the largest first: the nth is n^-exponent of the first, which has `biggest`. */
export function powerLaw(clients: number, biggest: number): number[] {
  if (!(biggest >= 1 / clients && biggest < 1) && clients > 1)
    throw new Error(`the largest of ${clients} clients has at least ${1 / clients} and less than 1 of the orders`);
  const sizesOf = (exponent: number) => Array.from({ length: clients }, (_, i) => (i + 1) ** -exponent);
  const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
  let [low, high] = [0, exponentMax];
  for (let i = 0; i < halvings; i++) {
    const middle = (low + high) / 2;
    if (1 / sumOf(sizesOf(middle)) < biggest) low = middle;
    else high = middle;
  }
  const sizes = sizesOf(low);
  const sum = sumOf(sizes);
  return sizes.map((size) => size / sum);
}

/** Clients with hashes that depend on the seed alone. */
export function clientsOf(shares: readonly number[], seed: number): ScaleClient[] {
  return shares.map((share, i) => {
    const hash = createHash("sha256").update(`${seed} ${i}`).digest().readUInt32BE();
    return { number: i + 1, share, hash };
  });
}

function shardOf(worker: number, clients: readonly ScaleClient[]): Shard {
  return { worker, clients, share: clients.reduce((sum, { share }) => sum + share, 0) };
}

/** Places clients as `create_distributed_table` does: equal ranges of hashes, dealt out to the workers in turn. */
export function place(clients: readonly ScaleClient[], { shards, workers }: Placement): Shard[] {
  const ofShard = Array.from({ length: shards }, (): ScaleClient[] => []);
  for (const client of clients) ofShard[Math.floor((client.hash / hashes) * shards)]?.push(client);
  return ofShard.map((found, i) => shardOf(i % workers, found));
}

/** Splits the shards of the clients: one before the client, one for it alone and one behind it, on the same worker. */
export function isolate(shards: readonly Shard[], clients: readonly ScaleClient[]): Shard[] {
  return clients.reduce<Shard[]>(
    (all, client) =>
      all.flatMap((shard) => {
        if (!shard.clients.includes(client)) return [shard];
        const part = (isIn: (hash: number) => boolean) =>
          shardOf(
            shard.worker,
            shard.clients.filter(({ hash }) => isIn(hash)),
          );
        const { hash } = client;
        return [part((other) => other < hash), part((other) => other === hash), part((other) => other > hash)];
      }),
    [...shards],
  );
}

export function sharesOfWorkers(shards: readonly Shard[], workers: number): number[] {
  const shares = Array.from({ length: workers }, () => 0);
  for (const { worker, share } of shards) shares[worker] = (shares[worker] ?? 0) + share;
  return shares;
}

/** `improvement_threshold` of Citus: a move takes at least this part of the shard off the fuller of the two workers. */
const improvementMin = 0.5;

/**
 * Moves shards, as a rebalancer does, from the fullest worker to the emptiest until none has too much. Each move is of
 * the shard that leaves the fuller of the two the least. A worker whose shards are all too large keeps them.
 */
export function rebalance(shards: readonly Shard[], { workers, imbalanceMax }: Placement): Balance {
  const placed = [...shards];
  const shares = sharesOfWorkers(shards, workers);
  const shareOf = (worker: number) => shares[worker] ?? 0;
  const limit = (imbalanceMax * shares.reduce((sum, share) => sum + share, 0)) / workers;
  const ranks = shares.map((_, worker) => worker);
  const stuck = new Set<number>();
  const moves: Move[] = [];
  for (;;) {
    const full = ranks.filter((worker) => !stuck.has(worker) && shareOf(worker) > limit);
    const [from] = full.sort((left, right) => shareOf(right) - shareOf(left));
    if (from === undefined) return { shards: placed, moves };
    const to = ranks.reduce((least, worker) => (shareOf(worker) < shareOf(least) ? worker : least), 0);
    const fullerAfter = ({ share }: Shard) => Math.max(shareOf(from) - share, shareOf(to) + share);
    const isWorthIt = (shard: Shard) => shareOf(from) - fullerAfter(shard) >= improvementMin * shard.share;
    const [best] = placed
      .filter((shard) => shard.worker === from && shard.share > 0 && isWorthIt(shard))
      .sort((left, right) => fullerAfter(left) - fullerAfter(right));
    if (best === undefined) {
      stuck.add(from);
      continue;
    }
    placed[placed.indexOf(best)] = { ...best, worker: to };
    shares[from] = shareOf(from) - best.share;
    shares[to] = shareOf(to) + best.share;
    moves.push({ share: best.share, from, to });
  }
}

/** The placement, with the large clients isolated, and evened out. */
export function balanced(clients: readonly ScaleClient[], placement: Placement): Balance {
  const shards = place(clients, placement);
  return rebalance(isolate(shards, clients.slice(0, placement.isolated)), placement);
}

/** A cluster of Citus with more workers is not reckoned with. */
const workersMax = 256;

/**
 * The least number of workers of which none has more than the given share when they are as even as moves make them,
 * with as many shards for each as in the placement; undefined if a client is too large for any number.
 */
export function workersFor(
  clients: readonly ScaleClient[],
  placement: Placement,
  shareMax: number,
): number | undefined {
  if (clients.some(({ share }) => share > shareMax)) return undefined;
  const shardsOfWorker = placement.shards / placement.workers;
  for (let workers = Math.ceil(1 / shareMax); workers <= workersMax; workers++) {
    const shards = Math.ceil(workers * shardsOfWorker);
    const { shards: placed } = balanced(clients, { ...placement, workers, shards, imbalanceMax: 1 });
    if (Math.max(...sharesOfWorkers(placed, workers)) <= shareMax) return workers;
  }
  return undefined;
}

// `npm run bench scale`: clients on workers, by hand where the numbers are small.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clientsOf,
  isolate,
  type Placement,
  place,
  powerLaw,
  rebalance,
  type ScaleClient,
  type Shard,
  sharesOfWorkers,
  workersFor,
} from "../../../bench/scale/model.ts";
import { linesOf, loadOf, type ScaleInput } from "../../../bench/scale/report.ts";
import type { Measured } from "../../../bench/sizing/plan.ts";

const quarter = 2 ** 30;
const client = (number: number, share: number, hash: number): ScaleClient => ({ number, share, hash });
const shard = (worker: number, share: number): Shard => ({ worker, share, clients: [] });
const placement: Placement = { workers: 2, shards: 4, isolated: 0, imbalanceMax: 1.1 };
const rounded = (shares: readonly number[]) => shares.map((share) => Number(share.toFixed(6)));

const measured: Measured = {
  linesOfOrder: 3,
  walBytes: 50_000,
  programMs: 12,
  storeMs: 24,
  tables: {
    sales_order: { rows: 1, heapBytes: 600, indexBytes: 400 },
    event: { rows: 2, heapBytes: 1_000, indexBytes: 1_000 },
  },
};
const kept = (table: string) => (table === "event" ? 90 : undefined);
const input: ScaleInput = {
  clients: 1_000,
  ordersAYear: 31_536_000,
  biggest: 0.2,
  peakDay: 20,
  placement: { workers: 4, shards: 32, isolated: 0, imbalanceMax: 1.1 },
  processors: 2,
  bytesMax: 1e11,
  price: undefined,
  seed: 1,
};

test("the sizes of clients are a power law, of which the largest has its part", () => {
  const shares = powerLaw(10_000, 0.2);
  assert.equal(shares.length, 10_000);
  assert.deepEqual(rounded([shares[0] ?? 0, shares.reduce((sum, share) => sum + share, 0)]), [0.2, 1]);
  const exponentOf = (n: number) => Math.log((shares[0] ?? 0) / (shares[n - 1] ?? 0)) / Math.log(n);
  assert.equal(exponentOf(10).toFixed(9), exponentOf(9_999).toFixed(9));
  assert.deepEqual(rounded(powerLaw(4, 0.25)), [0.25, 0.25, 0.25, 0.25]);
  assert.throws(() => powerLaw(4, 0.2), /the largest of 4 clients has at least 0.25 and less than 1/);
});

test("shards are equal ranges of hashes, dealt out to the workers in turn", () => {
  const clients = [
    client(1, 0.4, 0),
    client(2, 0.3, quarter),
    client(3, 0.2, 2 * quarter - 1),
    client(4, 0.1, 2 ** 32 - 1),
  ];
  const shards = place(clients, placement);
  assert.deepEqual(
    shards.map(({ worker, clients: placed }) => [worker, placed.map(({ number }) => number)]),
    [
      [0, [1]],
      [1, [2, 3]],
      [0, []],
      [1, [4]],
    ],
  );
  assert.deepEqual(rounded(sharesOfWorkers(shards, 2)), [0.4, 0.6]);
});

test("an isolated client has a shard for itself; its neighbours stay on the worker in two others", () => {
  const clients = [client(1, 0.5, 10), client(2, 0.2, 5), client(3, 0.3, 20)];
  const shards = isolate(place(clients, { ...placement, shards: 1 }), clients.slice(0, 1));
  assert.deepEqual(
    shards.map(({ clients: placed }) => placed.map(({ number }) => number)),
    [[2], [1], [3]],
  );
});

test("rebalancing moves the shard that evens out two workers best, and stops at the limit", () => {
  const { moves, shards } = rebalance([shard(0, 0.4), shard(0, 0.3), shard(0, 0.1), shard(1, 0.2)], placement);
  assert.deepEqual(moves, [{ share: 0.3, from: 0, to: 1 }]);
  assert.deepEqual(rounded(sharesOfWorkers(shards, 2)), [0.5, 0.5]);
});

test("rebalancing leaves a shard that is too large for another worker, and evens out the others", () => {
  const large = [shard(0, 0.7), shard(1, 0.2), shard(1, 0.1), shard(2, 0.05)];
  const { moves, shards } = rebalance(large, { ...placement, workers: 3, imbalanceMax: 0.5 });
  assert.deepEqual(moves, [{ share: 0.1, from: 1, to: 2 }]);
  assert.deepEqual(rounded(sharesOfWorkers(shards, 3)), [0.7, 0.2, 0.15]);
});

test("workers are added until the fullest has little enough, if no client is too large", () => {
  const clients = clientsOf(powerLaw(1_000, 0.01), 1);
  const workers = workersFor(clients, { ...placement, shards: 16 }, 0.1);
  assert.ok(workers !== undefined && workers >= 10 && workers <= 12, `${workers} workers`);
  assert.equal(workersFor(clientsOf(powerLaw(1_000, 0.2), 1), placement, 0.1), undefined);
});

test("the load of a node is added up by hand", () => {
  const load = loadOf(0.5, input, measured, kept);
  assert.equal(load.ordersADay, 43_200);
  assert.equal(load.ordersOfPeakDay, 864_000);
  // A tenth of a day's orders and a little, in its busiest hour.
  assert.equal(load.ordersOfPeakHour, 90_000);
  // 24 ms for each, and half the rate of plain PostgreSQL.
  assert.equal(load.processorSeconds, 4_320);
  assert.equal(load.processors, 2);
  assert.equal(Math.round(load.bytesAMonth), 3_942_000_000);
  assert.equal(Math.round(load.keptBytesAMonth), 1_314_000_000);
});

test("the report depends on the seed alone, and names a client that is too large for a worker", () => {
  const lines = linesOf(input, measured, kept);
  assert.deepEqual(linesOf(input, measured, kept), lines);
  assert.notDeepEqual(linesOf({ ...input, seed: 2 }, measured, kept), lines);
  const cells = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.split(/ {2,}/)
      .slice(1);
  assert.deepEqual(cells("all")?.slice(0, 3), ["1 000", "32", "86 400"]);
  assert.deepEqual(cells("as placed"), ["4", "10", "-", "-"]);
  assert.deepEqual(cells("even: processor time"), ["2", "6", "-", "-"]);
  assert.match(lines.at(-2) ?? "", /^the largest client alone: 0\.8 processors, /);
  assert.match(lines.at(-1) ?? "", / 50 % of the orders by processor time, /);
  const priced = linesOf({ ...input, price: 100, processors: 0.5 }, measured, kept);
  assert.ok(
    priced.some((line) => /^as placed +4 +10 +1 000 +0\.38$/.test(line)),
    priced.join("\n"),
  );
  assert.ok(
    priced.some((line) => /^by client: processor time +no number$/.test(line)),
    priced.join("\n"),
  );
});

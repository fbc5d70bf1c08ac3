/** The load of the workers of a placement, their cost, and how many would do, as lines of text. Pure. */
import { inFigures, inUnits } from "../sizing/page.ts";
import { assumed, bytesOf, type Kept, type Measured, planOf, stages } from "../sizing/plan.ts";
import {
  type Balance,
  balanced,
  clientsOf,
  isolate,
  type Placement,
  place,
  powerLaw,
  type ScaleClient,
  type Shard,
  sharesOfWorkers,
  workersFor,
} from "./model.ts";

export interface ScaleInput {
  readonly clients: number;
  readonly ordersAYear: number;
  /** The part of the orders that the largest client has. */
  readonly biggest: number;
  /** The ratio of the busiest day to the mean day; all clients have it on the same day. */
  readonly peakDay: number;
  readonly placement: Placement;
  /** Processors and bytes of data of a worker. */
  readonly processors: number;
  readonly bytesMax: number;
  /** The price of a machine for a month, in any currency. */
  readonly price: number | undefined;
  readonly seed: number;
}

const last = stages.at(-1);

/** The last stage of docs/sizing.md, with a larger peak. */
export const scaleDefaults: ScaleInput = {
  clients: last?.clients ?? 1,
  ordersAYear: last?.ordersAYear ?? 1,
  biggest: 0.2,
  peakDay: 20,
  placement: { workers: 24, shards: assumed.shards, isolated: 0, imbalanceMax: 1.1 },
  processors: 16,
  bytesMax: assumed.oneMachineBytes,
  price: undefined,
  seed: 1,
};

export interface Load {
  readonly ordersADay: number;
  readonly ordersOfPeakDay: number;
  readonly ordersOfPeakHour: number;
  /** Of the store, in the peak hour. */
  readonly processorSeconds: number;
  /** Processors that are busy with it for no more than the part of the time that is assumed. */
  readonly processors: number;
  readonly bytesAMonth: number;
  readonly keptBytesAMonth: number;
  readonly threeYearBytes: number;
}

const hoursOfDay = 24;
const secondsOfHour = 3_600;
const secondsOfDay = hoursOfDay * secondsOfHour;
const monthsOfYear = 12;
const hotShardsShown = 5;
const daysOfMonth = 365 / monthsOfYear;

/** @param share the part of the orders that the node has */
export function loadOf(share: number, input: ScaleInput, measured: Measured, kept: Kept): Load {
  const stage = { name: "scale", clients: input.clients, ordersAYear: input.ordersAYear * share };
  const plan = planOf(stage, measured, kept, input.peakDay);
  const ordersADay = plan.meanRate * secondsOfDay;
  const ordersOfPeakHour = plan.peakRate * secondsOfHour;
  const processorSeconds = (ordersOfPeakHour * measured.storeMs) / 1_000 / assumed.citusYield;
  const bytesOfOrder = Object.values(measured.tables).reduce((sum, size) => sum + bytesOf(size), 0);
  return {
    ordersADay,
    ordersOfPeakDay: ordersADay * input.peakDay,
    ordersOfPeakHour,
    processorSeconds,
    processors: processorSeconds / secondsOfHour / assumed.busyMax,
    bytesAMonth: bytesOfOrder * ordersADay * daysOfMonth,
    keptBytesAMonth: plan.yearBytes / monthsOfYear,
    threeYearBytes: plan.threeYearBytes,
  };
}

/** A platform, and what moves make of it. */
interface Outcome {
  readonly clients: readonly ScaleClient[];
  readonly placed: readonly Shard[];
  readonly balance: Balance;
  /** Of the fullest worker, in multiples of the mean. */
  readonly fullestBefore: number;
  readonly fullestAfter: number;
  readonly movedShare: number;
}

function outcomeOf({ biggest, clients: count, placement, seed }: ScaleInput): Outcome {
  const clients = clientsOf(powerLaw(count, biggest), seed);
  const balance = balanced(clients, placement);
  const placed = isolate(place(clients, placement), clients.slice(0, placement.isolated));
  const fullest = (shards: readonly Shard[]) =>
    Math.max(...sharesOfWorkers(shards, placement.workers)) * placement.workers;
  const movedShare = balance.moves.reduce((sum, { share }) => sum + share, 0);
  return {
    clients,
    placed,
    balance,
    fullestBefore: fullest(placed),
    fullestAfter: fullest(balance.shards),
    movedShare,
  };
}

/** The largest client, and how many clients are isolated, of the lines of the table in docs/sizing.md. */
const tableRows = [
  [0.2, 0],
  [0.2, 20],
  [0.1, 20],
  [0.05, 0],
  [0.05, 20],
  [0.02, 0],
  [0.02, 20],
] as const;

/** The table of docs/sizing.md. */
export function scaleTable(measured: Measured, kept: Kept): string[][] {
  const lines = tableRows.map(([biggest, isolated]) => {
    const input = { ...scaleDefaults, biggest, placement: { ...scaleDefaults.placement, isolated } };
    const { clients, balance, fullestBefore, fullestAfter, movedShare } = outcomeOf(input);
    const all = loadOf(1, input, measured, kept);
    const largest = loadOf(biggest, input, measured, kept);
    const workers = workersFor(clients, input.placement, input.processors / all.processors);
    return [
      percent(biggest),
      `${inFigures(largest.processors)}, ${inUnits(largest.threeYearBytes)}`,
      String(isolated),
      inFigures(fullestBefore),
      `${balance.moves.length} shards, ${inUnits(movedShare * all.threeYearBytes)}`,
      inFigures(fullestAfter),
      workers === undefined ? "no number" : String(workers),
    ];
  });
  return [
    [
      "Largest client",
      "Its processors, its data after three years",
      "Clients isolated",
      "Fullest worker as placed, times the mean",
      "Moves until none is above 1.1",
      "Fullest worker then",
      "Workers that do, by processor time",
    ],
    ...lines,
  ];
}

export function linesOf(input: ScaleInput, measured: Measured, kept: Kept): string[] {
  const { placement } = input;
  const outcome = outcomeOf(input);
  const load = (share: number) => loadOf(share, input, measured, kept);
  return [
    `${inFigures(input.clients)} clients, the largest with ${percent(input.biggest)} of ${inFigures(input.ordersAYear)} orders a year; a peak day of ${input.peakDay} times the mean; seed ${input.seed}`,
    `${placement.workers} workers of ${input.processors} processors and ${inUnits(input.bytesMax)}, ${placement.shards} shards, ${placement.isolated} clients isolated`,
    "",
    ...hotShardLines(outcome.placed),
    "",
    ...moveLines(outcome, placement, load(1)),
    "",
    ...workerLines(outcome.balance.shards, placement.workers, load),
    "",
    ...machineLines(input, outcome.clients, load(1)),
  ];
}

const percent = (part: number) => `${inFigures(part * 100)} %`;

function hotShardLines(shards: readonly Shard[]): string[] {
  const hottest = [...shards].sort((left, right) => right.share - left.share).slice(0, hotShardsShown);
  return [
    row("hot shards", ["of the orders", "× mean shard", "clients", "worker", "largest client", "of its shard"]),
    ...hottest.map(({ share, clients, worker }, i) => {
      const [largest] = clients;
      return row(`${i + 1}`, [
        percent(share),
        inFigures(share * shards.length),
        String(clients.length),
        String(worker + 1),
        `number ${largest?.number}`,
        percent((largest?.share ?? 0) / share),
      ]);
    }),
  ];
}

function moveLines(outcome: Outcome, { workers, imbalanceMax }: Placement, all: Load): string[] {
  const { balance, fullestBefore, fullestAfter, movedShare } = outcome;
  const over = sharesOfWorkers(balance.shards, workers).filter((share) => share * workers > imbalanceMax).length;
  return [
    `fullest worker, as placed: ${inFigures(fullestBefore)} times the mean`,
    `moves until none is above ${imbalanceMax} times: ${balance.moves.length} shards with ${percent(movedShare)} of the data, ${inUnits(movedShare * all.threeYearBytes)} after three years`,
    `fullest worker, after the moves: ${inFigures(fullestAfter)} times the mean${over > 0 ? `; ${over === 1 ? "one stays" : `${over} stay`} above, because each shard there is too large for another worker` : ""}`,
  ];
}

function workerLines(shards: readonly Shard[], workers: number, load: (share: number) => Load): string[] {
  const shares = sharesOfWorkers(shards, workers);
  const lineOf = (name: string, share: number, placed: readonly Shard[]) => {
    const { ordersADay, ordersOfPeakHour, processorSeconds, processors, ...bytes } = load(share);
    return row(name, [
      inFigures(placed.reduce((sum, { clients }) => sum + clients.length, 0)),
      String(placed.length),
      inFigures(ordersADay),
      inFigures(bytes.ordersOfPeakDay),
      inFigures(ordersOfPeakHour),
      inFigures(processorSeconds),
      inFigures(processors),
      inUnits(bytes.bytesAMonth),
      inUnits(bytes.keptBytesAMonth),
      inUnits(bytes.threeYearBytes),
    ]);
  };
  return [
    row("worker", [
      "clients",
      "shards",
      "orders a day",
      "on the peak day",
      "in its hour",
      "processor s",
      "processors",
      "written a month",
      "kept for ever",
      "after 3 years",
    ]),
    ...shares.map((share, worker) =>
      lineOf(
        String(worker + 1),
        share,
        shards.filter((shard) => shard.worker === worker),
      ),
    ),
    lineOf("all", 1, shards),
  ];
}

/** How many workers would do, and the machines of them: each worker and the coordinator has a standby of its size. */
function machineLines(input: ScaleInput, clients: readonly ScaleClient[], all: Load): string[] {
  const { placement, price } = input;
  const limits = [
    { name: "processor time", share: input.processors / all.processors },
    { name: "data after 3 years", share: input.bytesMax / all.threeYearBytes },
  ];
  const ordersAMonth = input.ordersAYear / monthsOfYear;
  const lineOf = (name: string, workers: number | undefined) => {
    if (workers === undefined) return row(name, ["no number"]);
    const machines = 2 * (workers + 1);
    const cost = price === undefined ? undefined : machines * price;
    return row(name, [
      String(workers),
      String(machines),
      cost === undefined ? "-" : inFigures(cost),
      cost === undefined ? "-" : inFigures((cost / ordersAMonth) * 1_000),
    ]);
  };
  const largest = clients[0]?.share ?? 0;
  const [byTime, byData] = limits.map(({ share }) => percent(share));
  return [
    row("workers that do", ["workers", "node-months", "cost a month", "1 000 orders"]),
    lineOf("as placed", placement.workers),
    ...limits.flatMap(({ name, share }) => [
      lineOf(`even: ${name}`, Math.ceil(1 / share)),
      lineOf(`by client: ${name}`, workersFor(clients, placement, share)),
    ]),
    `the largest client alone: ${inFigures(largest * all.processors)} processors, ${inUnits(largest * all.threeYearBytes)} after three years, on one worker`,
    `the largest client that fits on one worker: ${byTime} of the orders by processor time, ${byData} by data`,
  ];
}

const row = (first: string, figures: readonly string[]) =>
  [first.padEnd(30), ...figures.map((figure) => figure.padStart(16))].join("").trimEnd();

import { interruptible } from "#/cli/interruption.ts";
import { machine, median, temporaryFolder } from "./feeds/machine.ts";
import { type Base, onboard, startBase } from "./life/base.ts";
import { add, type Costs, costsOf, cpuSeconds, noCosts } from "./life/costs.ts";
import { currentXid, insertClients, insertPast, patternPrefix, rest, smallClient } from "./life/history.ts";
import { phaseNames, watchPhases } from "./life/phases.ts";
import { takeRepeated } from "./life/reports.ts";
import { live, type StageName, stageNames } from "./life/stages.ts";
import { forgetStatements, readStatements } from "./life/statements.ts";
import { type Moment, readMoment, sumOfWork, type TableWork, workSince } from "./life/tables.ts";
import { numberOption } from "./load/arguments.ts";

/** The number of orders whose rows are copied. The copies have no room for the SKUs of more orders. */
const patternsMax = 12;
const ordersOfSmallClient = 20;
/** Orders before the measurement: they compile the product's code, and prepare the statements of its connections. */
const warmUpMax = 50;
const blockOrders = 500;

interface Plan {
  /** Orders of a round. */
  readonly measured: number;
  readonly rounds: number;
  readonly blocks: number;
  readonly reporters: number;
  readonly parcelsOfLoad: number;
  /** For the skewed base: ended orders of the measured client, and the number of small clients in addition to it. */
  readonly orders: number;
  readonly clients: number;
  readonly isAnalyzed: boolean;
  readonly readsPapers: boolean;
  readonly statements: number;
  /** Prints the rows and the write-ahead log of each table. */
  readonly printsTables: boolean;
  /** Runs the skewed base without the empty one, and therefore prints no ratios. */
  readonly isSkewedAlone: boolean;
  /** The second base is empty as well, and uses row-level security. */
  readonly isRowSecure: boolean;
}

type Round = ReadonlyMap<StageName, Costs>;

/**
 * Measures the cost of the complete life of an order, stage by stage: fed over HTTP, allocated, picked, packed with its
 * papers, loaded, despatched and delivered through the warehouse port; one client, one facility, orders of three lines.
 * Rounds alternate between an empty base and a skewed one. In the skewed base, the same client has a long past and many
 * small neighbours.
 */
export async function run(args: readonly string[]): Promise<void> {
  const plan = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const closers: (() => unknown)[] = [];
  await interruptible(
    () => {
      if (args.includes("--phases")) return measurePhases(plan, closers);
      return plan.blocks > 0 ? measureBlocks(plan, closers) : compareBases(plan, closers);
    },
    async () => {
      for (const close of closers.toReversed()) await close();
    },
  );
}

function readArguments(args: readonly string[]): Plan {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  const blocks = value("blocks", 0);
  return {
    blocks,
    measured: value("measured", blocks > 0 ? blockOrders : 200),
    rounds: value("rounds", 3),
    reporters: value("reporters", 16),
    parcelsOfLoad: value("parcels-of-load", 50),
    orders: value("orders", 30_000),
    clients: value("clients", 1_500),
    statements: value("statements", 15),
    printsTables: args.includes("--tables"),
    isAnalyzed: args.includes("--analyze"),
    readsPapers: args.includes("--read-papers"),
    isSkewedAlone: args.includes("--skewed-alone"),
    isRowSecure: args.includes("--row-security"),
  };
}

async function compareBases(plan: Plan, closers: (() => unknown)[]): Promise<void> {
  const empty = plan.isSkewedAlone ? undefined : await startBase("empty", closers);
  const other = await startOther(plan, closers);
  const measured = [empty, other].filter((base) => base !== undefined);
  for (const base of measured) await warmUp(base, plan);
  const rounds = new Map<Base, Round[]>(measured.map((base) => [base, []]));
  const moments = new Map<Base, Moment>();
  for (const base of plan.printsTables ? measured : []) moments.set(base, await readMoment(base.client));
  for (let round = 0; round < plan.rounds; round++) {
    // The bases take turns in going first: the first one leaves data in the machine's caches for the second.
    for (const base of round % 2 === 0 ? measured : measured.toReversed()) {
      rounds.get(base)?.push(await measureRound(base, plan, `R${round}`));
    }
  }
  for (const base of measured) {
    printCosts(`${base.name} base, ${plan.rounds} rounds of ${plan.measured} orders`, plan, rounds.get(base) ?? []);
    await printStatements(base, plan);
    const moment = moments.get(base);
    if (moment) await printTables(base, plan, moment);
  }
  console.log(`\nreports that came again because the product was too busy: ${takeRepeated()}`);
  if (other && empty) printRatios(`${other.name} to empty base`, rounds.get(other) ?? [], rounds.get(empty) ?? []);
}

/** Starts the base that alternates with the empty one. */
async function startOther(plan: Plan, closers: (() => unknown)[]): Promise<Base | undefined> {
  if (plan.isRowSecure) return startBase("row-secure", closers, { CROSSDOCK_ROW_SECURITY: "true" });
  if (plan.orders + plan.clients === 0) return undefined;
  const skewed = await startBase("skewed", closers);
  await makePast(skewed, plan);
  return skewed;
}

/** In a base that was never analyzed, a late order must cost as much as an early one. */
async function measureBlocks(plan: Plan, closers: (() => unknown)[]): Promise<void> {
  const base = await startBase("empty", closers);
  await warmUp(base, plan);
  const wholes: Costs[] = [];
  console.log(`\na base that is never analyzed, ${plan.reporters} reporters: an order takes`);
  printRow("orders", ["product ms", "PostgreSQL ms", "together ms", "pages"]);
  for (let block = 0; block < plan.blocks; block++) {
    const round = await measureRound(base, plan, `B${block}`);
    const whole = wholeOf(round);
    wholes.push(whole);
    printRow(`${block * plan.measured + 1} to ${(block + 1) * plan.measured}`, [
      perOrderMs(whole.productSeconds, plan.measured),
      perOrderMs(whole.postgresSeconds, plan.measured),
      perOrderMs(cpuSeconds(whole), plan.measured),
      Math.round(whole.pages / plan.measured).toString(),
    ]);
  }
  const ratio = cpuSeconds(wholes.at(-1) ?? noCosts) / cpuSeconds(wholes[0] ?? noCosts);
  console.log(
    `processor time of an order of the last block to one of the first: ${ratio.toFixed(2)} (goal 0.9 to 1.1)`,
  );
  const pages = (wholes.at(-1)?.pages ?? 0) / (wholes[0]?.pages ?? 0);
  console.log(`pages of an order of the last block to one of the first: ${pages.toFixed(2)}`);
  await printStatements(base, plan);
}

/**
 * Where the product's main thread spends its time. The profile counts wall time between two samples: on a busy machine, the
 * shares are right and the sums too large.
 */
async function measurePhases(plan: Plan, closers: (() => unknown)[]): Promise<void> {
  const watch = watchPhases(temporaryFolder("profiles"));
  const base = await startBase("empty", closers, watch.env);
  await warmUp(base, plan);
  const { reporters, parcelsOfLoad, readsPapers } = plan;
  const orderIds = named("P-", plan.measured);
  await live(base, base.brand, { orderIds, reporters, parcelsOfLoad, readsPapers }, watch.stage);
  await base.product.stop();
  const seconds = watch.read(base.product.pid);
  console.log(`\nmain thread of the product, ${plan.measured} orders, ${reporters} reporters: microseconds an order`);
  const lived = stageNames.filter((stage) => seconds.has(stage));
  printRow("phase", [...lived, "whole life"]);
  const perOrder = (amounts: readonly number[]) =>
    ((amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / plan.measured).toFixed(0);
  const print = (name: string, names: readonly string[]) => {
    const amounts = lived.map((stage) => names.map((phase) => seconds.get(stage)?.get(phase) ?? 0));
    printRow(name, [...amounts.map(perOrder), perOrder(amounts.flat())]);
  };
  for (const phase of phaseNames) print(phase, [phase]);
  print("all", phaseNames);
}

async function makePast(base: Base, plan: Plan): Promise<void> {
  const { client, brand } = base;
  const patterns = Math.min(patternsMax, Math.max(1, plan.orders));
  const life = { reporters: plan.reporters, parcelsOfLoad: 1, readsPapers: false };
  const unmeasured = (_: StageName, work: () => Promise<void>) => work();
  const ofSmall = await currentXid(client);
  const small = await onboard(base, smallClient);
  await live(base, small, { ...life, orderIds: named(patternPrefix, ordersOfSmallClient) }, unmeasured);
  const ofBrand = await currentXid(client);
  await live(base, brand, { ...life, orderIds: named(patternPrefix, patterns) }, unmeasured);
  const startedMs = performance.now();
  const pattern = { clientId: brand.clientId, sinceXid: ofBrand, patterns };
  const orders = plan.orders > 0 ? await insertPast(client, pattern, plan.orders) : 0;
  if (plan.clients > 0) await insertClients(client, ofSmall, plan.clients);
  if (plan.isAnalyzed) await client.query("vacuum analyze");
  await rest(client);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(
    `${orders} ended orders and ${plan.clients} clients of ${ordersOfSmallClient} orders were put in place in ${seconds} s${plan.isAnalyzed ? ", and analyzed" : ""}`,
  );
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

async function warmUp(base: Base, plan: Plan): Promise<void> {
  await measureRound(base, { ...plan, measured: Math.min(plan.measured, warmUpMax) }, "W");
  takeRepeated();
  await base.client.query("checkpoint");
  await forgetStatements(base.client);
}

async function measureRound(base: Base, plan: Plan, name: string): Promise<Round> {
  const { reporters, parcelsOfLoad, readsPapers } = plan;
  const round = new Map<StageName, Costs>();
  const orderIds = named(`${name}-`, plan.measured);
  await live(base, base.brand, { orderIds, reporters, parcelsOfLoad, readsPapers }, async (stage, work) => {
    round.set(stage, await costsOf(base, work));
  });
  return round;
}

const sumOf = (costs: readonly Costs[]) => costs.reduce((sum, cost) => add(sum, cost), noCosts);
const wholeOf = (round: Round) => sumOf([...round.values()]);
const perOrderMs = (seconds: number, orders: number) => ((seconds * 1_000) / orders).toFixed(1);

function stagesOf(rounds: readonly Round[]): [string, (round: Round) => Costs][] {
  const lived = stageNames.filter((stage) => rounds[0]?.has(stage));
  return [
    ...lived.map(
      (stage) => [stage, (round: Round) => round.get(stage) ?? noCosts] as [string, (round: Round) => Costs],
    ),
    ["whole life", wholeOf],
  ];
}

function printCosts(title: string, plan: Plan, rounds: readonly Round[]): void {
  console.log(`\n${title}, ${plan.reporters} reporters: an order takes`);
  printRow("stage", ["orders/s", "product ms", "PostgreSQL ms", "pages", "WAL B", "disk B"]);
  const orders = plan.measured * rounds.length;
  for (const [stage, costsOf] of stagesOf(rounds)) {
    const all = rounds.map(costsOf);
    const sum = sumOf(all);
    printRow(stage, [
      median(all.map(({ seconds }) => plan.measured / seconds)).toFixed(1),
      perOrderMs(sum.productSeconds, orders),
      perOrderMs(sum.postgresSeconds, orders),
      Math.round(sum.pages / orders).toString(),
      Math.round(sum.walBytes / orders).toString(),
      Math.round(sum.diskBytes / orders).toString(),
    ]);
  }
}

async function printStatements({ client, name }: Base, plan: Plan): Promise<void> {
  const orders = plan.measured * Math.max(plan.rounds, plan.blocks);
  console.log(`\nstatements of the ${name} base by time, with planning and waiting (pg_stat_statements)`);
  printRow("ms an order", ["calls an order", "ms a call", "rows a call", "pages a call"], "statement");
  for (const { text, calls, ms, rows, pages } of await readStatements(client, plan.statements)) {
    printRow(
      (ms / orders).toFixed(2),
      [(calls / orders).toFixed(2), (ms / calls).toFixed(2), (rows / calls).toFixed(1), (pages / calls).toFixed(0)],
      text.slice(0, 150),
    );
  }
}

async function printTables({ client, name }: Base, plan: Plan, moment: Moment): Promise<void> {
  const orders = plan.measured * plan.rounds;
  const perOrder = (count: number) => (count / orders).toFixed(1);
  const bytes = (count: number) => Math.round(count / orders).toString();
  const print = (table: string, work: TableWork) =>
    printRow(table, [
      ...[work.inserted, work.updated, work.hotUpdated, work.deleted, work.records].map(perOrder),
      ...[work.headBytes, work.walBytes, work.imageBytes].map(bytes),
    ]);
  console.log(`\ntables of the ${name} base by write-ahead log, an order`);
  printRow("table", ["inserted", "updated", "of them HOT", "deleted", "records", "heads B", "data B", "page images B"]);
  const { tables, relations } = await workSince(client, moment);
  for (const [table, work] of tables) print(table, work);
  print("all", sumOfWork(tables.map(([, work]) => work)));
  console.log(`\ntables and indexes of the ${name} base by write-ahead log, an order`);
  printRow("records", ["heads B", "data B"], "relation");
  for (const { name: relation, bytes: data, records, heads } of relations.slice(0, 80))
    printRow(perOrder(records), [bytes(heads), bytes(data)], relation);
}

function printRatios(title: string, other: readonly Round[], empty: readonly Round[]): void {
  console.log(`\n${title}, median of the rounds`);
  printRow("stage", ["orders/s", "product", "PostgreSQL", "processor time", "pages"]);
  for (const [stage, costsOf] of stagesOf(empty)) {
    const ratio = (figure: (costs: Costs) => number) =>
      median(other.map((round, i) => figure(costsOf(round)) / figure(costsOf(empty[i] as Round)))).toFixed(2);
    printRow(stage, [
      ratio(({ seconds }) => 1 / seconds),
      ratio(({ productSeconds }) => productSeconds),
      ratio(({ postgresSeconds }) => postgresSeconds),
      ratio(cpuSeconds),
      ratio(({ pages }) => pages),
    ]);
  }
}

function printRow(first: string, figures: readonly string[], last = ""): void {
  console.log([first.padEnd(18), ...figures.map((figure) => figure.padStart(15)), ` ${last}`].join("").trimEnd());
}

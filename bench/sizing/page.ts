/** The tables of docs/sizing.md, as text. The first line of a table locates it in the page. */
import { assumed, bytesOf, type Kept, type Measured, planOf, type StagePlan, stages } from "./plan.ts";

type Table = readonly (readonly string[])[];

/** A number with three significant digits and a readable unit. */
export function inUnits(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${inFigures(bytes / 1_000 ** power)} ${units[power]}`;
}

export function inFigures(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en-GB").replaceAll(",", " ");
  if (value >= 100) return value.toFixed(0);
  return String(Number(value.toPrecision(value >= 1 ? 3 : 2)));
}

function textOf([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function orderTable(measured: Measured, kept: Kept): Table {
  const tables = Object.entries(measured.tables).sort(([, left], [, right]) => bytesOf(right) - bytesOf(left));
  const sum = (of: (size: Measured["tables"][string]) => number) => tables.reduce((all, [, size]) => all + of(size), 0);
  const forEver = tables.filter(([name]) => kept(name) === undefined).reduce((all, [, size]) => all + bytesOf(size), 0);
  return [
    ["Table", "Rows an order", "Bytes an order", "Of them indexes", "Kept"],
    ...tables.map(([name, size]) => [
      `\`${name}\``,
      inFigures(size.rows),
      inFigures(bytesOf(size)),
      inFigures(size.indexBytes),
      kept(name) === undefined ? "for ever" : `${kept(name)} days`,
    ]),
    [
      "all",
      inFigures(sum(({ rows }) => rows)),
      inFigures(sum(bytesOf)),
      inFigures(sum((tableSize) => tableSize.indexBytes)),
      "",
    ],
    ["kept for ever", "", inFigures(forEver), "", ""],
  ];
}

function costTable({ walBytes, programMs, storeMs }: Measured): Table {
  return [
    ["An order takes", ""],
    ["of PostgreSQL's log", inUnits(walBytes)],
    ["of the program's processors", `${inFigures(programMs)} ms`],
    ["of PostgreSQL's processors", `${inFigures(storeMs)} ms`],
  ];
}

function rateTable(plans: readonly StagePlan[], measured: Measured): Table {
  return [
    [
      "Stage",
      "Clients",
      "Orders a year",
      "Orders a second, mean",
      "Orders a second, peak",
      "Rows written, peak",
      "Events, peak",
      "Pushes, peak",
      "Movements, peak",
    ],
    ...plans.map((plan) => [
      plan.name,
      inFigures(plan.clients),
      inFigures(plan.ordersAYear),
      inFigures(plan.meanRate),
      inFigures(plan.peakRate),
      inFigures(plan.peakRate * Object.values(measured.tables).reduce((sum, { rows }) => sum + rows, 0)),
      inFigures(plan.events),
      inFigures(plan.pushes),
      inFigures(plan.movements),
    ]),
  ];
}

function storageTable(plans: readonly StagePlan[]): Table {
  return [
    [
      "Stage",
      "Grows a year",
      "Bounded by retention",
      "After three years",
      "Log a day, mean",
      "Log a second, peak",
      "Base backup of a machine",
    ],
    ...plans.map((plan) => [
      plan.name,
      inUnits(plan.yearBytes),
      inUnits(plan.boundedBytes),
      inUnits(plan.threeYearBytes),
      inUnits(plan.walBytesADay),
      inUnits(plan.walBytesASecond),
      `${inFigures(plan.backupHours)} h`,
    ]),
  ];
}

const storeOf = (plan: StagePlan) => (plan.isOnCitus ? `Citus, ${plan.storeMachines} workers` : "one PostgreSQL");

function machineTable(plans: readonly StagePlan[]): Table {
  return [
    ["Stage", "Store", "Processors of the store, all machines", "Processors of the program, all nodes"],
    ...plans.map((plan) => [plan.name, storeOf(plan), String(plan.storeProcessors), String(plan.programProcessors)]),
  ];
}

/** The months of the last stage, in total and for one shard. */
function monthTable(measured: Measured, partitioned: readonly string[], orders: number): Table {
  return [
    ["Partitioned table", "Rows a month", "Bytes a month", `Bytes of one shard's month (of ${assumed.shards})`],
    ...partitioned.flatMap((name) => {
      const size = measured.tables[name];
      if (!size) return [];
      const month = orders / 12;
      const bytes = bytesOf(size) * month;
      return [[`\`${name}\``, inFigures(size.rows * month), inUnits(bytes), inUnits(bytes / assumed.shards)]];
    }),
  ];
}

/**
 * The page with each of its tables replaced.
 *
 * @param others tables that are calculated elsewhere
 * @throws when the first line of a table is missing
 */
export function withTables(
  page: string,
  measured: Measured,
  kept: Kept,
  partitioned: readonly string[],
  others: readonly Table[],
): string {
  const plans = stages.map((stage) => planOf(stage, measured, kept));
  const last = stages.at(-1);
  const tables = [
    orderTable(measured, kept),
    costTable(measured),
    rateTable(plans, measured),
    storageTable(plans),
    machineTable(plans),
    monthTable(measured, partitioned, last?.ordersAYear ?? 0),
    ...others,
  ];
  return tables.reduce((whole, table) => {
    const [head = ""] = textOf(table).split("\n");
    const at = whole.indexOf(head);
    if (at < 0) throw new Error(`docs/sizing.md has no table that begins with ${head}`);
    const end = whole.indexOf("\n\n", at);
    return whole.slice(0, at) + textOf(table) + whole.slice(end < 0 ? whole.length : end);
  }, page);
}

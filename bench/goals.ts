import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { machine } from "./feeds/machine.ts";

/** One figure of a bench's output. */
interface Goal {
  readonly name: string;
  readonly unit: string;
  /** The figure before the work on these goals: 2 processors with PostgreSQL 15 beside it, 2026-11-20. */
  readonly before: number;
  readonly most?: number;
  readonly least?: number;
  /** Finds the figure in the output; several groups are added. */
  readonly figure: RegExp;
}

interface Step {
  readonly bench: string;
  readonly args: readonly string[];
  readonly goals: readonly Goal[];
}

/** A row of the table of stages: orders/s, product ms, PostgreSQL ms, pages, bytes of log, bytes on disk. */
const stage = (name: string, place: string) => new RegExp(`^${name} +${place}`, "m");
const [skip, take] = ["[\\d.]+ +", "([\\d.]+) *"];

const steps: readonly Step[] = [
  {
    bench: "life",
    args: "--orders 0 --clients 0 --rounds 1 --measured 1000 --reporters 32 --read-papers".split(" "),
    goals: [
      {
        name: "whole life with a slip and a label read, product and PostgreSQL",
        unit: "ms",
        before: 63,
        most: 14,
        figure: stage("whole life", skip + take + take),
      },
      { name: "whole life", unit: "orders/s", before: 32, least: 150, figure: stage("whole life", take) },
      { name: "picks of one stock book", unit: "/s", before: 68, least: 500, figure: stage("pick", take) },
      { name: "packs of one stock book", unit: "/s", before: 33, least: 250, figure: stage("pack with papers", take) },
      {
        name: "write-ahead log of an order",
        unit: "B",
        before: 108_000,
        most: 55_000,
        figure: stage("whole life", skip.repeat(4) + take),
      },
      {
        name: "disk of an order",
        unit: "B",
        before: 80_000,
        most: 38_000,
        figure: stage("whole life", skip.repeat(5) + take),
      },
    ],
  },
  {
    bench: "feeds",
    args: ["--orders", "0"],
    goals: [
      {
        name: "acceptance of an order, product and PostgreSQL",
        unit: "ms",
        before: 2.7,
        most: 1.6,
        figure: /processor time of an order: product ([\d.]+) ms, PostgreSQL ([\d.]+)/,
      },
      {
        name: "accepted orders, of pgbench's transaction",
        unit: "",
        before: 0.59,
        least: 1,
        figure: /ratio product\/pgbench ([\d.]+)/,
      },
      {
        name: "acknowledgement at 75 % of the greatest rate, p99",
        unit: "ms",
        before: 113,
        most: 25,
        figure: /^orders at 75 % .*p99 ([\d.]+) ms/m,
      },
      {
        name: "catalogue of 50 000 items, of xmllint",
        unit: "",
        before: 0.15,
        least: 0.4,
        figure: /xmllint ([\d.]+) \(/,
      },
      {
        name: "memory after orders and catalogues",
        unit: "MiB",
        before: 598,
        most: 350,
        figure: /^catalogue: server process (\d+) MiB/m,
      },
      { name: "memory of an idle server", unit: "MiB", before: 226, most: 160, figure: /^idle: .* (\d+) MiB/m },
    ],
  },
  {
    bench: "idle",
    args: [],
    goals: [
      {
        name: "an idle process, product and PostgreSQL, a second",
        unit: "ms",
        before: 25.2,
        most: 5,
        figure: /^idle: product ([\d.]+) ms\/s, PostgreSQL ([\d.]+)/m,
      },
    ],
  },
  {
    bench: "inventory",
    args: [],
    goals: [
      {
        name: "look-ups of 100 SKUs in 1 000 000 rows, of pgbench's statement",
        unit: "",
        before: 0.7,
        least: 0.65,
        figure: /^look-ups: ratio ([\d.]+)/m,
      },
      {
        name: "a look-up of 100 SKUs, product",
        unit: "ms",
        before: 1.6,
        most: 1,
        figure: /^look-ups: processor time of one: product ([\d.]+)/m,
      },
    ],
  },
  {
    bench: "carriers",
    args: [],
    goals: [
      {
        name: "carrier decisions in process",
        unit: "/s",
        before: 16_400,
        least: 40_000,
        figure: /^median (\d+), goal \d+: /m,
      },
      {
        name: "carrier decisions over HTTP",
        unit: "/s",
        before: 1_715,
        least: 3_000,
        figure: /^median (\d+), goal \d+; /m,
      },
    ],
  },
  {
    bench: "webhooks",
    args: ["--rounds", "1", "--seconds", "20", "--deliveries", "30000"],
    goals: [
      {
        name: "pushes to 50 subscriptions, of the bare loop",
        unit: "",
        before: 0.26,
        least: 0.4,
        figure: /^50 .*: ratio ([\d.]+)/m,
      },
      {
        name: "pushes to one subscription, of the bare loop",
        unit: "",
        before: 0.15,
        least: 0.35,
        figure: /^(?:1|one) .*: ratio ([\d.]+)/m,
      },
    ],
  },
];

/**
 * Runs the benches whose figures have a goal, one after the other, and prints each figure beside its goal and beside the
 * figure before. Takes a quarter of an hour on an idle machine.
 */
export async function run(): Promise<void> {
  const rows: string[] = [];
  for (const { bench, args, goals } of steps) {
    const output = await outputOf(bench, args);
    for (const goal of goals) rows.push(rowOf(goal, output));
  }
  console.log(`\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
  console.log(["| | Before | Now | Goal | |", "|---|---|---|---|---|", ...rows].join("\n"));
}

function rowOf({ name, unit, before, most, least, figure }: Goal, output: string): string {
  const groups = figure.exec(output)?.slice(1);
  const goal = most === undefined ? `≥ ${figureOf(least ?? 0)}` : `≤ ${figureOf(most)}`;
  const now = groups?.reduce((sum, group) => sum + Number(group), 0);
  const isHeld = now !== undefined && now <= (most ?? now) && now >= (least ?? now);
  const state = now === undefined ? "not measured" : isHeld ? "held" : "missed";
  const cells = [name, figureOf(before), now === undefined ? "" : figureOf(now), goal];
  return `| ${cells.map((cell, i) => (i === 0 || cell === "" ? cell : `${cell} ${unit}`.trim())).join(" | ")} | ${state} |`;
}

const figureOf = (value: number) =>
  value >= 1_000
    ? Math.round(value).toLocaleString("en-GB").replaceAll(",", " ")
    : String(Number(value.toPrecision(3)));

/** Runs a bench in a separate process, so that it does not measure what an earlier bench left behind. */
async function outputOf(bench: string, args: readonly string[]): Promise<string> {
  console.log(`\nnpm run bench ${bench} -- ${args.join(" ")}`);
  const program = fileURLToPath(new URL("./main.ts", import.meta.url));
  const child = spawn(process.execPath, [program, bench, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  if (code !== 0) console.log(`the bench ${bench} ended with ${code}`);
  return output;
}

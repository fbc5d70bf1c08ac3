import { readFileSync } from "node:fs";
import { numberOption } from "./load/arguments.ts";
import { linesOf, type ScaleInput, scaleDefaults } from "./scale/report.ts";
import { keptByDefault } from "./sizing/kept.ts";
import type { Measured } from "./sizing/plan.ts";

/**
 * Reckons with the clients of a platform on the workers of Citus, from the measured cost of an order
 * (bench/sizing/measured.json): hot shards, moves that even them out, load and data of each worker, and machines.
 */
export async function run(args: readonly string[]): Promise<void> {
  const measured = JSON.parse(readFileSync(new URL("./sizing/measured.json", import.meta.url), "utf8")) as Measured;
  for (const line of linesOf(readArguments(args), measured, keptByDefault)) console.log(line);
}

function readArguments(args: readonly string[]): ScaleInput {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  const { placement, ...defaults } = scaleDefaults;
  const price = value("price", 0);
  return {
    clients: value("clients", defaults.clients),
    ordersAYear: value("orders", defaults.ordersAYear),
    biggest: value("biggest", 100 * defaults.biggest) / 100,
    peakDay: value("peak-day", defaults.peakDay),
    placement: {
      workers: value("workers", placement.workers),
      shards: value("shards", placement.shards),
      isolated: value("isolate", placement.isolated),
      imbalanceMax: 1 + value("imbalance", 10) / 100,
    },
    processors: value("processors", defaults.processors),
    bytesMax: value("terabytes", defaults.bytesMax / 1e12) * 1e12,
    price: price === 0 ? undefined : price,
    seed: value("seed", defaults.seed),
  };
}

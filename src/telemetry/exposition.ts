import { readFileSync } from "node:fs";
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";
import type { Database } from "#/db/database.ts";
import type { Config } from "#/kernel/config/config.ts";
import { metrics, processRegistry } from "#/kernel/telemetry/metrics.ts";
import type { StoreGauges } from "#/telemetry/store-gauges.ts";

export type MetricValues = MetricObjectWithValues<MetricValue<string>>;

/** What the process has to say of itself at this moment, and of the store. */
export interface Exposition {
  /** Media type of `text`, with the version of the format. */
  readonly contentType: string;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** The same as values, for OTLP. */
  values(): Promise<MetricValues[]>;
}

export interface ExpositionContext {
  readonly config: Config;
  readonly database: Database;
  readonly connectionsMax: number;
  readonly storeGauges: StoreGauges;
  readonly isStoreDown: () => boolean;
  /** By how much this machine's clock is ahead of the store's. */
  readonly clockSkewMs: () => number;
  /** Documents that wait for their commit, or are in it. */
  readonly queuedDocuments: () => number;
}

export const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

let hasDefaults = false;

export function createExposition(context: ExpositionContext): Exposition {
  const { config, database, storeGauges, isStoreDown, queuedDocuments } = context;
  // Watches the event loop and the collector from now on: for a command that runs for a second that is nothing.
  if (!hasDefaults) collectDefaultMetrics({ register: processRegistry });
  hasDefaults = true;
  metrics.buildInfo.set({ version, environment: config.environment }, 1);
  metrics.dbConnectionsMax.set(context.connectionsMax);

  async function gather(): Promise<Registry> {
    const { total, idle, waiting } = database.load();
    metrics.dbConnections.set({ state: "busy" }, total - idle);
    metrics.dbConnections.set({ state: "idle" }, idle);
    metrics.dbConnections.set({ state: "waiting" }, waiting);
    metrics.feedQueue.set(queuedDocuments());
    const ofStore = await storeGauges.read();
    metrics.storeUp.set(isStoreDown() ? 0 : 1);
    metrics.clockSkew.set(context.clockSkewMs() / 1_000);
    return ofStore ? Registry.merge([processRegistry, ofStore]) : processRegistry;
  }

  return {
    contentType: processRegistry.contentType,
    text: async () => (await gather()).metrics(),
    values: async () => (await (await gather()).getMetricsAsJSON()) as MetricValues[],
  };
}

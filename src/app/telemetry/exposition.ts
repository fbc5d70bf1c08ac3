import { readFileSync } from "node:fs";
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue, Registry } from "@prometheus-io/client";
import type { StoreGauges } from "#/app/telemetry/store-gauges.ts";
import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import type { Config } from "#/kernel/config/config.ts";
import { metrics, processRegistry } from "#/kernel/telemetry/metrics.ts";
import type { Database } from "#/store/db/database.ts";

export type MetricValues = MetricObjectWithValues<MetricValue<string>>;

/** Current metrics of the process and of the store. */
export interface Exposition {
  /** Media type of `text`, with the format version. */
  readonly contentType: string;
  /** In the Prometheus text format. */
  text(): Promise<string>;
  /** The same metrics as values, for OTLP. */
  values(): Promise<MetricValues[]>;
}

interface ExpositionContext {
  readonly config: Config;
  readonly database: Database;
  readonly connectionsMax: number;
  readonly storeGauges: StoreGauges;
  readonly isStoreDown: () => boolean;
  /** Milliseconds by which this machine's clock is ahead of the store's. */
  readonly clockSkewMs: () => number;
  /** Number of documents that wait for their commit or are being committed. */
  readonly queuedDocuments: () => number;
}

export const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

let hasDefaults = false;

/**
 * Milliseconds between samples of the event loop. With the library's 100 the summary of the utilization took 5 of the
 * 8 ms of an idle process's second. Each sample of the lag is a wake-up of 0.1 ms, and its value contains the pause.
 */
const sampling = { eventLoopUtilizationTimeout: 5_000, eventLoopMonitoringPrecision: 100 };

export function createExposition(context: ExpositionContext): Exposition {
  const { config, database, storeGauges, isStoreDown, queuedDocuments } = context;
  // Observes the event loop and the garbage collector from now on. For a command that runs a second, the cost is
  // negligible.
  if (!hasDefaults) collectDefaultMetrics({ register: processRegistry, ...sampling });
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

/**
 * `/metrics`, of every process. It is open like `/healthz`: it shows load, but no clients and no contents. An operator
 * who wants it private blocks the path in a proxy.
 */
export function registerMetrics(app: HttpServer, exposition: Exposition): void {
  const config: PolledRoute = { isPolled: true };
  app.get("/metrics", { config }, async (_request, reply) =>
    reply.header("content-type", exposition.contentType).send(await exposition.text()),
  );
}

import { createExposition, type Exposition } from "#/app/telemetry/exposition.ts";
import { createStoreGauges } from "#/app/telemetry/store-gauges.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { stallMs, watchLoop } from "#/kernel/telemetry/loop-watch.ts";
import type { Database } from "#/store/db/database.ts";

/** Telemetry of the process, for scrapers and for the collector. */
export interface Telemetry {
  readonly exposition: Exposition;
  stop(): Promise<void>;
}

export interface TelemetryContext {
  readonly config: Config;
  readonly database: Database;
  readonly connectionsMax: number;
  readonly storeUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStoreDown: () => boolean;
  /** Milliseconds by which this machine's clock is ahead of the store's. */
  readonly clockSkewMs: () => number;
  /** Number of documents that wait for their commit or are being committed. */
  readonly queuedDocuments: () => number;
}

/** Start it before the parts that it reports on, and stop it after them. */
export async function startTelemetry(context: TelemetryContext): Promise<Telemetry> {
  const { config, log } = context;
  const storeGauges = createStoreGauges({ ...context, url: context.storeUrl });
  const exposition = createExposition({ ...context, storeGauges });
  const unwatch = watchLoop(({ route, cpuMs }) => {
    if (route === undefined || cpuMs <= stallMs) return;
    log.warn(
      { route, durationMs: Math.round(cpuMs) },
      "one step of the event loop took long: no other request was served",
    );
  });
  const { endpoint } = config.telemetry;
  const otlp =
    endpoint === undefined
      ? undefined
      : (await import("#/app/telemetry/otlp.ts")).startOtlp({
          exposition,
          log,
          environment: config.environment,
          telemetry: { ...config.telemetry, endpoint },
        });
  return {
    exposition,
    async stop() {
      unwatch();
      await otlp?.stop();
      await storeGauges.close();
    },
  };
}

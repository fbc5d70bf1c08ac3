// Sends spans and metrics to a collector. Imported only if one is configured: these imports take 50 ms and 10 MB.
import { randomUUID } from "node:crypto";
import { type HrTime, ValueType } from "@opentelemetry/api";
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { MetricValue } from "@prometheus-io/client";
import { openCollector } from "#/app/telemetry/collector.ts";
import { type Exposition, type MetricValues, version } from "#/app/telemetry/exposition.ts";
import { createSpanQueue, type Origin, spanOf } from "#/app/telemetry/otlp-spans.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { directSpans, traceIdOf } from "#/kernel/telemetry/trace.ts";

interface Otlp {
  /** Sends the remaining data within a short time limit. A stop does not wait for an unreachable collector. */
  stop(): Promise<void>;
}

interface OtlpContext {
  readonly telemetry: Config["telemetry"] & { readonly endpoint: string };
  readonly environment: string;
  readonly exposition: Exposition;
  readonly log: Logger;
}

const lastWordsMsMax = 1_000;

export function startOtlp({ telemetry, environment, exposition, log }: OtlpContext): Otlp {
  const collector = openCollector({
    endpoint: telemetry.endpoint,
    headers: telemetry.headers,
    userAgent: `Crossdock/${version}`,
    onChange: (fault) =>
      fault === undefined
        ? log.info("the collector of traces and metrics accepts them again")
        : log.warn({ fault }, "the collector of traces and metrics does not accept them; they are dropped"),
  });
  const origin: Origin = {
    version,
    resource: resourceFromAttributes({
      "service.instance.id": randomUUID(),
      "deployment.environment.name": environment,
      ...telemetry.resourceAttributes,
      "service.name": telemetry.serviceName,
      "service.version": version,
    }),
  };
  const queue = createSpanQueue<ReadableSpan>({
    async send(spans) {
      const message = ProtobufTraceSerializer.serializeRequest([...spans]);
      return message !== undefined && collector.send("/v1/traces", message);
    },
  });
  const isSampled = createSampler(telemetry.sampledRatio);
  const { sendsTraces, sampledRatio } = telemetry;
  const undirect =
    sendsTraces && sampledRatio > 0
      ? directSpans((draft) => {
          if (isSampled(draft.token)) queue.add(spanOf(draft, origin));
        }, isSampled)
      : undefined;

  const startMs = performance.timeOrigin;
  let exporting: Promise<unknown> | undefined;

  async function exportNow(): Promise<void> {
    const values = await exposition.values();
    const message = ProtobufMetricsSerializer.serializeRequest(
      metricsOf(values, origin, { startMs, nowMs: Date.now() }),
    );
    if (message !== undefined) await collector.send("/v1/metrics", message);
  }

  /** One export at a time: if the collector is slow, a turn is skipped. */
  function exportSoon(): Promise<unknown> {
    exporting ??= exportNow()
      .catch((error: Error) => log.warn({ err: error }, "metrics were not sent"))
      .finally(() => {
        exporting = undefined;
      });
    return exporting;
  }

  const { sendsMetrics, metricEveryMs } = telemetry;
  const timer = sendsMetrics ? setInterval(() => void exportSoon(), metricEveryMs).unref() : undefined;

  return {
    async stop() {
      clearInterval(timer);
      undirect?.();
      let late: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        late = setTimeout(resolve, lastWordsMsMax);
      });
      await Promise.all([queue.close(lastWordsMsMax), sendsMetrics ? Promise.race([exportSoon(), timeUp]) : undefined]);
      clearTimeout(late);
      collector.close();
    },
  };
}

/** Number of values of the least significant 56 bits of a trace id (W3C Trace Context Level 2, random trace id). */
const drawsMax = 2 ** 56;

/**
 * Decides by the trace id alone which traces are kept. Every process therefore decides the same, at any time. The
 * deciding bits are random bits of the token.
 *
 * @param ratio from 0 to 1
 */
export function createSampler(ratio: number): (token: string) => boolean {
  if (ratio >= 1) return () => true;
  const below = ratio * drawsMax;
  return (token) => Number.parseInt(traceIdOf(token).slice(18), 16) < below;
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Converts the Prometheus metrics to OTLP with the same names and values, so that a dashboard works with either.
 * Counters and histograms are cumulative from the start of the process.
 */
function metricsOf(
  values: readonly MetricValues[],
  { resource, version }: Origin,
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
): ResourceMetrics {
  const times: Times = { startTime: hrTimeOf(startMs), endTime: hrTimeOf(nowMs) };
  return {
    resource,
    scopeMetrics: [
      { scope: { name: "crossdock", version }, metrics: values.flatMap((metric) => dataOf(metric, times) ?? []) },
    ],
  };
}

function dataOf(metric: MetricValues, times: Times): MetricData | undefined {
  const { name, help } = metric;
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The library returns a string, although its type declares a number.
  switch (String(metric.type)) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbersOf(metric, times) };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: numbersOf(metric, times) };
    case "histogram":
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, times) };
    default:
      return undefined;
  }
}

function unitOf(name: string): string {
  if (name.endsWith("_seconds") || name.endsWith("_seconds_total")) return "s";
  return name.endsWith("_bytes") ? "By" : "1";
}

function numbersOf({ values }: MetricValues, times: Times): DataPoint<number>[] {
  return values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
}

type Value = MetricValue<string>;

/** Prometheus buckets are cumulative up to each bound; OTLP buckets count between the bounds. */
function histogramsOf({ values }: MetricValues, times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...series.values()].map((ofSeries) => {
    const named = (end: string) =>
      ofSeries.filter(({ metricName }: Value & { metricName?: string }) => metricName?.endsWith(end));
    const buckets = named("_bucket").map(({ labels, value }) => ({ bound: Number(labels.le), value }));
    const counts = buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0));
    return {
      ...times,
      attributes: attributesOf(ofSeries[0]?.labels ?? {}),
      value: {
        buckets: { boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite), counts },
        sum: named("_sum")[0]?.value ?? 0,
        count: named("_count")[0]?.value ?? 0,
      },
    };
  });
}

function attributesOf(labels: Value["labels"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) =>
      name === "le" || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function hrTimeOf(atMs: number): HrTime {
  const seconds = Math.floor(atMs / 1_000);
  return [seconds, Math.round((atMs - seconds * 1_000) * 1_000_000)];
}

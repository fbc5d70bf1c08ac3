import { type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { MetricValue } from "@prometheus-io/client";
import type { MetricValues } from "#/telemetry/exposition.ts";
import type { Origin } from "#/telemetry/otlp-spans.ts";

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Converts the Prometheus metrics to OTLP with the same names and values, so that a dashboard works with either.
 * Counters and histograms are cumulative from the start of the process.
 */
export function metricsOf(
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

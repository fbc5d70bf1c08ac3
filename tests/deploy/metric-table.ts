import type { MetricDefinition } from "#/kernel/telemetry/metric-catalogue.ts";

/** The table in the guide. */
export const metricsTable = /^\| Metric \|[^\n]*\n(?:\|[^\n]*\n)*/m;

/** The metrics as a table for docs/observability.md. */
export function describeMetrics(definitions: readonly MetricDefinition[]): string {
  const lines = definitions.map(({ name, kind, help, labels, of }) => {
    const shown = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${valuesOf(values)}`);
    return `| \`${name}\` | ${kind} | ${of === "PROCESS" ? "process" : "database"} | ${[help, shown.join("; ")].join(" ").trim()} |`;
  });
  return ["| Metric | Kind | Of | Meaning; labels |", "|---|---|---|---|", ...lines].join("\n");
}

function valuesOf(values: string | readonly string[]): string {
  return typeof values === "string" ? values : values.map((value) => `\`${value}\``).join(", ");
}

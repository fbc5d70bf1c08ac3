// The dashboard, the alert rules and the guide against the catalogue of metrics: every queried metric exists, and every
// metric is used. promtool checks and tests the rules if it is installed.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type MetricDefinition, metricCatalogue } from "#/kernel/telemetry/metric-catalogue.ts";
import { testServer } from "../support/app/server.ts";
import { withProgram } from "../support/sftp/openssh.ts";
import { describeMetrics, metricsTable } from "./metric-table.ts";
import { type Expression, readExpression } from "./promql.ts";

const at = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const read = (file: string) => readFileSync(at(file), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: { uid: string } }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr?: string; readonly name: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const { groups } = parse(read("deploy/prometheus/rules.yaml")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("deploy/grafana/crossdock.json")) as Dashboard;
const guide = read("docs/observability.md");
const definitions = new Map<string, MetricDefinition>(
  Object.values(metricCatalogue).map((definition: MetricDefinition) => [definition.name, definition]),
);

/** Metrics of other programs: Prometheus itself, node_exporter, blackbox_exporter. The guide says which are needed. */
const foreign: ReadonlySet<string> = new Set([
  ...["up", "ALERTS", "node_filesystem_avail_bytes", "node_filesystem_size_bytes", "node_timex_offset_seconds"],
  ...["node_timex_sync_status", "probe_ssl_earliest_cert_expiry", "probe_success"],
]);
const labelsOfScrape = ["job", "instance"];
/** Grafana's variable. */
const chosenSource = "$".concat("{datasource}");

/** The metric of an exposed name: a histogram has three names, of which `_bucket` has the label `le`. */
function definitionOf(
  metric: string,
): { readonly definition: MetricDefinition; readonly labels: string[] } | undefined {
  const metricDefinition = definitions.get(metric);
  if (metricDefinition && metricDefinition.kind !== "histogram")
    return { definition: metricDefinition, labels: Object.keys(metricDefinition.labels) };
  const [, base = "", part] = /^(.*)_(bucket|sum|count)$/.exec(metric) ?? [];
  const definition = definitions.get(base);
  if (definition?.kind !== "histogram") return undefined;
  return { definition, labels: [...Object.keys(definition.labels), ...(part === "bucket" ? ["le"] : [])] };
}

/** Replaces Grafana's own variables with values that Prometheus accepts. */
const withoutVariables = (expr: string) =>
  expr.replaceAll("$job", "crossdock").replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");

const panels = dashboard.panels.filter(({ type }) => type !== "row");
const inDashboard = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: `panel '${title}'`, expr }))),
  ...dashboard.annotations.list.flatMap(({ name, expr }) =>
    expr === undefined ? [] : [{ where: `annotation '${name}'`, expr }],
  ),
];
const inRules = rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr }));
const expressions = [...inDashboard, ...inRules].map(({ where, expr }) => ({
  where,
  expr,
  read: readExpression(withoutVariables(expr)),
}));

test("an expression is read as far as these tests must understand it", () => {
  const text =
    'sum by (le, a) (rate(x_bucket{b="1", c=~"2|3"}[5m])) / ignoring(d) max_over_time(y[1h] offset 5m) > 2e9';
  assert.deepEqual(readExpression(text), {
    selectors: [
      {
        metric: "x_bucket",
        matchers: [
          { label: "b", operator: "=", value: "1" },
          { label: "c", operator: "=~", value: "2|3" },
        ],
      },
      { metric: "y", matchers: [] },
    ],
    grouped: ["le", "a", "d"],
    functions: ["sum", "rate", "max_over_time"],
  });
  assert.throws(() => readExpression("a ? b"), /no PromQL from here on: \? b/);
});

/** The faults in the names, labels and values of an expression. */
function faultsOf({ selectors, grouped }: Expression): string[] {
  const faults: string[] = [];
  const known = new Set(labelsOfScrape);
  for (const { metric, matchers } of selectors) {
    if (foreign.has(metric) || /^(?:process|nodejs)_/.test(metric)) {
      known.add("alertname").add("version");
      continue;
    }
    const found = definitionOf(metric);
    if (!found) {
      faults.push(`${metric} is not in the catalogue`);
      continue;
    }
    for (const label of found.labels) known.add(label);
    for (const { label, operator, value } of matchers) {
      if (labelsOfScrape.includes(label)) continue;
      if (!found.labels.includes(label)) faults.push(`${metric} has no label ${label}`);
      const values = found.definition.labels[label];
      if (values === undefined || typeof values === "string") continue;
      for (const option of operator.endsWith("~") ? value.split("|") : [value]) {
        if (!values.includes(option)) faults.push(`${metric}: ${label} is never '${option}'`);
      }
    }
  }
  for (const label of grouped) if (!known.has(label)) faults.push(`no metric here has the label ${label}`);
  return faults;
}

test("every metric, label and value of the dashboard and the rules is in the catalogue", () => {
  const faults = expressions.flatMap(({ where, read }) => faultsOf(read).map((fault) => `${where}: ${fault}`));
  assert.deepEqual(faults, []);
  // The check finds unknown names, labels and values.
  const wrong =
    'rate(crossdock_feeds_total[1m]) + sum by (client) (crossdock_sftp_files_total{direction="up", file="x"})';
  assert.deepEqual(faultsOf(readExpression(wrong)), [
    "crossdock_feeds_total is not in the catalogue",
    "crossdock_sftp_files_total: direction is never 'up'",
    "crossdock_sftp_files_total has no label file",
    "no metric here has the label client",
  ]);
});

test("a counter is queried by rate or increase, a gauge by its value", () => {
  const faults: string[] = [];
  for (const { where, expr } of expressions) {
    for (const definition of definitions.values()) {
      const plain = withoutVariables(expr);
      const names = definition.kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      for (const part of names) {
        const used = new RegExp(`(?<before>\\w+\\()?\\b${definition.name}${part}\\b(?!_)`, "g");
        for (const { groups: found } of plain.matchAll(used)) {
          const isRated = /^(?:rate|increase)\($/.test(found?.before ?? "");
          if (isRated !== (definition.kind !== "gauge")) faults.push(`${where}: ${definition.name}${part}`);
        }
      }
    }
  }
  assert.deepEqual(faults, []);
});

test("every metric has a panel or a rule", () => {
  const used = new Set(
    expressions.flatMap(({ read }) => read.selectors.map(({ metric }) => definitionOf(metric)?.definition.name)),
  );
  assert.deepEqual(
    [...definitions.keys()].filter((name) => !used.has(name as MetricDefinition["name"])),
    [],
  );
});

test("a running server has the metrics of the process and of Node, and the job of each rule", async () => {
  const server = await testServer();
  const response = await fetch(`${server.url}/metrics`);
  assert.equal(response.status, 200);
  const text = await response.text();
  const names = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const metrics = new Set(
    expressions.flatMap(({ read }) =>
      read.selectors.flatMap(({ metric }) => (/^(?:process|nodejs)_/.test(metric) ? metric : [])),
    ),
  );
  assert.ok(metrics.size >= 5);
  assert.deepEqual(
    [...metrics].filter((name) => !names.has(name)),
    [],
  );
});

test("every timed job is late by the rule of its pace", () => {
  const units: Record<string, number> = { changeDelayMs: 10, minuteMs: 60, hourMs: 3_600, dayMs: 86_400 };
  const seconds = (text: string) =>
    text.split("*").reduce((product, part) => {
      const [amount = "", divisor] = part.trim().split(" / ");
      const value = units[amount] ?? Number(amount.replaceAll("_", "")) / (amount.length > 3 ? 1_000 : 1);
      return product * (value / Number(divisor ?? 1));
    }, 1);
  const jobs = ["app/roles/worker", "app/roles/stock-jobs", "app/retention/retention-jobs"].flatMap((file) =>
    [...read(`src/${file}.ts`).matchAll(/name: "([a-z-]+)",\s*everyMs: ([\w */]+),/g)].map(
      ([, name = "", pace = ""]) => ({
        name,
        everySeconds: seconds(pace),
      }),
    ),
  );
  assert.ok(jobs.length >= 15, `${jobs.length} jobs were found`);
  assert.ok(
    jobs.every(({ everySeconds }) => everySeconds > 0 && everySeconds <= 86_400),
    JSON.stringify(jobs),
  );
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr ?? "";
  const [, rare = ""] = /job_name=~"([^"]+)"/.exec(exprOf("CrossdockDailyJobLate")) ?? [];
  assert.ok(exprOf("CrossdockJobLate").includes(`job_name!~"${rare}"`), "each job is of one of the two rules");
  const isRare = (name: string) => new RegExp(`^(?:${rare})$`).test(name);
  for (const { name, everySeconds } of jobs) {
    // Late after an hour, or after thirty: at least three intervals, except for daily jobs.
    assert.ok(
      isRare(name) ? everySeconds * 1.2 <= 30 * 3_600 : everySeconds * 3 <= 3_600,
      `${name}: ${everySeconds} s`,
    );
  }
});

test("every alert has a severity, a summary and the link of its section in the guide", () => {
  const names = rules.map(({ alert }) => alert);
  assert.equal(new Set(names).size, names.length, "each once");
  for (const { alert, labels, annotations } of rules) {
    assert.match(alert, /^Crossdock[A-Z]\w+$/);
    assert.match(labels.severity ?? "", /^(?:critical|warning|info)$/, alert);
    assert.deepEqual(Object.keys(annotations), ["summary", "description", "runbook_url"], alert);
    const anchor = alert.toLowerCase();
    assert.equal(annotations.runbook_url, `{{ $externalLabels.crossdock_url }}/docs/observability#${anchor}`);
  }
  const sections = [...guide.matchAll(/^### (Crossdock\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections, names, "the guide has the alerts in the order of the rules");
  for (const part of guide.split(/^### (?=Crossdock)/m).slice(1)) {
    const name = /^\w+/.exec(part)?.[0];
    for (const word of ["**Means:**", "**First check:**", "**Remedy:**"])
      assert.ok(part.includes(word), `${name}: ${word}`);
  }
});

test("every alert has a case in which it fires and one in which it does not", () => {
  interface RuleTest {
    readonly name: string;
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }
  const { tests } = parse(read("deploy/prometheus/rules.test.yaml")) as { tests: RuleTest[] };
  const cases = tests.flatMap(({ alert_rule_test: rule }) =>
    rule.map(({ alertname, exp_alerts: expected }) => `${alertname} ${expected.length > 0 ? "fires" : "is quiet"}`),
  );
  assert.deepEqual(cases.toSorted(), rules.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]).toSorted());
});

test("the dashboard is whole: stable names, one source of data, a description and a place for each panel", () => {
  assert.deepEqual([dashboard.uid, dashboard.title], ["crossdock", "Crossdock"]);
  assert.ok(dashboard.schemaVersion >= 39);
  assert.deepEqual(
    dashboard.templating.list.map(({ name }) => name),
    ["datasource", "job", "instance"],
  );
  const ids = dashboard.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const taken = new Map<string, string>();
  for (const { title, type, gridPos, description, datasource, targets = [] } of dashboard.panels) {
    assert.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.equal(taken.get(`${x} ${y}`), undefined, `'${title}' lies on '${taken.get(`${x} ${y}`)}'`);
        taken.set(`${x} ${y}`, title);
      }
    }
    if (type === "row") continue;
    assert.ok(["stat", "timeseries", "table"].includes(type), title);
    assert.ok(description, `'${title}' says what it shows`);
    assert.deepEqual(datasource, { type: "prometheus", uid: chosenSource }, title);
    assert.ok(targets.length > 0);
    assert.deepEqual(
      targets.map(({ refId }) => refId),
      targets.map((_, i) => String.fromCharCode(65 + i)),
    );
    for (const target of targets) {
      assert.equal(target.datasource.uid, chosenSource, title);
      assert.ok(target.expr.includes('job="$job"') || /^up\b/.test(target.expr), `'${title}' is of the chosen job`);
    }
  }
});

test("the guide lists every metric as the catalogue has it", () => {
  const [table = ""] = metricsTable.exec(guide) ?? [];
  const wanted = `${describeMetrics(Object.values(metricCatalogue))}\n`;
  if (process.env.CROSSDOCK_TEST_UPDATE !== undefined) {
    writeFileSync(
      at("docs/observability.md"),
      guide.replace(metricsTable, () => wanted),
    );
    return;
  }
  assert.deepEqual(table.split("\n"), wanted.split("\n"), "write it again with CROSSDOCK_TEST_UPDATE=1");
});

const promtoolAbsence = spawnSync("promtool", ["--version"]).error
  ? "promtool is not installed (Debian: apt-get install prometheus)"
  : undefined;

function promtool(folder: string, ...args: readonly string[]): string {
  return execFileSync("promtool", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

withProgram("promtool takes the rules and the example of a scrape configuration", promtoolAbsence, async () => {
  const folder = at("deploy/prometheus");
  assert.match(promtool(folder, "check", "rules", "rules.yaml"), new RegExp(`${rules.length} rules found`));
  assert.match(promtool(folder, "check", "config", "prometheus.yaml"), /is valid prometheus config file syntax/);
});

withProgram(
  "promtool finds that each alert fires when it should, and not when it should not",
  promtoolAbsence,
  async () => {
    promtool(at("deploy/prometheus"), "test", "rules", "rules.test.yaml");
  },
);

withProgram("promtool reads every expression of the dashboard", promtoolAbsence, async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "crossdock-promtool-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const asRules = inDashboard.map(({ expr }, i) => ({ record: `panel_${i}`, expr: withoutVariables(expr) }));
  writeFileSync(path.join(folder, "panels.json"), JSON.stringify({ groups: [{ name: "panels", rules: asRules }] }));
  assert.match(promtool(folder, "check", "rules", "panels.json"), new RegExp(`${asRules.length} rules found`));
});

// /metrics: what is counted at its source, what is read from the store, and what neither may reveal (operations.md §3).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type MetricDefinition, metricCatalogue } from "#/kernel/telemetry/metric-catalogue.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { startProxy } from "../../support/http/proxy.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { type Scrape, scrape, sumOf } from "../../support/http/scrape.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.2" });
const dc1 = await warehouseOf(server);
const definitions: readonly MetricDefinition[] = Object.values(metricCatalogue);

/** The growth of the samples during `work`; first waits for the consequences of earlier tests. */
async function growth(work: () => Promise<unknown>) {
  await until("the platform is at rest", async () => {
    const [open] = await server.rows("select 1 from outbox where state = 'PENDING' limit 1");
    return open === undefined;
  });
  const before = await scrape(server.url);
  await work();
  const after = await scrape(server.url);
  return (name: string, labels: Record<string, string> = {}) =>
    Math.round((sumOf(after, name, labels) - sumOf(before, name, labels)) * 1e6) / 1e6;
}

/** A scrape with the gauges of the store: on a very busy machine, the first scrape may lack them. */
async function scrapeWhole(url: string): Promise<Scrape> {
  let metrics: Scrape = new Map();
  await until("the store has answered", async () => {
    metrics = await scrape(url);
    return metrics.has("crossdock_exceptions_open");
  });
  return metrics;
}

test("everything in the catalogue is reported in the text format of Prometheus, and nothing else but of the process", async () => {
  const answer = await fetch(`${server.url}/metrics`);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const metrics = await scrapeWhole(server.url);
  for (const { name, kind, help } of definitions) {
    assert.deepEqual([metrics.get(name)?.kind, metrics.get(name)?.help], [kind, help], name);
  }
  const known = new Set<string>(definitions.map(({ name }) => name));
  for (const name of metrics.keys()) assert.ok(known.has(name) || /^(process|nodejs)_/.test(name), name);
  assert.equal(sumOf(metrics, "crossdock_build_info", { environment: "sandbox" }), 1);
  assert.equal(sumOf(metrics, "crossdock_store_up"), 1);
  const head = await fetch(`${server.url}/metrics`, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.equal(head.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
});

test("names, units and labels follow the conventions of Prometheus", () => {
  const names = definitions.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, kind, help, labels, buckets, of } of definitions) {
    assert.match(name, /^crossdock_[a-z][a-z0-9_]*[a-z0-9]$/);
    assert.equal(
      name.endsWith("_total"),
      kind === "counter",
      `${name}: a counter ends in _total, and nothing else does`,
    );
    assert.doesNotMatch(name, /_(count|sum|bucket|ms|milliseconds|minutes)$/, `${name}: base units, no reserved ends`);
    assert.match(help, /\.$/, `${name}: a sentence`);
    assert.equal(buckets !== undefined, kind === "histogram", name);
    assert.deepEqual(
      [...(buckets ?? [])].sort((left, right) => left - right),
      [...(buckets ?? [])],
      name,
    );
    assert.ok(of === "PROCESS" || kind === "gauge", `${name}: what is asked of the store is a gauge`);
    for (const label of Object.keys(labels)) {
      assert.match(label, /^[a-z][a-z_]*$/);
      assert.doesNotMatch(label, /client|token|object|order|address|user|sku/, `${name}: a label of many values`);
    }
  }
});

test("documents are counted by type, way in and outcome, and by each code that kept them out", async () => {
  const client = await server.onboard("COUNTED");
  await client.set({ parkUnknownSkus: "true" });
  const grown = await growth(async () => {
    await client.accept("CAT", catalogue("COUNTED", ["A"]));
    await client.accept("NO", order("COUNTED", "C-1", ["A"]), { "idempotency-key": "one" });
    await client.accept("NO", order("COUNTED", "C-1", ["A"]), { "idempotency-key": "one" });
    assert.equal((await client.send("NO", order("COUNTED", "C-9", ["A"]), { "idempotency-key": "one" })).status, 422);
    await client.send("NO", order("COUNTED", "C-2", ["UNKNOWN"]));
    await client.send("NO", "<orderRequest>");
    const wrong = order("COUNTED", "C-3", ["A"], {
      shipToAddress: { address1: "1", city: "X", zip: "?", country: "QQ" },
    });
    await client.send("NO", wrong, {}, "/validate");
  });
  const documents = (type: string, outcome: string) =>
    grown("crossdock_feed_documents_total", { type, source: "http", outcome });
  assert.equal(documents("CAT", "accepted"), 1);
  assert.deepEqual(
    ["accepted", "replayed", "key_conflict", "parked", "rejected", "failed"].map((outcome) => documents("NO", outcome)),
    [1, 1, 1, 1, 1, 0],
    "a dry run is none",
  );
  assert.equal(grown("crossdock_feed_faults_total", { type: "NO", code: "UNKNOWN_SKU" }), 1);
  assert.equal(grown("crossdock_feed_faults_total", { type: "NO", code: "XML" }), 1);
  assert.equal(grown("crossdock_feed_acknowledgement_duration_seconds_count", { type: "NO" }), 5);
  assert.ok(grown("crossdock_feed_commit_documents_sum") >= 5);
  assert.equal(grown("crossdock_feed_commit_documents_count"), grown("crossdock_feed_commit_duration_seconds_count"));
});

test("what follows of an order is counted: events, allocation, documents, reports and webhooks", async () => {
  const life = await lifeOf(server, dc1, "FOLLOWED");
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const handleReport = await webhookDesk(server, life.client);
  const { webhookId } = await handleReport.create({ url: `${receiver.url}/hook`, topicName: "order:*" });
  const grown = await growth(async () => {
    await life.stock([{ sku: "A", qty: 3 }]);
    await life.place("F-1", [{ sku: "A", qty: 2 }]);
    await life.place("F-2", [{ sku: "A", qty: 2 }]);
    await life.place("F-3", [{ sku: "A", qty: 1 }]);
    await life.quiet();
    const failed = new Set<unknown>();
    // No event fails twice, whatever comes between its attempts: it has three attempts.
    receiver.answer = ({ number, headers }) => {
      if (number % 2 === 1 || failed.has(headers["webhook-id"])) return 200;
      failed.add(headers["webhook-id"]);
      return 500;
    };
    await life.client.send("NO", order("FOLLOWED", "F-4", ["A"]));
    await life.quiet();
    // Deliveries are created after the event is published: wait until each event has its delivery.
    const [row] = await server.rows<{ events: number }>(
      "select count(*)::integer as events from event where client_id = 'FOLLOWED' and topic like 'order:%'",
    );
    await until("delivered", async () => {
      const deliveries = await handleReport.deliveries(webhookId);
      return deliveries.length === row?.events && deliveries.every(({ status }) => status === "DELIVERED");
    });
  });
  const lines = (outcome: string) => grown("crossdock_allocation_lines_total", { outcome });
  assert.deepEqual([lines("allocated"), lines("partial"), lines("none")], [1, 1, 2]);
  assert.ok(grown("crossdock_allocation_duration_seconds_count", { cause: "orders" }) >= 4);
  assert.ok(grown("crossdock_outbox_events_published_total") >= 10);
  assert.ok(grown("crossdock_outbound_documents_total", { type: "OS" }) >= 1);
  assert.ok(grown("crossdock_warehouse_reports_total", { outcome: "accepted" }) >= 1);
  const delivered = grown("crossdock_webhook_attempts_total", { outcome: "delivered" });
  assert.equal(delivered, (await handleReport.deliveries(webhookId)).length);
  assert.equal(
    grown("crossdock_webhook_try_duration_seconds_count"),
    delivered + grown("crossdock_webhook_attempts_total", { outcome: "status" }),
  );
});

test("requests are counted by the template of their route; no id, name, token or address is in a label", async () => {
  const client = await server.onboard("LABELLED");
  await client.accept("CAT", catalogue("LABELLED", ["SECRET-SKU"]));
  await client.accept("NO", order("LABELLED", "SECRET-ORDER", ["SECRET-SKU"]));
  await client.order("SECRET-ORDER");
  const grown = await growth(async () => {
    await fetch(`${server.url}/no/such/path/SECRET`);
    await fetch(`${server.url}/feeds/LABELLED/NO`, { method: "POST", body: "x" });
    await fetch(`${server.url}/healthz`, { method: "PROPFIND" });
  });
  const requests = (labels: Record<string, string>) => grown("crossdock_http_requests_total", labels);
  assert.equal(requests({ service: "none", route: "none", method: "GET", status: "404" }), 1);
  assert.equal(requests({ service: "feeds", route: "/feeds/:clientId/:type", method: "POST", status: "401" }), 1);
  assert.equal(requests({ method: "other", status: "405" }), 1);
  const metrics = await scrape(server.url);
  assert.ok(sumOf(metrics, "crossdock_http_requests_total", { service: "orderService", status: "200" }) > 0);
  assert.ok(
    sumOf(metrics, "crossdock_http_request_duration_seconds_count", { route: "/v1/orderService/order/get/:orderId" }) >
      0,
  );
  assert.ok(sumOf(metrics, "crossdock_http_requests_in_progress") >= 1, "the scrape itself");
  for (const { samples } of metrics.values()) {
    for (const { name, labels } of samples) {
      for (const [label, value] of Object.entries(labels)) {
        assert.doesNotMatch(
          value,
          /LABELLED|SECRET|COUNTED|FOLLOWED|127\.0\.0\.1|[0-9a-f]{8}-[0-9a-f]{4}/,
          `${name} ${label}`,
        );
      }
    }
  }
  for (const { name, labels } of definitions) {
    for (const sample of metrics.get(name)?.samples ?? []) {
      for (const [label, value] of Object.entries(sample.labels)) {
        const values = labels[label];
        if (label !== "le" || values !== undefined) assert.ok(values !== undefined, `${name} has no label ${label}`);
        if (Array.isArray(values)) assert.ok(values.includes(value), `${name} ${label}="${value}"`);
      }
    }
  }
});

test("gauges of the store say what waits over all clients", async () => {
  const client = await server.onboard("WAITING");
  await client.set({ parkUnknownSkus: "true" });
  await client.send("NO", order("WAITING", "W-1", ["NOT-YET"]));
  await client.send("NO", order("WAITING", "W-2", ["NOT-YET"]));
  const fresh = await server.startNode({ CROSSDOCK_ROLES: "api" });
  atEnd(() => fresh.stop());
  const metrics = await scrapeWhole(fresh.url);
  const [row] = await server.rows<{ parked: number }>(
    "select count(*)::integer as parked from feed_document where state = 'PARKED'",
  );
  assert.equal(sumOf(metrics, "crossdock_feed_documents_parked"), row?.parked);
  assert.equal(sumOf(metrics, "crossdock_exceptions_open", { type: "FEED_PARKED" }), row?.parked);
  assert.equal(sumOf(metrics, "crossdock_outbox_failed_events"), 0);
  assert.equal(metrics.get("crossdock_feed_documents_unfinished")?.samples.length, 4, "each type, were it 0");
  for (const { name, of } of definitions.filter(({ of }) => of === "STORE"))
    assert.ok(metrics.get(name), `${name} of ${of}`);
});

test("a backlog is reported with the age of its oldest", async () => {
  await server.onboard("BEHIND");
  await server.rows(`insert into outbox (client_id, outbox_id, state, topic, object_type, object_id, occurred_at, data, attempts)
    values ('BEHIND', '01900000-0000-7000-8000-000000000001', 'FAILED', 'order:received', 'order', 'O', now() - interval '1 hour', '{}', 3)`);
  await server.rows(
    `insert into feed_document (client_id, token, feed_type, channel, state, received_at, overdue_at, body_sha256, body_bytes, ack)
    values ('BEHIND', $1, 'PO', 'HTTP', 'ACCEPTED', now() - interval '2 hours', now(), '', 0, '')`,
    // The id's time determines its monthly partition, and only partitions around the present exist.
    createIds().next(Date.now()),
  );
  const fresh = await server.startNode({ CROSSDOCK_ROLES: "api" });
  atEnd(() => fresh.stop());
  const metrics = await scrapeWhole(fresh.url);
  assert.equal(sumOf(metrics, "crossdock_outbox_failed_events"), 1);
  assert.equal(sumOf(metrics, "crossdock_feed_documents_unfinished", { type: "PO" }), 1);
  assert.equal(sumOf(metrics, "crossdock_feed_documents_overdue"), 1);
  const age = sumOf(metrics, "crossdock_feed_oldest_unfinished_seconds");
  assert.ok(age > 7_190 && age < 7_300, `${age}`);
});

test("while the database is unavailable a scrape is answered at once, without the gauges of the database", async () => {
  const proxy = await startProxy(server.config.database.url as string);
  const node = await server.startNode({ DATABASE_URL: proxy.url, CROSSDOCK_ROLES: "api" });
  atEnd(async () => {
    await node.stop();
    await proxy.shut();
  });
  assert.equal(sumOf(await scrape(node.url), "crossdock_store_up"), 1);
  await proxy.shut();
  let metrics: Scrape = new Map();
  const tookMs: number[] = [];
  await until("the store is known to be away", async () => {
    const startedMs = performance.now();
    metrics = await scrape(node.url);
    tookMs.push(performance.now() - startedMs);
    // Continues until the store is known to be unavailable and five scrapes are measured: the fastest of five shows how
    // long a scrape waits, independent of the machine's load.
    return sumOf(metrics, "crossdock_store_up") === 0 && tookMs.length >= 5;
  });
  const waited = `a scrape is never kept waiting: ${tookMs.map(Math.round).join(", ")} ms`;
  assert.ok(Math.min(...tookMs) < 500, waited);
  // Without an early abort, a query of the store would take its full timeout.
  assert.ok(Math.max(...tookMs) < 4_500, waited);
  assert.equal(metrics.has("crossdock_outbox_unpublished_events"), false);
  assert.ok(metrics.has("crossdock_http_requests_total"));
  await proxy.open();
  await until("the store is asked again", async () =>
    (await scrape(node.url)).has("crossdock_outbox_unpublished_events"),
  );
});

test("jobs, the pool and SFTP have their series", async () => {
  await until(
    "a job",
    async () => sumOf(await scrape(server.url), "crossdock_job_runs_total", { outcome: "done" }) > 0,
  );
  const metrics = await scrape(server.url);
  assert.ok(sumOf(metrics, "crossdock_job_last_success_timestamp_seconds") > 1_700_000_000);
  assert.ok(sumOf(metrics, "crossdock_db_connections_max") >= 10);
  assert.ok(sumOf(metrics, "crossdock_db_connection_wait_seconds_count") > 0);
  assert.equal(metrics.get("crossdock_db_connections")?.samples.length, 3);
  assert.equal(metrics.get("crossdock_sftp_log_ins_total")?.samples.length, 2, "there from the start, at 0");
});

// Traces over OTLP: from a feed to its webhooks under the ACK's token, whichever process does the work
// (docs/decisions/0028).
import assert from "node:assert/strict";
import { test } from "node:test";
import { rootSpanIdOf, traceIdOf } from "#/kernel/telemetry/trace.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { type ReceivedSpan, startCollector } from "../../support/http/otlp.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { setWaysOf } from "../../support/webhooks/outbound-channels.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

const collector = await startCollector();
atEnd(() => collector.close());
const server = await testServer({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
  OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=open%20sesame",
  OTEL_SERVICE_NAME: "crossdock-test",
  OTEL_RESOURCE_ATTRIBUTES: "k8s.pod.name=pod-1",
  OTEL_METRIC_EXPORT_INTERVAL: "500",
  CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.2",
});
const dc1 = await warehouseOf(server);

const spansOf = (token: string) => collector.spans().filter(({ traceId }) => traceId === traceIdOf(token));
const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);
/** A span is exported before its parent: a trace is complete when every parent has arrived. */
const isWhole = (spans: readonly ReceivedSpan[]) => {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.length > 0 && spans.every(({ parentId }) => parentId === undefined || ids.has(parentId));
};

test("an order sent over HTTP is one trace from the feed to the webhook, under the token of its ACK", async () => {
  const receiver = await startReceiver({ answer: ({ number }) => (number === 1 ? 503 : 200) });
  atEnd(() => receiver.close());
  const life = await lifeOf(server, dc1, "TRACED");
  const handleReport = await webhookDesk(server, life.client);
  const { webhookId } = await handleReport.create({
    url: `${receiver.url}/hook/k3y?secret=k3y`,
    topicName: "order:received",
  });
  await life.stock([{ sku: "A", qty: 5 }]);
  const parent = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  const { token } = await life.client.accept(
    "NO",
    order("TRACED", "T-1", [{ sku: "A", qty: 2 }], { distributionCentre: "DC1" }),
    parent,
  );
  await life.quiet();
  await until("DELIVERED", async () => (await handleReport.deliveries(webhookId))[0]?.status === "DELIVERED");
  const parts = ["validate", "wait for commit", "commit", "publish", "allocate", "keep tasks"];
  await until("both attempts and all earlier spans are exported", () => {
    const spans = spansOf(token);
    const areThere = [...parts, "settle document", "write outbound documents"].every(
      (name) => named(spans, name).length > 0,
    );
    return areThere && named(spans, "webhook attempt").length === 2 && isWhole(spans);
  });
  const spans = spansOf(token);

  const [root] = spans.filter(({ parentId }) => parentId === undefined);
  assert.ok(root);
  assert.deepEqual([root.name, root.kind, root.spanId], ["POST /feeds/:clientId/:type", 2, rootSpanIdOf(token)]);
  assert.deepEqual(root.links, [{ traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }]);
  assert.equal(root.attributes["http.response.status_code"], 200);
  assert.equal(root.attributes["crossdock.client_id"], "TRACED");
  assert.equal(root.attributes["crossdock.object_id"], "T-1");
  assert.equal(root.attributes["crossdock.outcome"], "accepted");

  const [publish] = named(spans, "publish").sort(inTime);
  assert.ok(publish);
  for (const name of ["validate", "wait for commit", "commit", "webhook attempt"]) {
    assert.ok(named(spans, name).length > 0, name);
    for (const span of named(spans, name)) assert.equal(span.parentId, root.spanId, `${name} is a part of the whole`);
  }
  const publishing = new Set(named(spans, "publish").map(({ spanId }) => spanId));
  for (const name of ["allocate", "keep tasks", "settle document", "write outbound documents"]) {
    assert.ok(named(spans, name).length > 0, name);
    for (const span of named(spans, name))
      assert.ok(publishing.has(span.parentId ?? ""), `${name} is a part of publishing`);
  }
  const stages = [...parts, "webhook attempt"];
  const starts = stages.map((name) => named(spans, name).sort(inTime)[0] as ReceivedSpan);
  assert.deepEqual(starts.toSorted(inTime), starts, "in the order in which it was done");
  const ids = new Set(spans.map(({ spanId }) => spanId));
  assert.equal(ids.size, spans.length);
  for (const { start, end, parentId, name } of spans) {
    assert.ok(end >= start, name);
    assert.ok(parentId === undefined || ids.has(parentId), `${name} names an exported parent`);
    // The tolerance equals the maximum duration of a test.
    assert.ok(Math.abs(Number(start / 1_000_000n) - Date.now()) < 240_000, "by the clock of the wall");
  }
  const [validate, wait, commit] = starts as [ReceivedSpan, ReceivedSpan, ReceivedSpan];
  assert.ok(
    validate.start >= root.start && validate.end <= wait.start && wait.end <= commit.start && commit.end <= root.end,
  );

  const [first, second] = named(spans, "webhook attempt").sort(inTime) as [ReceivedSpan, ReceivedSpan];
  assert.deepEqual([first.kind, first.status, first.attributes["http.response.status_code"]], [3, 2, 503]);
  assert.deepEqual([second.status, second.attributes["http.response.status_code"]], [0, 200]);
  assert.deepEqual([first.attributes["crossdock.attempt"], second.attributes["crossdock.attempt"]], [1, 2]);
  assert.deepEqual(
    receiver.requests.map(({ headers }) => headers.traceparent),
    [first, second].map(({ spanId }) => `00-${traceIdOf(token)}-${spanId}-01`),
  );
  assert.equal(second.attributes["server.address"], "127.0.0.1");
  assert.equal(second.attributes["crossdock.topic"], "order:received");

  assert.deepEqual(
    { ...root.resource, "service.instance.id": "", "service.version": "" },
    {
      "service.name": "crossdock-test",
      "service.instance.id": "",
      "service.version": "",
      "deployment.environment.name": "sandbox",
      "k8s.pod.name": "pod-1",
    },
  );
  const [request] = collector.requests;
  assert.equal(request?.path.startsWith("/otlp/v1/"), true);
  assert.equal(request?.headers["x-collector-key"], "open sesame");
});

test("what a warehouse does to an order later is in the trace of the order, and in a separate one of the request", async () => {
  const life = await lifeOf(server, dc1, "LATER");
  await life.stock([{ sku: "A", qty: 5 }]);
  const before = collector.spans().length;
  await life.ship("L-1", "A", 1);
  const token = String((await life.client.order("L-1"))?.feedToken);
  await life.quiet();
  await until("the despatch is in the trace of the feed", async () => {
    const topics = named(spansOf(token), "publish").flatMap(({ attributes }) =>
      String(attributes["crossdock.topics"]).split(","),
    );
    return topics.includes("order:despatched");
  });
  const reports = collector
    .spans()
    .slice(before)
    .filter(({ name }) => /^POST \/v1\/warehouseService\//.test(name));
  assert.ok(reports.length > 0);
  for (const span of reports) {
    assert.equal(span.parentId, undefined);
    assert.notEqual(span.traceId, traceIdOf(token));
    assert.equal(span.spanId, span.traceId.slice(16));
  }
});

test("a rejected document has its trace, a read has none, and no trace shows content, keys or addresses", async () => {
  const client = await server.onboard("SHY");
  await client.accept("CAT", catalogue("SHY", ["A"]));
  const refused = await client.send("NO", order("SHY", "S-1", ["NOBODY-KNOWS"]));
  await client.request(`/feeds/SHY/status/${refused.token}`);
  await until("its rejection is published", () => {
    const spans = spansOf(refused.token);
    return named(spans, "publish").length > 0 && named(spans, "validate").length > 0 && isWhole(spans);
  });
  const spans = spansOf(refused.token);
  const [root] = spans.filter(({ parentId }) => parentId === undefined);
  assert.equal(root?.attributes["crossdock.outcome"], "rejected");
  assert.equal(named(spans, "validate").length, 1);
  const found = collector.spans();
  assert.deepEqual(
    found.filter(({ name }) => name.startsWith("GET")),
    [],
  );
  const text = JSON.stringify(found, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  for (const secret of ["k3y", "Khan", "Mill Lane", "LS1 4AP", "NOBODY-KNOWS", client.credentials.feed.apiKey]) {
    assert.ok(!text.includes(secret), `${secret} is in a trace`);
  }
});

test("an outbound feed that is pushed is in the trace of the order it reports", async () => {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const life = await lifeOf(server, dc1, "PUSHED");
  await setWaysOf(server, "PUSHED", "OS", { push: `${receiver.url}/os` });
  await life.stock([{ sku: "A", qty: 5 }]);
  const { token } = await life.client.accept("NO", order("PUSHED", "P-1", ["A"], { distributionCentre: "DC1" }));
  await until("the push is exported", async () => named(spansOf(token), "webhook attempt").length > 0);
  const [push] = named(spansOf(token), "webhook attempt");
  assert.equal(push?.attributes["crossdock.topic"], "OS");
  assert.equal(push?.parentId, rootSpanIdOf(token));
});

test("metrics are sent as well, with the names and values of /metrics", async () => {
  // The latest message may predate the last orders.
  const sent = await until("metrics with the orders have come", () => {
    const last = collector.metrics();
    const accepted = last
      .get("crossdock_feed_documents_total")
      ?.points.find(({ attributes }) => attributes.type === "NO" && attributes.outcome === "accepted");
    return last.has("crossdock_outbox_unpublished_events") && (accepted?.value ?? 0) >= 2 && last;
  });
  const documents = sent.get("crossdock_feed_documents_total");
  assert.deepEqual([documents?.kind, documents?.isMonotonic, documents?.temporality], ["sum", true, 2]);
  assert.equal(sent.get("crossdock_store_up")?.points[0]?.value, 1);
  assert.equal(sent.get("crossdock_feed_oldest_unfinished_seconds")?.unit, "s");
  const duration = sent.get("crossdock_feed_commit_duration_seconds");
  assert.deepEqual([duration?.kind, duration?.temporality], ["histogram", 2]);
  for (const { count, counts, bounds, sum, attributes } of duration?.points ?? []) {
    assert.equal(counts.length, bounds.length + 1);
    assert.equal(
      counts.reduce((all, part) => all + part, 0),
      count,
    );
    assert.ok(sum > 0 && count > 0);
    assert.deepEqual(Object.keys(attributes), ["lane"]);
  }
});

function inTime(left: ReceivedSpan, right: ReceivedSpan): number {
  return Number(left.start - right.start);
}

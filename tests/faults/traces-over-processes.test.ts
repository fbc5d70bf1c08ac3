// A trace needs only its token: one process receives the feed, another does the follow-up work, and they never
// communicate.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { rootSpanIdOf, traceIdOf } from "#/kernel/telemetry/trace.ts";
import type { DemoCredentials } from "#/sandbox/demo/greeting.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { makeDataDir } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { startCollector } from "../support/http/otlp.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { orderXml } from "./load/sender.ts";
import { startNode } from "./nodes/nodes.ts";

const collector = await startCollector();
atEnd(() => collector.close());
const { url: databaseUrl } = await testDatabase();
const dataDir = makeDataDir();
const stretch = watchMachine();
const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
const worker = await startNode({
  databaseUrl,
  dataDir,
  roles: ["worker"],
  environment: { ...environment, CROSSDOCK_SEED_DEMO: "true" },
});
const feeds = await startNode({ databaseUrl, roles: ["feeds"], environment });
const demo = JSON.parse(readFileSync(path.join(dataDir, "demo-credentials.json"), "utf8")) as DemoCredentials;

async function sendOrder(orderId: string): Promise<string> {
  const response = await fetch(`${feeds.url}/feeds/DEMO/NO`, {
    method: "POST",
    headers: { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" },
    body: orderXml(orderId, 1, "TEE-M"),
  });
  return /<token>([^<]+)<\/token><success>true</.exec(await response.text())?.[1] ?? assert.fail(orderId);
}

const spansOf = (token: string) => collector.spans().filter(({ traceId }) => traceId === traceIdOf(token));

test("a document received by one process and processed by another is one trace", async () => {
  const token = await sendOrder("OVER-1");
  await until(
    "both processes to tell",
    async () => {
      const names = spansOf(token).map(({ name }) => name);
      return names.includes("commit") && names.includes("allocate") ? true : undefined;
    },
    60_000,
  );
  const instancesOf = (...names: string[]) =>
    new Set(
      spansOf(token).flatMap(({ name, resource }) => (names.includes(name) ? resource["service.instance.id"] : [])),
    );
  const [first] = instancesOf("validate", "wait for commit", "commit", "POST /feeds/:clientId/:type");
  const [second] = instancesOf("publish", "allocate", "keep tasks", "settle document");
  assert.ok(first !== undefined && second !== undefined && first !== second);
  for (const span of spansOf(token).filter(({ name }) => name === "publish"))
    assert.equal(span.parentId, rootSpanIdOf(token), "of a root that it never saw");
});

test("a stopping process sends its remaining spans, and ends in time without a collector", async () => {
  const token = await sendOrder("OVER-2");
  const exit = await feeds.stop("SIGINT");
  assert.equal(exit.code, 0);
  assert.ok(
    spansOf(token).some(({ parentId }) => parentId === undefined),
    "the last second is not lost",
  );
  const silent = await startReceiver({ answer: "hang" });
  atEnd(() => silent.close());
  const node = await startNode({
    databaseUrl,
    roles: ["feeds"],
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, OTEL_METRIC_EXPORT_INTERVAL: "100" },
  });
  await until("a message to be under way", async () => silent.requests.length > 0);
  const ended = await node.stop("SIGINT");
  assert.equal(ended.code, 0);
  assert.ok(ended.ms < 5_000 * stretch(), `${ended.ms} ms`);
  assert.equal((await worker.stop("SIGINT")).code, 0);
});

// A collector that is unavailable, silent or failing: nothing waits for it, no memory grows, and lost data is counted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { freePort } from "../../support/app/free-port.ts";
import { watchMachine } from "../../support/app/machine.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { scrape, sumOf } from "../../support/http/scrape.ts";

const server = await testServer();
const here = await server.onboard("PATIENT");
await here.accept("CAT", catalogue("PATIENT", ["A"]));

const stretch = watchMachine();

const closedPort = async () => `http://127.0.0.1:${await freePort()}`;

async function receiverOf(answer: "hang" | 500 | 503): Promise<string> {
  const receiver = await startReceiver({ answer });
  atEnd(() => receiver.close());
  return receiver.url;
}

const ill = {
  "refuses connections": closedPort,
  "takes a request and never answers": () => receiverOf("hang"),
  "answers 500": () => receiverOf(500),
  "asks to try again for ever": () => receiverOf(503),
};

/** Code that waits for a faulty collector waits for five seconds, the maximum for sending. */
const collectorMsMax = 5_000;
/** Less than that, except on a slow machine. */
const notWaitedMs = () => (collectorMsMax - 1_000) * stretch();

/** The time that a node without a collector takes to stop. */
async function plainStopMs(): Promise<number> {
  const node = await server.startNode();
  const beganMs = performance.now();
  await node.stop();
  return performance.now() - beganMs;
}

for (const [illness, endpointOf] of Object.entries(ill)) {
  test(`a collector that ${illness} delays no answer and no stop, and its missed spans are counted`, async () => {
    const node = await server.startNode({
      OTEL_EXPORTER_OTLP_ENDPOINT: await endpointOf(),
      OTEL_METRIC_EXPORT_INTERVAL: "100",
    });
    const client = here.at(node.url);
    const before = sumOf(await scrape(node.url), "crossdock_telemetry_dropped_total");
    const slowest = { ms: 0 };
    for (let i = 0; i < 10; i++) {
      const startedMs = performance.now();
      await client.accept("NO", order("PATIENT", `${illness.slice(0, 9)}-${i}`.replaceAll(" ", "-"), ["A"]));
      slowest.ms = Math.max(slowest.ms, performance.now() - startedMs);
    }
    assert.ok(slowest.ms < notWaitedMs(), `${slowest.ms} ms`);
    const stoppingMs = performance.now();
    await node.stop();
    const stopMs = performance.now() - stoppingMs;
    const plainMs = await plainStopMs();
    assert.ok(stopMs < plainMs + notWaitedMs(), `${stopMs} ms, without a collector ${plainMs} ms`);
    await until(
      "counted",
      async () => sumOf(await scrape(server.url), "crossdock_telemetry_dropped_total") - before >= 40,
    );
  });
}

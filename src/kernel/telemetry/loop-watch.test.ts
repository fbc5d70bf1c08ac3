import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { asideOfSteps, type LongStep, markStep, watchLoop } from "#/kernel/telemetry/loop-watch.ts";
import { processRegistry } from "#/kernel/telemetry/metrics.ts";

const steps: LongStep[] = [];
watchLoop((step) => steps.push(step));

function compute(ms: number): void {
  const before = process.threadCpuUsage();
  for (let used = 0; used < ms; ) {
    const { user, system } = process.threadCpuUsage(before);
    used = (user + system) / 1_000;
  }
}

test("a long step is that of the route that marked it, and the metric has the longest of each route", async () => {
  await sleep(60);
  steps.length = 0;
  markStep(undefined);
  compute(300);
  markStep("/slow/:id");
  compute(10);
  markStep("/fast");
  await sleep(60);
  assert.equal(steps[0]?.route, "/slow/:id");
  assert.ok((steps[0]?.cpuMs ?? 0) >= 300);
  assert.match(
    await processRegistry.metrics(),
    /crossdock_event_loop_step_max_seconds\{route="\/slow\/:id"\} 0\.[3-9]/,
  );
});

test("a process that waits has no step, nor has work of the first use", async () => {
  await sleep(60);
  steps.length = 0;
  markStep(undefined);
  await sleep(300);
  markStep("/waits");
  asideOfSteps(() => compute(300));
  markStep("/first");
  await sleep(60);
  assert.deepEqual(
    steps.filter(({ route }) => route !== undefined),
    [],
  );
});

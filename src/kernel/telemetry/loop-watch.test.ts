import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { asideOfSteps, markStep, watchLoop } from "#/kernel/telemetry/loop-watch.ts";
import { processRegistry } from "#/kernel/telemetry/metrics.ts";
import { compute, longWorkDuring, stepsDuring } from "../../../tests/support/app/steps.ts";

test("periods take a second while the thread rests, and 50 ms from the first work on", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let usedMs = 0;
  const usage = mock.method(process, "threadCpuUsage", () => ({ user: usedMs * 1_000, system: 0 }));
  const steps: unknown[] = [];
  const end = watchLoop(({ route, cpuMs }) => steps.push([route, cpuMs]));
  const looksDuring = (ms: number) => {
    const before = usage.mock.callCount();
    context.mock.timers.tick(ms);
    return usage.mock.callCount() - before;
  };
  assert.equal(looksDuring(1_000), 20);
  assert.equal(looksDuring(5_000), 5);
  usedMs += 150;
  markStep("/after-rest");
  assert.equal(looksDuring(50), 1);
  assert.deepEqual(steps, [["/after-rest", 150]]);
  assert.equal(looksDuring(500), 10);
  end();
  usage.mock.restore();
});

test("a long step is that of the route that marked it, and the metric has the longest of each route", async () => {
  const [step] = await stepsDuring(() => {
    markStep(undefined);
    compute(300);
    markStep("/slow/:id");
    compute(10);
    markStep("/fast");
  });
  assert.equal(step?.route, "/slow/:id");
  assert.ok((step?.cpuMs ?? 0) >= 300);
  assert.match(step?.stack ?? "", /loop-watch\.test\.ts/);
  assert.match(
    await processRegistry.metrics(),
    /crossdock_event_loop_step_max_seconds\{route="\/slow\/:id"\} 0\.[3-9]/,
  );
});

test("each long step of a period is reported, not only the longest", async () => {
  const routes = await longWorkDuring(() => {
    markStep(undefined);
    compute(120);
    markStep("/long");
    compute(150);
    markStep("/longer");
    compute(300);
  });
  assert.deepEqual(routes, ["/long", "/longer"]);
});

test("a process that waits has no step, nor has work of the first use", async () => {
  const routes = await longWorkDuring(async () => {
    markStep(undefined);
    await sleep(300);
    markStep("/waits");
    asideOfSteps(() => compute(300));
    markStep("/first");
  });
  assert.deepEqual(routes, []);
});

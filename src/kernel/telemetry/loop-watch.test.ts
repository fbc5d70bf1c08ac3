import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { asideOfSteps, markStep } from "#/kernel/telemetry/loop-watch.ts";
import { processRegistry } from "#/kernel/telemetry/metrics.ts";
import { compute, longWorkDuring, stepsDuring } from "../../../tests/support/app/steps.ts";

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

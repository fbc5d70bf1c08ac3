// The longest steps of the event loop: the log names the route of each, and a test with one fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { markStep } from "#/kernel/telemetry/loop-watch.ts";
import { testServer } from "../../support/app/server.ts";
import { stallsIn } from "../../support/app/stalls.ts";
import { compute } from "../../support/app/steps.ts";
import { until } from "../../support/app/until.ts";

const server = await testServer();

/** A request whose handler occupies the event loop for this processor time. */
function occupy(route: string, ms: number): void {
  markStep(undefined);
  compute(ms);
  markStep(route);
}

test("a step of over 200 ms is logged with its route, and fails the file", async () => {
  const log = () => server.logged.join("");
  occupy("/v1/planted/:id", 250);
  await until("the step is logged", () => log().includes("/v1/planted/:id"));
  assert.match(
    stallsIn(log()).join("\n"),
    /^\/v1\/planted\/:id took (?:2[5-9]|[3-9]\d)\d ms of processor time in one step$/,
  );
  // This file passes.
  server.logged.splice(0, server.logged.length, ...server.logged.filter((line) => !line.includes("/v1/planted/")));
  assert.deepEqual(stallsIn(log()), []);
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job, OrderJob } from "#/sandbox/simulator/job.ts";
import { planNext, settle } from "#/sandbox/simulator/plan.ts";
import type { Report } from "#/sandbox/simulator/port.ts";
import { withNews } from "#/sandbox/simulator/task-news.ts";
import { atMs, orderOf, releasedAt, taskOf, worldOf } from "../../../tests/support/warehouse/simulated-world.ts";

describe("news of an order", () => {
  const world = worldOf();
  const started = () =>
    withNews(
      undefined,
      orderOf("O-1", [
        { sku: "MUG", qty: 2 },
        { sku: "OIL", qty: 1 },
      ]),
    ) as OrderJob;
  const stepOf = (job: Job | undefined) => job && planNext(job, world)?.step;

  test("a withdrawn task of an order that was not begun ends it", () => {
    const withdrawn = withNews(started(), taskOf("PICK", "O-1", [{ sku: "MUG" }], { withdrawnAt: releasedAt }));
    assert.equal(stepOf(withdrawn), undefined);
    assert.equal(withNews(undefined, taskOf("PICK", "O-9", [], { withdrawnAt: releasedAt })), undefined);
  });

  test("a held order waits, and continues where it stopped", () => {
    const job = started();
    const held = withNews(job, taskOf("HOLD", "O-1", []));
    assert.deepEqual([stepOf(job), stepOf(held)], ["accept", undefined]);
    assert.equal(stepOf(withNews(held, taskOf("HOLD", "O-1", [], { withdrawnAt: releasedAt }))), "accept");
  });

  test("a cancel request is answered CANCELLED for what is not packed, TOO_LATE for the rest, and is acted on", () => {
    const job: OrderJob = {
      ...started(),
      isAccepted: true,
      toPick: [],
      picked: [{ lineNumber: 2, sku: "OIL", qty: 1 }],
      parcels: [{ olpnId: "OLPN-1", isLoaded: false, lineNumbers: [1] }],
    };
    const cancelJob = withNews(
      job,
      taskOf("CANCEL_REQUEST", "O-1", [{ sku: "MUG", qty: 2 }, { sku: "OIL" }]),
    ) as OrderJob;
    const answer = planNext(cancelJob, world)?.compose(atMs) as Report;
    assert.equal(answer.path, "/cancel/report");
    assert.deepEqual(answer.body.lines, [
      { lineNumber: 1, outcome: "TOO_LATE" },
      { lineNumber: 2, outcome: "CANCELLED" },
    ]);
    const after = settle(cancelJob, answer, {}, world).job as OrderJob;
    assert.deepEqual([after.picked, after.cancelRequest, stepOf(after)], [[], undefined, "load"]);
  });

  test("a cancelled order has no more work; a lower quantity takes unpicked units first", () => {
    const job: OrderJob = {
      ...started(),
      toPick: [{ lineNumber: 1, sku: "MUG", qty: 1 }],
      picked: [{ lineNumber: 1, sku: "MUG", qty: 1 }],
    };
    const cancelJob = withNews(job, taskOf("CANCEL_REQUEST", "O-1", [{ sku: "MUG", qty: 1 }])) as OrderJob;
    const partly = settle(cancelJob, planNext(cancelJob, world)?.compose(atMs) as Report, {}, world).job as OrderJob;
    assert.deepEqual([partly.toPick, partly.picked.length], [[], 1]);
    const whole = withNews(job, taskOf("CANCEL_REQUEST", "O-1", [{ sku: "MUG", qty: 2 }])) as OrderJob;
    assert.equal(settle(whole, planNext(whole, world)?.compose(atMs) as Report, {}, world).job, undefined);
  });
});

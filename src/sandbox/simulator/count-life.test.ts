import assert from "node:assert/strict";
import { test } from "node:test";
import type { CountJob, Job, World } from "#/sandbox/simulator/job.ts";
import { planNext, settle } from "#/sandbox/simulator/plan.ts";
import type { Report } from "#/sandbox/simulator/port.ts";
import { withNews } from "#/sandbox/simulator/task-news.ts";
import { atMs, releasedAt, taskOf, worldOf } from "../../../tests/support/warehouse/simulated-world.ts";

const lot = (qty: number, more: object = {}) => ({
  stockPool: "DEFAULT",
  condition: "GOOD",
  batchRef: null,
  expiryDate: null,
  qty,
  serials: [],
  ...more,
});
const shelves: Readonly<Record<string, readonly object[]>> = {
  MUG: [lot(100), lot(3, { condition: "ON_HOLD" })],
  OIL: [lot(7, { batchRef: "B1", expiryDate: "2027-01-01" })],
  LAMP: [lot(2, { serials: ["S1", "S2"] })],
};

function answerTo({ action, body }: Report): Record<string, unknown> {
  return action === "accept" ? { results: [{ status: "ACCEPTED" }] } : { lots: shelves[String(body.sku)] ?? [] };
}

function reportsOf(lines: readonly object[], world: World): Report[] {
  const reports: Report[] = [];
  for (let job: Job | undefined = withNews(undefined, taskOf("COUNT", "C-1", lines)); job; ) {
    const report = planNext(job, world)?.compose(atMs);
    assert.ok(report);
    reports.push(report);
    job = settle(job, report, answerTo(report), world).job;
  }
  return reports;
}

test("a count looks at the shelf of each SKU, and reports its lots as of the look", () => {
  const oil = { sku: "OIL", batchRef: "B1", expiryDate: "2027-01-01" };
  const reports = reportsOf(
    [{ sku: "MUG", condition: "GOOD" }, oil, { sku: "OIL", batchRef: "B2" }, { sku: "LAMP" }],
    worldOf(),
  );
  assert.deepEqual(
    reports.map(({ path }) => path),
    [
      "/task/accept",
      "/stock/get/MUG?clientId=ACME",
      "/stock/get/OIL?clientId=ACME",
      "/stock/get/LAMP?clientId=ACME",
      "/count/report",
    ],
  );
  const { reportId, ...body } = reports.at(-1)?.body ?? {};
  assert.match(String(reportId), /^sim-count-/);
  const place = { stockPool: "DEFAULT", condition: "GOOD" };
  assert.deepEqual(body, {
    clientId: "ACME",
    countId: "C-1",
    includesStaged: true,
    occurredAt: releasedAt,
    lines: [
      { sku: "MUG", ...place, countedQty: 100 },
      { sku: "OIL", ...place, countedQty: 7, batchRef: "B1", expiryDate: "2027-01-01" },
      { sku: "OIL", ...place, countedQty: 0, batchRef: "B2" },
      { sku: "LAMP", ...place, countedQty: 2, serials: ["S1", "S2"] },
    ],
  });
});

test("the fault shortPick makes a count find less, and a withdrawn task ends it", () => {
  const reports = reportsOf([{ sku: "MUG" }, { sku: "LAMP" }], worldOf("monday", { shortPick: 1 }));
  const lines = reports.at(-1)?.body.lines as { countedQty: number }[];
  assert.deepEqual(
    lines.map(({ countedQty }) => countedQty),
    [95, 2],
  );
  const task = taskOf("COUNT", "C-1", [{ sku: "MUG" }]);
  const job = withNews(undefined, task) as CountJob;
  assert.equal(withNews({ ...job, isAccepted: true }, { ...task, withdrawnAt: releasedAt }), undefined);
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { draw } from "#/sandbox/simulator/draw.ts";
import type { IntakeJob, Job, OrderJob, ParcelJob, World } from "#/sandbox/simulator/job.ts";
import { planNext, settle } from "#/sandbox/simulator/plan.ts";
import type { Report, Task } from "#/sandbox/simulator/port.ts";
import { withNews } from "#/sandbox/simulator/task-news.ts";
import { atMs, orderOf, releasedAt, taskOf, worldOf } from "../../../tests/support/warehouse/simulated-world.ts";

/** A port that accepts everything. */
function answerTo({ action, body }: Report): Record<string, unknown> {
  if (action === "accept") return { results: [{ status: "ACCEPTED" }] };
  if (action !== "pack") return {};
  const { orderId, olpns } = body as { orderId: string; olpns: object[] };
  return { olpns: olpns.map((_, i) => ({ olpnId: `OLPN of ${orderId} ${i}` })) };
}

/** All reports from a task to the end of its follow-up jobs, and their total duration at speed 1. */
function lifeOf(task: Task, world: World): { reports: Report[]; seconds: number } {
  const reports: Report[] = [];
  let seconds = 0;
  const jobs: Job[] = [withNews(undefined, task) as Job];
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const plan = planNext(job, world);
    assert.ok(plan, `nothing is planned for ${job.objectId}`);
    const report = plan.compose(atMs);
    assert.ok(report, `${plan.step} of ${job.objectId} is possible`);
    reports.push(report);
    seconds += plan.afterSeconds;
    const { job: next, more = [] } = settle(job, report, answerTo(report), world);
    if (next) jobs.unshift(next);
    jobs.push(...more);
  }
  return { reports, seconds };
}

const actionsOf = ({ reports }: { reports: readonly Report[] }) => reports.map(({ action }) => action);
describe("plan of the simulated warehouse", () => {
  test("an order is accepted, picked, packed, loaded, despatched and delivered in 25 to 45 s", () => {
    for (let i = 0; i < 200; i++) {
      const life = lifeOf(orderOf(`O-${i}`), worldOf());
      const actions = actionsOf(life).filter((action) => action !== "carrier event 125");
      const floor = ["accept", "pick", "pack", "load", "despatch"];
      const way = ["carrier event 110", "carrier event 120", "carrier event 160", "deliver"];
      assert.deepEqual(actions, [...floor, ...way]);
      assert.ok(life.seconds > 25 && life.seconds < 45, `${life.seconds} s`);
    }
  });

  test("the same seed gives an object the same life for any order of objects; another seed gives another life", () => {
    const faults = { shortPick: 0.3, lateCarrier: 0.3, lostParcel: 0.3 };
    const names = Array.from({ length: 40 }, (_, i) => `O-${i}`);
    const livesBy = (seed: string, order: readonly string[]) => {
      const world = worldOf(seed, faults);
      return new Map(order.map((name) => [name, JSON.stringify(lifeOf(orderOf(name), world))]));
    };
    const first = livesBy("monday", names);
    const again = livesBy("monday", names.toReversed());
    for (const name of names) assert.equal(again.get(name), first.get(name));
    const other = livesBy("tuesday", names);
    assert.ok(names.some((name) => other.get(name) !== first.get(name)));
    assert.ok(new Set(names.map((name) => first.get(name)?.replaceAll(name, ""))).size > 2);
  });

  test("faults occur at their rates, and a rate of 0 never", () => {
    const draws = Array.from({ length: 4_000 }, (_, i) => draw("monday", i));
    assert.ok(draws.every((drawn) => drawn >= 0 && drawn < 1));
    const share = draws.filter((drawn) => drawn < 0.1).length / draws.length;
    assert.ok(share > 0.08 && share < 0.12, `${share}`);
  });

  test("a short pick names the missing units, and the picked units continue", () => {
    const { reports } = lifeOf(orderOf("O-1", [{ sku: "MUG", qty: 3 }]), worldOf("monday", { shortPick: 1 }));
    const pick = reports.find(({ action }) => action === "pick")?.body.lines;
    assert.deepEqual(pick, [{ lineNumber: 1, qtyPicked: 2, qtyShort: 1, stockPool: "DEFAULT" }]);
    const pack = reports.find(({ action }) => action === "pack")?.body.olpns as {
      contents: object[];
      weight: number;
    }[];
    assert.deepEqual(pack[0]?.contents, [{ lineNumber: 1, qty: 2 }]);
    assert.equal(pack[0]?.weight, 0.9);
  });

  test("a unit that is found for a short one is another: its report has another name, and its own draw", () => {
    const lines = [{ sku: "MUG" }];
    const picks = Array.from({ length: 20 }, (_, i) => {
      const job = {
        ...(withNews(undefined, taskOf("PICK", "O-1", lines, { version: i + 1 })) as OrderJob),
        isAccepted: true,
      };
      return planNext(job, worldOf("monday", { shortPick: 0.5 }))?.compose(atMs)?.body as {
        reportId: string;
        lines: { qtyPicked: number }[];
      };
    });
    assert.equal(new Set(picks.map(({ reportId }) => reportId)).size, 20);
    assert.deepEqual(new Set(picks.map(({ lines: [line] }) => line?.qtyPicked)), new Set([0, 1]));
  });

  test("an order that is short of everything ends without a parcel", () => {
    assert.deepEqual(actionsOf(lifeOf(orderOf("O-1", [{ sku: "MUG" }]), worldOf("monday", { shortPick: 1 }))), [
      "accept",
      "pick",
    ]);
  });

  test("a large order goes into several parcels, whose contents add up, serials with their units", () => {
    const lines = [
      { sku: "MUG", qty: 25.5 },
      { sku: "LAMP", qty: 30, batchRef: "L1" },
    ];
    const { reports } = lifeOf(orderOf("O-1", lines), worldOf());
    const olpns = reports.find(({ action }) => action === "pack")?.body.olpns as {
      contents: { lineNumber: number; qty: number; serials?: string[] }[];
    }[];
    const contents = olpns.flatMap((olpn) => olpn.contents);
    const sum = (lineNumber: number) =>
      contents.reduce((total, content) => total + (content.lineNumber === lineNumber ? content.qty : 0), 0);
    assert.ok(olpns.length > 1);
    assert.deepEqual([sum(1), sum(2)], [25.5, 30]);
    const serials = contents.flatMap((content) => content.serials ?? []);
    assert.equal(new Set(serials).size, 30);
    for (const { lineNumber, qty, serials: numbers = [] } of contents)
      if (lineNumber === 2) assert.equal(numbers.length, qty);
    assert.equal(reports.filter(({ action }) => action === "deliver").length, olpns.length);
  });

  test("a parcel whose label the platform buys gets no tracking number from the warehouse", () => {
    const numbersOf = (shippingMethod: string) =>
      lifeOf({ ...orderOf("O-1"), order: { shippingMethod } }, worldOf()).reports.flatMap(({ action, body }) =>
        action === "pack"
          ? (body as { olpns: object[] }).olpns.map((olpn) => Object.hasOwn(olpn, "trackingNumber"))
          : [],
      );
    assert.deepEqual(numbersOf("AIR"), [false]);
    assert.deepEqual(numbersOf("STANDARD"), [true]);
  });

  test("a late carrier reports the delay and delivers; a lost parcel ends with 195", () => {
    const late = actionsOf(lifeOf(orderOf("O-1"), worldOf("monday", { lateCarrier: 1 })));
    assert.ok(late.includes("carrier event 165"));
    assert.equal(late.at(-1), "deliver");
    const lost = actionsOf(lifeOf(orderOf("O-1"), worldOf("monday", { lostParcel: 1 })));
    assert.equal(lost.at(-1), "carrier event 195");
    assert.ok(!lost.includes("deliver"));
  });

  test("a purchase order is received completely: damage by its rate, and captured values are generated once for all attempts", () => {
    const task = taskOf("PURCHASE_ORDER", "PO-1/V-7", [
      { sku: "MUG", qty: 40 },
      { sku: "OIL", qty: 5 },
      { sku: "LAMP", qty: 3 },
    ]);
    const { reports } = lifeOf(task, worldOf("monday", { damage: 1 }));
    const body = reports.at(-1)?.body as Record<string, unknown> & { lines: Record<string, unknown>[] };
    assert.deepEqual([body.poNumber, body.vendorOrderId, body.closeOrder], ["PO-1", "V-7", false]);
    assert.match(String(body.receiptId), /^sim-receipt-[0-9a-f]{20}$/);
    const of = (sku: string) => body.lines.filter((line) => line.sku === sku);
    assert.deepEqual(
      of("MUG").map(({ qty, condition }) => [qty, condition]),
      [
        [36, "GOOD"],
        [4, "DAMAGED"],
      ],
    );
    for (const line of of("OIL")) {
      assert.match(String(line.batchRef), /^B-/);
      assert.ok(String(line.expiryDate) > "2027-05-01", String(line.expiryDate));
    }
    const serials = of("LAMP").flatMap((line) => line.serials as string[]);
    assert.equal(new Set(serials).size, 3);
    assert.deepEqual(lifeOf(task, worldOf("monday", { damage: 1 })).reports, reports);
  });

  test("despatched serials were received before", () => {
    const world = worldOf();
    const received = lifeOf(taskOf("PURCHASE_ORDER", "PO-1", [{ sku: "LAMP", qty: 2 }]), world).reports.at(-1)?.body;
    const picked = lifeOf(orderOf("O-1", [{ sku: "LAMP", qty: 2 }]), world).reports[1]?.body;
    const serialsOf = (body: Report["body"] | undefined) =>
      (body?.lines as { serials: string[] }[] | undefined)?.[0]?.serials;
    assert.deepEqual(serialsOf(picked), serialsOf(received));
    const next = lifeOf(orderOf("O-2", [{ sku: "LAMP" }]), world).reports[1]?.body;
    assert.deepEqual(serialsOf(next), ["LAMP-DC1-1"], "then the opening stock's");
  });

  test("returns come back resellable, damaged by the rate", () => {
    const task = taskOf("RETURN", "RMA-1", [{ sku: "MUG" }]);
    const dispositionOf = (world: World) =>
      (lifeOf(task, world).reports.at(-1)?.body.lines as { disposition: string }[] | undefined)?.[0]?.disposition;
    assert.equal(dispositionOf(worldOf()), "RESELLABLE");
    assert.equal(dispositionOf(worldOf("monday", { damage: 1 })), "DAMAGED");
  });

  test("units with serials come back only after they have left, and can be sold again", () => {
    const world = worldOf();
    const task = taskOf("RETURN", "RMA-1", [{ sku: "LAMP" }]);
    const job = { ...(withNews(undefined, task) as IntakeJob), isAccepted: true };
    assert.equal(planNext(job, world)?.compose(atMs), undefined);
    lifeOf(orderOf("O-1", [{ sku: "LAMP", qty: 2 }]), world);
    const serialsOf = (reports: readonly Report[], at: number) =>
      (reports.at(at)?.body.lines as { serials: string[] }[] | undefined)?.[0]?.serials;
    assert.deepEqual(serialsOf(lifeOf(task, world).reports, -1), ["LAMP-DC1-1"]);
    assert.deepEqual(serialsOf(lifeOf(orderOf("O-2", [{ sku: "LAMP" }]), world).reports, 1), ["LAMP-DC1-1"]);
  });

  test("half of a work order is made first, then the rest of the task; captured values are reported", () => {
    const world = worldOf();
    const toMake = { sku: "OIL", qty: 5, uom: "EA", consumption: "REPORTED" as const };
    const task = (lines: readonly object[], qty: number) =>
      taskOf("WORK_ORDER", "WO-1", lines, { finishedGood: { ...toMake, qty } });
    const lines = [
      { sku: "MUG", qty: 10, batchRef: "M-1" },
      { sku: "LAMP", qty: 5 },
    ];
    const job = { ...(withNews(undefined, task(lines, 5)) as IntakeJob), isAccepted: true };
    const first = planNext(job, world)?.compose(atMs) as Report;
    const made = first.body.finishedGood as Record<string, unknown>;
    assert.deepEqual([made.qty, Object.keys(made)], [3, ["qty", "batchRef", "expiryDate"]]);
    assert.deepEqual(first.body.components, [
      { sku: "MUG", qty: 6, stockPool: "DEFAULT", batchRef: "M-1" },
      { sku: "LAMP", qty: 3, stockPool: "DEFAULT", serials: ["LAMP-DC1-1", "LAMP-DC1-2", "LAMP-DC1-3"] },
    ]);
    const waiting = settle(job, first, {}, world).job as IntakeJob;
    assert.equal(planNext(waiting, world), undefined, "what is left is for the task to say");
    const left = [
      { sku: "MUG", qty: 4, batchRef: "M-1" },
      { sku: "LAMP", qty: 2 },
    ];
    const rest = planNext(withNews(waiting, task(left, 2)) as Job, world)?.compose(atMs) as Report;
    assert.equal((rest.body.finishedGood as { qty: number }).qty, 2);
    assert.deepEqual(
      (rest.body.components as { qty: number }[]).map(({ qty }) => qty),
      [4, 2],
    );
    assert.notEqual(rest.body.reportId, first.body.reportId);
    const withdrawn = taskOf("WORK_ORDER", "WO-1", left, { withdrawnAt: releasedAt });
    assert.equal(withNews(waiting, withdrawn), undefined);
  });

  test("a finished good with serials can be sold; by the recipe no component is named", () => {
    const world = worldOf();
    const finishedGood = { sku: "LAMP", qty: 1, uom: "EA", consumption: "BACKFLUSH" as const };
    const task = taskOf("WORK_ORDER", "WO-1", [{ sku: "MUG", qty: 2 }], { finishedGood });
    const job = { ...(withNews(undefined, task) as IntakeJob), isAccepted: true };
    const report = planNext(job, world)?.compose(atMs) as Report;
    const { serials } = report.body.finishedGood as { serials: string[] };
    assert.deepEqual([report.body.components, serials.length], [undefined, 1]);
    settle(job, report, {}, world);
    const picked = lifeOf(orderOf("O-1", [{ sku: "LAMP" }]), world).reports[1]?.body.lines as { serials: string[] }[];
    assert.deepEqual(picked[0]?.serials, serials);
  });

  test("two returns never bring the same unit back", () => {
    const world = worldOf();
    lifeOf(orderOf("O-1", [{ sku: "LAMP" }]), world);
    const composed = ["RMA-1", "RMA-2"].map((name) => {
      const job = {
        ...(withNews(undefined, taskOf("RETURN", name, [{ sku: "LAMP" }])) as IntakeJob),
        isAccepted: true,
      };
      return planNext(job, world)?.compose(atMs) !== undefined;
    });
    assert.deepEqual(composed, [true, false]);
  });
});

test("every report of a parcel has an id, which a retry repeats", () => {
  const world = worldOf();
  const parcel: ParcelJob = {
    kind: "parcel",
    clientId: "ACME",
    objectId: "OLPN-1",
    orderId: "O-1",
    ordinal: 0,
    reported: 0,
    dueAtMs: 0,
    refusals: 0,
  };
  const names = [0, 1, 2].map((reported) => planNext({ ...parcel, reported }, world)?.compose(atMs)?.body.reportId);
  assert.equal(new Set(names).size, 3);
  assert.equal(planNext(parcel, world)?.compose(atMs)?.body.reportId, names[0]);
});

import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "#/kernel/clock.ts";
import { noFaults } from "#/kernel/config/parsers.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { startFacilityWorker } from "#/sandbox/simulator/facility-worker.ts";
import { createJobQueue } from "#/sandbox/simulator/job-queue.ts";
import { openJournal } from "#/sandbox/simulator/journal.ts";
import { createPortClient } from "#/sandbox/simulator/port-client.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { type StandInPort, standInPort } from "../../../tests/support/app/stand-in-port.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-sim-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let close = open.pop(); close; close = open.pop()) await close();
});

async function openPort(): Promise<StandInPort> {
  const port = await standInPort();
  open.push(port.close);
  return port;
}

function start(port: StandInPort, { file = path.join(folder, `${++files}`), speed = 500 } = {}) {
  const logged: string[] = [];
  const log = createLogger({
    level: "debug",
    format: "json",
    destination: { write: (line) => void logged.push(line) },
  });
  const journal = openJournal(file);
  const pace = { speed, faults: noFaults, byHand: new Set<string>(), isSilent: false };
  const shared = { facilityCode: "DC1", clock: systemClock, pace };
  const queue = createJobQueue({ ...shared, journal, seed: "test" });
  const requests = new AbortController();
  const oauth = { client_id: "x", client_secret: "y" };
  let isShut = false;
  const worker = startFacilityWorker({
    ...shared,
    queue,
    log,
    port: createPortClient({ portUrl: port.url, authUrl: port.url, oauth, signal: requests.signal }),
    onShut() {
      isShut = true;
    },
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      const ending = worker.stop();
      requests.abort();
      await ending;
      journal.close();
    })();
    return stopping;
  };
  open.push(stop);
  return { file, desk: queue, worker, logged, stop, isShut: () => isShut };
}

async function until(what: string, isSo: () => boolean, msMax = 60_000): Promise<void> {
  for (const lastMs = Date.now() + msMax; !isSo(); await sleep(10))
    assert.ok(Date.now() < lastMs, `waited for ${what}`);
}

const floor = ["pick O-1", "pack O-1", "load", "despatch"];
const life = [
  ...floor,
  "carrierEvent 110 O-1.0",
  "carrierEvent 120 O-1.0",
  "carrierEvent 160 O-1.0",
  "carrierEvent 200 O-1.0",
];
/** Drops the optional hub event, which is drawn at random. */
const actionsOf = (port: StandInPort) => port.actions().filter((action) => !action.includes(" 125 "));
const isDelivered = (port: StandInPort) => port.actions().some((action) => action.includes("carrierEvent 200"));
const assertNothingTwice = (port: StandInPort) => {
  const names = port.taken.map(({ body }) => body.reportId);
  assert.equal(new Set(names).size, names.length);
};

describe("worker of a facility", () => {
  test("an order goes from its task to its delivery, with one token, and is forgotten", async () => {
    const port = await openPort();
    port.release("PICK", "O-1", [{ sku: "MUG", qty: 2 }]);
    const sim = start(port);
    await until("the delivery", () => isDelivered(port) && sim.desk.size === 0);
    assert.deepEqual(actionsOf(port), life);
    assert.equal(port.tokens, 1);
  });

  test("a failing, cut or silent port is retried: lost reports are sent again, and none has effect twice", async () => {
    const port = await openPort();
    for (let i = 1; i <= 8; i++) port.release("PICK", `O-${i}`, [{ sku: "MUG" }]);
    let requests = 0;
    let reports = 0;
    port.fault = (where) => {
      // A fixed share of the reports is cut off. The number of other requests between them depends on timing.
      if (where.endsWith("/report") && ++reports % 20 === 7) return "cut";
      return ({ 5: 503, 15: "cut", 25: 429, 35: 500 } as const)[(++requests % 40) as 5];
    };
    const sim = start(port, { speed: 5_000 });
    await until("the deliveries", () => actionsOf(port).filter((action) => action.includes(" 200 ")).length === 8);
    await until("an empty desk", () => sim.desk.size === 0);
    assertNothingTwice(port);
    assert.ok(
      port.taken.some(({ times }) => times > 1),
      "a cut answer made at least one report come twice",
    );
  });

  test("a refused report stops its own object only", async () => {
    const port = await openPort();
    for (const name of ["O-1", "O-2", "O-3", "O-4"]) port.release("PICK", name, [{ sku: "MUG" }]);
    const faults: Record<string, number> = { "O-2": 409, "O-4": 500 };
    port.fault = (where, body) => (where === "/pack/report" ? faults[String(body.orderId)] : undefined);
    const sim = start(port);
    await until("the others", () => port.actions().filter((action) => action.includes(" 200 ")).length === 2);
    await until("O-2 and O-4 to be given up", () => sim.desk.size === 0);
    assert.ok(!port.actions().some((action) => ["pack O-2", "pack O-4"].includes(action)));
    const warned = sim.logged.filter((line) => /"level":"(?:warn|error)"/.test(line));
    assert.ok(warned.length > 0 && warned.every((line) => line.includes("O-4")), warned.join(""));
  });

  test("a held order waits until it is released; a cancel request is answered", async () => {
    const port = await openPort();
    port.release("PICK", "O-1", [{ sku: "MUG" }]);
    port.release("HOLD", "O-1", []);
    const sim = start(port);
    await until("the tasks to be read", () => sim.desk.size === 1);
    await sleep(300);
    assert.deepEqual(port.actions(), []);
    port.release("CANCEL_REQUEST", "O-1", [{ sku: "MUG" }]);
    port.release("HOLD", "O-1", [], { withdrawnAt: "2026-11-20T10:00:01.000Z" });
    await until("the answer", () => port.actions().length === 1 && sim.desk.size === 0);
    assert.deepEqual(port.taken[0]?.body.lines, [{ lineNumber: 1, outcome: "CANCELLED" }]);
  });

  test("a worker that restarts at any step continues where it stopped", async () => {
    const port = await openPort();
    port.release("PICK", "O-1", [{ sku: "MUG", qty: 2 }]);
    const file = path.join(folder, `${++files}`);
    for (let start1 = 0; !isDelivered(port); start1++) {
      assert.ok(start1 < 40, actionsOf(port).join());
      const before = port.taken.length;
      // The last response of each start is lost, as in a kill: the port took the report, but the warehouse does not
      // know.
      port.fault = (where) => (where.endsWith("/report") && port.taken.length > before ? "cut" : undefined);
      const sim = start(port, { file });
      await until("a report", () => port.taken.length > before || isDelivered(port));
      await sim.stop();
      // A kill in the middle of a line leaves this.
      appendFileSync(file, '["job order ACME O-1",{"ki');
    }
    assert.deepEqual(actionsOf(port), life);
  });

  test("at most eight requests run at a time, and a stop does not wait for unanswered ones", async () => {
    const port = await openPort();
    for (let i = 1; i <= 50; i++) port.release("PICK", `O-${i}`, [{ sku: "MUG" }]);
    // Long compared to the time of sending one request; otherwise concurrent requests are answered one after the other.
    port.delayMs = 50;
    const sim = start(port, { speed: 100_000 });
    await until("some work", () => port.taken.length > 50 && port.togetherMax > 4);
    assert.ok(port.togetherMax <= 8, `${port.togetherMax} at once`);
    port.fault = () => "silent";
    await sleep(100);
    const beganMs = performance.now();
    await sim.stop();
    // An unanswered request times out after 10 s.
    assert.ok(performance.now() - beganMs < 8_000);
  });

  test("a manual step does the next action at once and reports it", async () => {
    const port = await openPort();
    port.release("PICK", "O-1", [{ sku: "MUG" }]);
    const sim = start(port, { speed: 0.001 });
    await until("the task", () => sim.desk.size === 1);
    const steps: string[] = [];
    for (let i = 0; i < 30 && sim.desk.size > 0; i++) steps.push(...(await sim.worker.step("O-1")));
    const expected = ["accept", "pick", "pack", "load", "despatch"];
    assert.deepEqual(steps.slice(0, 5), expected);
    assert.equal(steps.at(-1), "deliver");
    assert.deepEqual(await sim.worker.step("O-1"), []);
  });

  test("a revoked credential ends the work with a message", async () => {
    const port = await openPort();
    const sim = start(port);
    await until("a first token", () => port.tokens === 1);
    port.fault = () => 401;
    await until("the end", () => sim.isShut());
  });

  test("finished work leaves no entry in memory, and none in the journal after the next start", async () => {
    const port = await openPort();
    for (let i = 1; i <= 300; i++) port.release("PICK", `O-${i}`, [{ sku: "MUG" }]);
    const sim = start(port, { speed: 100_000 });
    await until("all deliveries", () => sim.desk.size === 0 && port.taken.length > 300, 90_000);
    await sim.stop();
    const again = start(port, { file: sim.file });
    assert.equal(again.desk.size, 0);
    assert.deepEqual(readFileSync(sim.file, "utf8"), '["task cursor","300"]\n');
    await again.stop();
    assertNothingTwice(port);
  });
});

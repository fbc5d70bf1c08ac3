// A storm of webhooks: one request in five fails, and the sending workers are repeatedly killed, or stopped for longer
// than their leases. Each object's events still arrive in order, nothing is lost, and the log matches the receiver's
// record (webhooks.md §2).
//
//   CROSSDOCK_TEST_SEED=…                repeats the choices of another run
//   CROSSDOCK_TEST_STORM_OBJECTS=10000   runs the whole storm: some minutes
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { topics } from "#/delivery/webhooks/index.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { atEnd } from "../support/app/at-end.ts";
import { makeDataDir, type StartingProcess, spawnProcess } from "../support/app/process.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { patient } from "../support/postgres/database.ts";
import { webhookDesk } from "../support/webhooks/webhooks.ts";
import { seededRandom, testSeed } from "./load/sender.ts";
import { startStormReceiver } from "./load/storm-receiver.ts";
import * as oracle from "./oracles/storm-oracle.ts";

const objects = Number(process.env.CROSSDOCK_TEST_STORM_OBJECTS ?? 400);
const eventsOfEach = 5;
const workersAtOnce = 4;
const clientIds = ["STORM1", "STORM2", "STORM3", "STORM4"] as const;
const facilities = ["DC1", "DC2"] as const;
const isWhole = objects >= 5_000;
/** Number of workers that are killed or stopped during the storm. */
const blows = isWhole ? 40 : 4;
const stoppedMs = 6_500;
const schedule = [0.3, 0.3, 0.5, 0.5, ...Array.from({ length: 12 }, () => 1)];

const settings = { CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: schedule.join(",") };
// Sends nothing itself: its workers are separate processes.
const server = await testServer({ ...settings, CROSSDOCK_ROLES: "api,auth" });
const dataDir = makeDataDir();

function startWorker(): StartingProcess {
  return spawnProcess(dataDir, {
    ...settings,
    DATABASE_URL: server.config.database.url as string,
    CROSSDOCK_SECRET: "a master key for tests, long enough",
    CROSSDOCK_ROLES: "worker",
    CROSSDOCK_SEED_DEMO: "false",
  });
}

const seed = testSeed();
const random = seededRandom(seed);
const storm = await startStormReceiver({ seed, failures: 0.2, hangs: isWhole });
atEnd(() => storm.receiver.close());

/**
 * Two webhooks of each client, which share its objects by facility; for the first client, one more for all facilities.
 */
async function addHooks(): Promise<{ readonly paths: ReadonlyMap<string, string>; readonly deliveries: number }> {
  const paths = new Map<string, string>();
  for (const clientId of clientIds) {
    const handleReport = await webhookDesk(server, await server.onboard(clientId));
    for (const facilityCode of clientId === "STORM1" ? [...facilities, "*"] : facilities) {
      const path = `/${clientId}/${facilityCode === "*" ? "all" : facilityCode}`;
      const hook = storm.addHook(path);
      const made = await handleReport.create({ url: hook.url, facilityCode });
      hook.setSecret(made.signingSecret);
      paths.set(made.webhookId, path);
    }
  }
  return { paths, deliveries: eventsOfEach * (objects + objectsOf("STORM1").length) };
}

interface StormObject {
  readonly objectId: string;
  readonly facilityCode: string;
}

/** Distributes the objects among the clients, and each client's objects among the facilities. */
const objectsOf = (clientId: string): StormObject[] =>
  Array.from({ length: objects }, (_, i) => i)
    .filter((i) => clientIds[i % clientIds.length] === clientId)
    .map((i) => ({ objectId: `O-${i}`, facilityCode: facilities[Math.floor(i / clientIds.length) % 2] as string }));

/** Publishes the events of the objects in turn, many objects per transaction. */
async function tell(): Promise<void> {
  const topic = topics.find(({ topicName }) => topicName === "order:delivered");
  assert.ok(topic);
  const { family, sample } = topic;
  const writer = createOutboxWriter(createIds());
  for (let round = 1; round <= eventsOfEach; round++) {
    for (const clientId of clientIds) {
      const all = objectsOf(clientId);
      for (let from = 0; from < all.length; from += 500) {
        const drafts = all.slice(from, from + 500).map(({ objectId, facilityCode }) => ({
          topic: topic.topicName,
          objectType: family.objectType,
          objectId,
          facilityCode,
          data: sample.data,
        }));
        // A worker without processor time holds the marks that long.
        await server.database.transaction(
          async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), drafts),
          patient,
        );
        await server.rows("select pg_notify('crossdock_outbox', '')");
      }
    }
  }
}

/** Kills workers, or stops them for longer than their leases, whenever enough further requests have come. */
async function strike(workers: StartingProcess[], deliveries: number): Promise<{ killed: number; stopped: number }> {
  const counts = { killed: 0, stopped: 0 };
  const asleep: Promise<void>[] = [];
  for (let blow = 1; blow <= blows; blow++) {
    const share = (blow - 0.5 + random() * 0.5) / blows;
    await storm.receiver.waitFor(Math.floor(deliveries * share), 120_000);
    const victim = Math.floor(random() * workers.length);
    const worker = workers[victim] as StartingProcess;
    if (blow % 3 === 0) {
      counts.stopped++;
      process.kill(worker.pid, "SIGSTOP");
      asleep.push(sleep(stoppedMs).then(() => wakeUp(worker)));
    } else {
      counts.killed++;
      await worker.kill();
      workers[victim] = startWorker();
    }
  }
  await Promise.all(asleep);
  return counts;
}

function wakeUp({ pid }: StartingProcess): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch (error) {
    // The process was killed while it was stopped.
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

async function readLog(paths: ReadonlyMap<string, string>) {
  const pathOf = <Row extends { webhook_id: string }>(row: Row) => ({
    ...row,
    path: paths.get(row.webhook_id) as string,
  });
  const deliveries = await server.rows<oracle.LoggedDelivery & { webhook_id: string }>(
    `select webhook_id, delivery_id, 'evt_' || replace(event_id::text, '-', '') as event_name, object_id, sequence, status, attempts
      from webhook_delivery`,
  );
  const attempts = await server.rows<oracle.LoggedAttempt & { webhook_id: string }>(
    `select webhook_id, delivery_id, state, is_probe, status, error_class,
        (extract(epoch from started_at) * 1000)::float8 as started_ms, (extract(epoch from ended_at) * 1000)::float8 as ended_ms
      from webhook_attempt order by delivery_id, started_at, attempt_id`,
  );
  return { deliveries: deliveries.map(pathOf), attempts: attempts.map(pathOf) };
}

const isLoggedAsDelivered = ({ status, error_class }: oracle.LoggedAttempt) => status === 200 && error_class === null;

/** Proves that the oracle finds faults, with one change in the same log. */
function assertOracleSees(
  deliveries: readonly oracle.LoggedDelivery[],
  attempts: readonly oracle.LoggedAttempt[],
): void {
  const { requests } = storm;
  const [request] = requests;
  // An attempt with a complete record: a 200 that was not cut off, and not a probe, which is not counted.
  const at = attempts.findIndex(
    (attempt) => attempt.state === "ENDED" && !attempt.is_probe && isLoggedAsDelivered(attempt),
  );
  const { event_name, path } = deliveries.find((delivery) => delivery.delivery_id === attempts[at]?.delivery_id) ?? {};
  const other = (attempt: oracle.LoggedAttempt) => ({ ...attempt, status: attempt.status === 200 ? 500 : 200 });
  assert.ok(request && at >= 0);
  const found = {
    reversed: oracle.faultsOfOrder(requests.toReversed(), eventsOfEach),
    lost: oracle.faultsOfOrder(
      requests.filter(
        ({ path, objectId, sequence }) => path !== request.path || objectId !== request.objectId || sequence < 5,
      ),
      eventsOfEach,
    ),
    changed: oracle.faultsOfRepetition([...requests, { ...request, body: Buffer.from("{}") }]),
    unlogged: oracle.faultsOfLog(requests, deliveries, attempts.toSpliced(at, 1)),
    unseen: oracle.faultsOfLog(
      requests.filter((candidate) => candidate.path !== path || candidate.id !== event_name),
      deliveries,
      attempts,
    ),
    seenTwice: oracle.faultsOfLog(
      [...requests, request],
      deliveries,
      attempts.filter(({ state }) => state === "ENDED"),
    ),
    otherwise: oracle.faultsOfLog(requests, deliveries, attempts.with(at, other(attempts[at] as oracle.LoggedAttempt))),
    hasty: oracle.faultsOfPace(
      attempts,
      schedule.map((seconds) => seconds * 100),
    ),
  };
  for (const [what, faults] of Object.entries(found)) assert.notEqual(faults.length, 0, `${what} is not seen`);
}

test("a storm loses no event, keeps the order per object, and logs each attempt", {
  timeout: isWhole ? 1_200_000 : 480_000,
}, async (t) => {
  t.diagnostic(`CROSSDOCK_TEST_SEED=${seed}`);
  const beganMs = performance.now();
  const { paths, deliveries: expected } = await addHooks();
  const workers = Array.from({ length: workersAtOnce }, startWorker);
  const [, blown] = await Promise.all([tell(), strike(workers, expected)]);
  const open = () =>
    server.rows<{ made: number; open: number }>(
      "select count(*)::integer as made, count(*) filter (where status <> 'DELIVERED')::integer as open from webhook_delivery",
    );
  await until(
    "all is delivered",
    async () => (await open()).every((count) => count.made === expected && count.open === 0),
    isWhole ? 600_000 : 200_000,
  );
  const { deliveries, attempts } = await readLog(paths);
  const unknown = attempts.filter(({ state }) => state === "UNKNOWN").length;
  const probes = attempts.filter(({ is_probe }) => is_probe).length;
  t.diagnostic(
    `${objects} objects, ${deliveries.length} deliveries, ${storm.requests.length} requests, ${attempts.length} attempts of which ${unknown} ended unseen and ${probes} were probes; ${blown.killed} workers killed, ${blown.stopped} stopped; ${Math.round((performance.now() - beganMs) / 1_000)} s`,
  );
  assert.deepEqual(storm.forged, []);
  for (const [what, faults] of [
    ["order", oracle.faultsOfOrder(storm.requests, eventsOfEach)],
    ["repetition", oracle.faultsOfRepetition(storm.requests)],
    ["log", oracle.faultsOfLog(storm.requests, deliveries, attempts)],
    ["pace", oracle.faultsOfPace(attempts, schedule)],
  ] as const) {
    assert.equal(faults.length, 0, `${what}, seed ${seed}: ${faults.length} faults\n${faults.slice(0, 20).join("\n")}`);
  }
  assertOracleSees(deliveries, attempts);
  assert.equal(deliveries.length, expected);
  assert.ok(storm.requests.length > expected * 1.1, "many have failed");
  await Promise.all(workers.map((worker) => worker.stop("SIGTERM")));
});

// Checks of background work, from its state in the database: whether workers publish and run the jobs, and receivers
// accept their webhooks.

import {
  countDisabledSubscriptions,
  countOutboxRows,
  findLongestWaitingLane,
  type OutboxRows,
} from "#/app/telemetry/telemetry.cross-client.ts";
import { type Asked, bad, type Check, type CheckGroup, doubtful, good, rated, timeOf } from "#/cli/doctor/check.ts";
import { listPools } from "#/cli/doctor/repository.ts";
import { type FanOutBacklog, listFanOutBacklogs, oldestBacklog } from "#/delivery/webhooks/fan-out/backlog.ts";
import { listCursorsAhead } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { type JobTurn, listJobTurns } from "#/store/db/jobs/job-lease.ts";
import { listHeldParts, listHolds, type RestoreHold } from "#/store/db/store/restore-hold.ts";

const countMax = 20_000;

export function workChecks({ database, config, nowMs }: Asked): CheckGroup[] {
  return [
    {
      name: "publishing",
      async run() {
        const isHeld = (await listHeldParts(database)).includes("ALLOCATION");
        if (isHeld) return [good("publishing", "waiting for the release of allocation after a restore")];
        return [publishingCheck(await countOutboxRows(database, countMax), nowMs)];
      },
    },
    {
      name: "jobs",
      run: async () => [jobCheck(await listJobTurns(database), (await listPools(database)).length, nowMs)],
    },
    {
      name: "webhooks",
      async run() {
        const isHeld = (await listHeldParts(database)).includes("DELIVERIES");
        if (isHeld) return [good("webhooks", "waiting for the release of deliveries after a restore")];
        const disabled = await countDisabledSubscriptions(database, countMax);
        const waitingSince = await findLongestWaitingLane(database, new Date(nowMs).toISOString());
        const backlogs = await listFanOutBacklogs(database);
        const ahead = await listCursorsAhead(database);
        return [webhookCheck(disabled, waitingSince, nowMs), fanOutCheck(backlogs, nowMs, ahead)];
      },
    },
    { name: "restore", run: async () => [restoreCheck(await listHolds(database), config.restored, nowMs)] },
  ];
}

const waitsSecondsWarn = 30;
const waitsSecondsFail = 300;

const waitCheck = (name: string, text: string, advice: string, seconds: number) =>
  rated(name, text, advice, { fail: seconds > waitsSecondsFail, warn: seconds > waitsSecondsWarn });

/** Events are published within a second; if one waits longer, no worker publishes it. */
export function publishingCheck(rows: readonly OutboxRows[], nowMs: number): Check {
  const name = "publishing";
  const pending = rows.find(({ state }) => state === "PENDING");
  const failed = rows.find(({ state }) => state === "FAILED")?.count ?? 0;
  const seconds = pending === undefined ? 0 : (nowMs - Date.parse(pending.oldest)) / 1000;
  const text =
    pending === undefined ? "nothing waits" : `${pending.count} events wait, the oldest for ${timeOf(seconds)}`;
  const advice = "check that a process with the role worker runs, and search its log for 'publishing was interrupted'";
  if (seconds > waitsSecondsWarn || failed === 0) return waitCheck(name, text, advice, seconds);
  return doubtful(
    name,
    `${text}; ${failed} events could not be handled`,
    "the console lists them under Exceptions, with what to do",
  );
}

/** Published events become deliveries within a second; each client has a separate back-off after failures. */
export function fanOutCheck(backlogs: readonly FanOutBacklog[], nowMs: number, ahead: readonly string[] = []): Check {
  const name = "fan-out";
  const [first] = ahead;
  if (first !== undefined) {
    return bad(
      name,
      `${ahead.length} clients have a cursor ahead of their events, so the next events are not delivered: ${first}`,
      `run 'crossdock events check --client ${first}', and set the cursor back as in docs/operators-handbook.md`,
    );
  }
  const worst = oldestBacklog(backlogs);
  if (worst === undefined) return good(name, "no client waits for its deliveries");
  const seconds = (nowMs - Date.parse(worst.since)) / 1000;
  const text = `${backlogs.length} clients wait; ${worst.clientId} the longest, with ${worst.events} events, for ${timeOf(seconds)}`;
  const advice = `search a worker's log for 'events could not be fanned out' of ${worst.clientId}`;
  return waitCheck(name, text, advice, seconds);
}

/** The most frequent job is due every five seconds. */
const restSecondsMax = 120;
/** The rarest is due once a day. */
const oldSecondsMax = 26 * 3_600;
/** Its retries have taken seven minutes, if it is due seldom. */
const failuresWarn = 3;

/** @param processes that run on this database now */
export function jobCheck(turns: readonly JobTurn[], processes: number, nowMs: number): Check {
  const ages = turns.flatMap(({ job, last_run_at: at, lease_until: until }) => {
    // A job in progress is not old, however long it takes.
    if (Date.parse(until) > nowMs) return [{ job, seconds: 0 }];
    return at === null ? [] : [{ job, seconds: (nowMs - Date.parse(at)) / 1000 }];
  });
  if (ages.length === 0) {
    return processes === 0
      ? good("jobs", "none has run yet, and no server runs")
      : doubtful("jobs", "none has run yet", "check that a process with the role worker runs");
  }
  const latest = Math.min(...ages.map(({ seconds }) => seconds));
  const text = `the latest ran ${timeOf(latest)} ago`;
  if (processes === 0) return good("jobs", `${text}; no server runs`);
  if (latest > restSecondsMax) return bad("jobs", text, "no worker runs them: start a process with the role worker");
  const old = ages.filter(({ seconds }) => seconds > oldSecondsMax).map(({ job }) => job);
  const advice = "search the worker's log for 'job failed' and 'job postponed' with its name";
  if (old.length > 0) return doubtful("jobs", `for more than a day has not succeeded: ${old.join(", ")}`, advice);
  const failing = turns.filter(({ failures }) => failures > 0);
  if (failing.length === 0) return good("jobs", text);
  const of = failing.map(({ job, failures, last_run_at: at }) => {
    const success = at === null ? "never succeeded" : `last succeeded ${timeOf((nowMs - Date.parse(at)) / 1000)} ago`;
    return `${job} ${success} and failed ${failures} times since`;
  });
  const all = [text, ...of].join("; ");
  // A job that other transactions put off once is not a fault.
  return rated("jobs", all, advice, { warn: failing.some(({ failures }) => failures >= failuresWarn) });
}

/** @param waitingSince when the subscription that waits longest became due without a worker */
export function webhookCheck(disabled: number, waitingSince: string | undefined, nowMs: number): Check {
  const name = "webhooks";
  const seconds = waitingSince === undefined ? 0 : (nowMs - Date.parse(waitingSince)) / 1000;
  if (seconds > waitsSecondsWarn) {
    const text = `a subscription has waited for a worker for ${timeOf(seconds)}`;
    const advice = "check that a process with the role worker runs; when all are busy, start another";
    return waitCheck(name, text, advice, seconds);
  }
  if (disabled === 0) return good(name, "none is disabled, and none waits for a worker");
  return doubtful(
    name,
    `${disabled} subscriptions are disabled: their receivers failed for days`,
    "the console lists them under Webhooks; their clients set them to ACTIVE when the receivers work again",
  );
}

/** The parts on hold after a restore, and whether CROSSDOCK_RESTORED still names a finished one. */
export function restoreCheck(holds: readonly RestoreHold[], restored: string | undefined, nowMs: number): Check {
  const name = "restore";
  const waiting = holds.filter(({ released_at }) => released_at === null);
  const [first] = waiting;
  if (first) {
    const parts = [...new Set(waiting.map(({ part }) => part.toLowerCase()))].sort().join(", ");
    const since = timeOf((nowMs - Date.parse(first.held_at)) / 1000);
    const text = `${parts} wait for a release, since ${since}: restored to ${first.restored_to}`;
    return doubtful(name, text, "check stock and receivers, then run 'crossdock restore release'");
  }
  const isOver = restored !== undefined && holds.some(({ restored_to }) => restored_to === restored);
  if (isOver) return doubtful(name, `the restore to ${restored} was released`, "remove CROSSDOCK_RESTORED");
  return good(name, holds.length === 0 ? "no restore" : "nothing waits");
}

import type { Clock } from "#/kernel/clock.ts";
import { startPolling } from "#/kernel/concurrency/polling.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import * as repository from "#/sandbox/simulator/control-repository.ts";
import type { FacilityPace, FacilityWorker } from "#/sandbox/simulator/facility-worker.ts";
import type { JobQueue } from "#/sandbox/simulator/job-queue.ts";
import type { KnownObject } from "#/sandbox/simulator/known-object.ts";
import type { Database } from "#/store/db/database.ts";

/** A facility that this process works. */
export interface Controlled {
  readonly queue: JobQueue;
  readonly worker: FacilityWorker;
}

export interface ControlContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly configured: Pick<Config["warehouseSim"], "speed" | "faults">;
  works(): ReadonlyMap<string, Controlled>;
  /** While true after a restore, no facility is worked. */
  isHeld(): boolean;
}

export interface Control {
  /** The pace set by an operator, or the configured one. */
  paceOf(facilityCode: string): FacilityPace;
  stop(): Promise<void>;
}

/** Interval at which new settings and steps are read. */
const lookMs = 300;
/**
 * The shown state is written when it changes. It is also written at each heartbeat, so that a dead simulator is
 * noticed.
 */
const showMs = 1_000;
const heartbeatMs = 5_000;
/** The caller has given up by then. */
const askedMsMax = 20_000;
const keptMs = hourMs;
const jobsShown = 60;

/** Applies operators' settings and steps to the desks, and publishes the state of the desks to the operators. */
export async function startControl(context: ControlContext): Promise<Control> {
  const { database, clock, log, configured } = context;
  const iso = (ms: number) => new Date(ms).toISOString();
  const written = new Map<string, { readonly text: string; readonly atMs: number }>();
  let settings: repository.SimSettingRow | undefined;
  let settingText = "";
  let isWarned = false;

  async function readSettings(): Promise<void> {
    settings = await repository.findSettings(database);
    const text = JSON.stringify([settings ?? {}, context.isHeld()]);
    if (text === settingText) return;
    settingText = text;
    const works = [...context.works()];
    await Promise.all(works.map(([facilityCode, { worker }]) => worker.setPace(paceOf(facilityCode))));
  }

  function paceOf(facilityCode: string): FacilityPace {
    return {
      speed: settings?.speed == null ? configured.speed : Number(settings.speed),
      faults: { ...configured.faults, ...settings?.faults },
      byHand: new Set(settings?.manual_client_ids),
      isSilent: settings?.silent_facility_codes.includes(facilityCode) === true || context.isHeld(),
    };
  }

  async function takeSteps(): Promise<void> {
    const steps = await repository.listAskedSteps(database, iso(clock.now() - askedMsMax));
    // Settings are read after the list of steps, so that a setting made before a step applies to that step.
    await readSettings();
    for (const askedStep of steps) {
      const works = [...context.works()].filter(
        ([code]) => askedStep.facility_code === null || code === askedStep.facility_code,
      );
      if (works.length === 0) continue;
      const outcome = await stepOnce(askedStep, works);
      await repository.endStep(database, askedStep.step_id, iso(clock.now()), outcome);
    }
  }

  async function stepOnce(
    { client_id, facility_code, object_id, known_state: known }: repository.AskedStep,
    works: readonly (readonly [string, Controlled])[],
  ): Promise<object> {
    const clientId = client_id ?? undefined;
    const done: string[] = [];
    for (const [, { queue, worker }] of works) {
      if (object_id === null) {
        done.push(...(await worker.stepNext(clientId)));
        continue;
      }
      if (known !== null) queue.adopt(known as KnownObject);
      done.push(...(await worker.step(object_id, clientId)));
    }
    if (done.length > 0) return { done };
    const isSilent = facility_code !== null && paceOf(facility_code).isSilent;
    const latest = works.flatMap(([, { worker }]) => worker.reports()).find(({ objectId }) => objectId === object_id);
    const refused = latest !== undefined && latest.outcome !== "TAKEN" && clock.now() - latest.atMs < 3_000;
    return { done, ...(isSilent ? { reason: "SILENT" } : refused ? { reason: "REFUSED", text: latest.reason } : {}) };
  }

  async function show(): Promise<void> {
    for (const [facilityCode, { queue, worker }] of context.works()) {
      const work = queue.listNext(jobsShown);
      const shown = {
        configured: { speed: configured.speed, faults: configured.faults },
        inHand: queue.size,
        jobs: work.map(({ job, step }) => ({
          kind: job.kind,
          clientId: job.clientId,
          objectId: job.objectId,
          next: step ?? null,
          ...(job.kind === "parcel" ? { orderId: job.orderId } : {}),
          dueAt: step === undefined || job.dueAtMs >= Number.MAX_SAFE_INTEGER ? null : iso(job.dueAtMs),
        })),
        reports: worker.reports().map(({ atMs, ...report }) => ({ at: iso(atMs), ...report })),
      };
      const text = JSON.stringify(shown);
      const before = written.get(facilityCode);
      if (before?.text === text && clock.now() - before.atMs < heartbeatMs) continue;
      await repository.showFacility(database, facilityCode, iso(clock.now()), shown);
      written.set(facilityCode, { text, atMs: clock.now() });
    }
  }

  let shownAtMs = 0;
  let purgedAtMs = 0;
  async function look(): Promise<void> {
    await takeSteps();
    if (clock.now() - shownAtMs >= showMs) {
      shownAtMs = clock.now();
      await show();
    }
    if (clock.now() - purgedAtMs >= keptMs) {
      purgedAtMs = clock.now();
      await repository.purgeSteps(database, iso(clock.now() - keptMs));
    }
  }

  async function lookOrWarn(): Promise<void> {
    try {
      await look();
      isWarned = false;
    } catch (error) {
      if (!isWarned) log.warn({ err: error }, "the simulated warehouse cannot read its settings");
      isWarned = true;
    }
  }

  await lookOrWarn();
  const polling = startPolling({
    name: "warehouse simulator",
    everyMs: lookMs,
    turn: lookOrWarn,
    beginsWithPause: true,
  });

  return {
    paceOf,
    async stop() {
      await polling.stop();
      await repository.hideFacilities(database, [...written.keys()]);
    },
  };
}

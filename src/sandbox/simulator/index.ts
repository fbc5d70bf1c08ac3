/**
 * The simulated warehouse (warehouse.md). It works every facility through the port, over HTTP, like a real warehouse
 * system. From the store it reads only its own credentials and the list of facilities.
 */

import { createHash } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#/kernel/clock.ts";
import { startPolling } from "#/kernel/concurrency/polling.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import {
  type Hold,
  isHeld,
  notifyChange,
  type OauthSecret,
  revokeCredential,
  takeHold,
} from "#/modules/clients/index.ts";
import { type Facility, listFacilities } from "#/modules/facilities/index.ts";
import { startControl } from "#/sandbox/simulator/control.ts";
import { type FacilityWorker, startFacilityWorker } from "#/sandbox/simulator/facility-worker.ts";
import { createJobQueue, type JobQueue } from "#/sandbox/simulator/job-queue.ts";
import { openJournal } from "#/sandbox/simulator/journal.ts";
import { createPortClient } from "#/sandbox/simulator/port-client.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";
import { type AskHold, listHolds } from "#/store/db/store/restore-hold.ts";

export interface WarehouseSimContext {
  readonly config: Pick<Config, "dataDir" | "environment" | "warehouseSim">;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** URLs of the port and of the token endpoint, without a trailing slash. */
  readonly portUrl: string;
  readonly authUrl: string;
  /** After a restore, it waits until tasks are released. */
  readonly isHeld?: AskHold;
}

export interface WarehouseSim {
  /** Takes at most a second, whatever the port does. */
  stop(): Promise<void>;
}

interface Work {
  readonly oauth: OauthSecret;
  readonly queue: JobQueue;
  readonly worker: FacilityWorker;
  end(): Promise<void>;
}

/** Interval at which new facilities are noticed. */
const lookMs = 5_000;
const stopMsMax = 800;

export async function startWarehouseSim(context: WarehouseSimContext): Promise<WarehouseSim> {
  const { config, database, clock, ids, log } = context;
  const { speed, seed } = config.warehouseSim;
  const works = new Map<string, Work>();
  /** Facilities that a later simulator has taken over. */
  const lost = new Set<string>();
  const stopped = new AbortController();

  const change = (): Change => ({
    actor: "warehouse-sim",
    origin: "local",
    at: new Date(clock.now()).toISOString(),
    ids,
  });

  async function begin({ facilityCode, createdAt }: Facility): Promise<void> {
    const hold: Hold = { facilityCode, holder: "warehouse-sim" };
    if (lost.has(facilityCode) && (await isHeld(database, hold))) return;
    const { environment } = config;
    const oauth = await database.transaction((tx) => takeHold(tx, change(), { ...hold, environment }));
    await notifyChange(database);
    lost.delete(facilityCode);
    // In a recreated database the facility is a different one, and the old work in hand is void. The same holds after a
    // restore: from then on, only the tasks say what to do.
    const restores = (await listHolds(database)).map(({ restored_to }) => restored_to);
    const made = createHash("sha256")
      .update([`${facilityCode} ${createdAt}`, ...new Set(restores)].join("\n"))
      .digest("hex")
      .slice(0, 12);
    const journal = openJournal(path.join(config.dataDir, "warehouse-sim", `${facilityCode}-${made}.journal`));
    const pace = control.paceOf(facilityCode);
    const queue = createJobQueue({ facilityCode, journal, clock, seed, pace });
    const requests = new AbortController();
    const { portUrl, authUrl } = context;
    const worker = startFacilityWorker({
      facilityCode,
      queue,
      clock,
      pace,
      log,
      port: createPortClient({ portUrl, authUrl, oauth, signal: requests.signal }),
      onShut() {
        lost.add(facilityCode);
        log.info({ facilityCode }, "another simulated warehouse runs this facility now");
        void works.get(facilityCode)?.end();
      },
    });
    works.set(facilityCode, {
      oauth,
      queue,
      worker,
      async end() {
        works.delete(facilityCode);
        const ending = worker.stop();
        requests.abort();
        await ending;
        journal.close();
      },
    });
    if (queue.size > 0)
      log.info({ facilityCode, objects: queue.size }, "the simulated warehouse continues with its saved state");
  }

  async function look(): Promise<void> {
    for (const facility of await listFacilities(database)) {
      if (!works.has(facility.facilityCode) && !stopped.signal.aborted) await begin(facility);
    }
  }

  const lookOrWarn = () =>
    look().catch((error: Error) => log.warn({ err: error }, "a facility could not be claimed; the next check retries"));
  // Starts first, so that no client is worked automatically that is set to be worked by hand.
  const control = await startControl({
    database,
    clock,
    log,
    configured: config.warehouseSim,
    works: () => works,
    isHeld: () => context.isHeld?.("TASKS") === true,
  });
  await lookOrWarn();
  log.info({ facilities: [...works.keys()], speed }, "the simulated warehouse is running");
  const polling = startPolling({
    name: "warehouse simulator",
    everyMs: lookMs,
    turn: lookOrWarn,
    beginsWithPause: true,
  });

  async function end(): Promise<void> {
    stopped.abort();
    await Promise.all([polling.stop(), control.stop()]);
    const held = [...works.values()];
    await Promise.all(held.map((work) => work.end()));
    await database.transaction(async (tx) => {
      for (const { oauth } of held) await revokeCredential(tx, change(), oauth.client_id);
    });
    await notifyChange(database);
  }

  return {
    async stop() {
      // If the store does not answer, the credentials stay. The next start takes them over.
      const late = new AbortController();
      const ending = end()
        .catch((error: Error) => log.warn({ err: error }, "the simulated warehouse stored its credentials"))
        .finally(() => late.abort());
      await Promise.race([ending, sleep(stopMsMax, undefined, { signal: late.signal }).catch(() => {})]);
    },
  };
}

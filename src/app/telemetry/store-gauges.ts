import { Registry } from "@prometheus-io/client";
import * as queries from "#/app/telemetry/telemetry.cross-client.ts";
import { countExceptions } from "#/console-api/index.ts";
import { listFanOutBacklogs } from "#/delivery/webhooks/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { countMax, metricCatalogue } from "#/kernel/telemetry/metric-catalogue.ts";
import { gaugeOf } from "#/kernel/telemetry/metrics.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { listJobTurns } from "#/store/db/jobs/job-lease.ts";

/** Gauges that are queried from the store, seldom, however many scrapers ask. */
export interface StoreGauges {
  /** Values at most ten seconds old; undefined if the store does not answer in time. */
  read(): Promise<Registry | undefined>;
  close(): Promise<void>;
}

export interface StoreGaugesContext {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStoreDown: () => boolean;
  /** For tests. */
  readonly freshMs?: number;
}

/** Several scrapers and the OTLP exporter share one query. */
const freshMsDefault = 10_000;
/** Older values are not reported. */
const staleMs = 90_000;
/**
 * A scrape gets a prompt answer: if a query takes longer, the previous values. With 200,000 events, 50,000 documents
 * and 30,000 deliveries waiting, and 1,000 exceptions of each kind, a query took 160 to 200 ms on a busy machine with
 * two cores. It took more where the count of exceptions reached its limit.
 */
const patienceMs = 40;
const firstPatienceMs = 500;
const statementTimeoutMs = 5_000;
const exceptionsMax = 1_000;

interface Look {
  readonly atMs: number;
  readonly registry: Registry;
}

export function createStoreGauges(context: StoreGaugesContext): StoreGauges {
  const { clock, log, isStoreDown, freshMs = freshMsDefault } = context;
  // At most one separate, read-only connection, so that a slow store delays no other work because of the gauges.
  const database = openDatabase({
    url: context.url,
    connectionsMax: 1,
    statementTimeoutMs,
    isReadOnly: true,
    applicationName: "crossdock metrics",
  });
  let last: Look | undefined;
  let looking: Promise<void> | undefined;

  /** Queries whose failure is already logged. Each failure is logged once, although each scrape retries. */
  const named = new Set<string>();
  async function attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      named.delete(what);
      return true;
    } catch (error) {
      if (!named.has(what) && !isStoreDown()) log.warn({ err: error }, `the database could not be read for ${what}`);
      named.add(what);
      return false;
    }
  }

  async function look(): Promise<void> {
    const registry = new Registry();
    const nowMs = clock.now();
    const isAnswered = await attempt("metrics", () => askWhatWaits(database, nowMs, registry));
    if (!isAnswered) return;
    // Separate from the others: this one runs many statements, and its failure must not affect the rest.
    await attempt("exceptions", () => askExceptions(database, nowMs, registry));
    last = { atMs: performance.now(), registry };
  }

  const isYounger = (ms: number) => last !== undefined && performance.now() - last.atMs < ms;

  return {
    async read() {
      if (isStoreDown()) return undefined;
      if (!isYounger(freshMs)) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        let timer: NodeJS.Timeout | undefined;
        const patience = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, isYounger(staleMs) ? patienceMs : firstPatienceMs);
        });
        await Promise.race([looking, patience]);
        clearTimeout(timer);
      }
      return isYounger(staleMs) ? last?.registry : undefined;
    },
    async close() {
      await looking;
      await database.close();
    },
  };
}

/** One transaction, so one connection and one round trip. */
function askWhatWaits(database: Database, nowMs: number, registry: Registry): Promise<void> {
  const at = new Date(nowMs).toISOString();
  return database.transaction(async (tx) => {
    const [documents, overdue, outbox, deliveries, lane, disabled, fanOuts, jobs] = await Promise.all([
      queries.countOpenDocuments(tx, countMax),
      queries.countOverdueDocuments(tx, countMax),
      queries.countOutboxRows(tx, countMax),
      queries.countDueDeliveries(tx, countMax),
      queries.findLongestWaitingLane(tx, at),
      queries.countDisabledSubscriptions(tx, countMax),
      listFanOutBacklogs(tx),
      listJobTurns(tx),
    ]);
    const of = metricCatalogue;
    const put = (definition: Parameters<typeof gaugeOf>[0], value: number) => gaugeOf(definition, registry).set(value);
    const ageOf = (since: string | number | undefined) =>
      since === undefined ? 0 : Math.max(0, (nowMs - new Date(since).getTime()) / 1_000);

    const accepted = documents.filter(({ state }) => state === "ACCEPTED");
    const unfinished = gaugeOf(of.feedUnfinished, registry);
    for (const type of of.feedUnfinished.labels.type) {
      unfinished.set({ type }, accepted.find(({ feed_type }) => feed_type === type)?.count ?? 0);
    }
    put(of.feedOldestUnfinished, ageOf(accepted.map(({ oldest }) => oldest).sort()[0]));
    put(
      of.feedParked,
      documents.filter(({ state }) => state === "PARKED").reduce((sum, { count }) => sum + count, 0),
    );
    put(of.feedOverdue, overdue);

    const pending = outbox.find(({ state }) => state === "PENDING");
    put(of.outboxUnpublished, pending?.count ?? 0);
    put(of.outboxOldest, ageOf(pending?.oldest));
    put(of.outboxFailed, outbox.find(({ state }) => state === "FAILED")?.count ?? 0);

    put(of.webhookPending, deliveries.count);
    put(of.webhookOldestPending, ageOf(deliveries.oldest_id === null ? undefined : timeOfId(deliveries.oldest_id)));
    put(of.webhookLanesWaiting, ageOf(lane));
    put(of.webhookDisabled, disabled);
    const successes = gaugeOf(of.jobLastSuccess, registry);
    for (const { job, last_run_at } of jobs) {
      if (last_run_at !== null) successes.set({ job_name: job }, Date.parse(last_run_at) / 1_000);
    }
    const ages = fanOuts.map(({ since }) => ageOf(since));
    put(of.webhookFanOutBehind, Math.max(0, ...ages));
    const backlogs = gaugeOf(of.webhookFanOutClients, registry);
    for (const seconds of of.webhookFanOutClients.labels.seconds) {
      backlogs.set({ seconds }, ages.filter((age) => age > Number(seconds)).length);
    }
  });
}

async function askExceptions(database: Database, nowMs: number, registry: Registry): Promise<void> {
  const page = { at: new Date(nowMs).toISOString(), limit: exceptionsMax };
  const everywhere = { clientIds: null, facilityCodes: null };
  const { types } = await database.transaction((tx) => countExceptions(tx, everywhere, page));
  const open = gaugeOf(metricCatalogue.exceptionsOpen, registry);
  for (const { type, count } of types) open.set({ type }, count);
}

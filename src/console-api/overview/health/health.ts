import type { FeedRates, StockHealth, WebhookHealth } from "#/console-api/overview/health/contract.ts";
import * as queries from "#/console-api/overview/health/health.cross-client.ts";
import { listFanOutBacklogs, oldestBacklog } from "#/delivery/webhooks/index.ts";
import type { Scope } from "#/http/access/operator.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { idBoundary, timeOfId } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const [minute, hour, day] = [60, 3_600, 86_400];
/** Up to the first number of minutes the step is a minute, up to the second it is an hour. */
const [byMinuteMax, byHourMax] = [360, 11_520];

/**
 * The longest time between the creation of a token, when a request begins, and the receipt, when its body is complete.
 */
const bodyMsMax = minuteMs;

export interface Period {
  readonly beginMs: number;
  readonly endMs: number;
  /** Seconds. */
  readonly step: number;
}

/** Whole steps, of which the last one contains `toMs`. */
export function periodOf(minutes: number, toMs: number): Period {
  const step = minutes <= byMinuteMax ? minute : minutes <= byHourMax ? hour : day;
  const endMs = (Math.floor(toMs / 1000 / step) + 1) * step * 1000;
  return { beginMs: endMs - Math.ceil((minutes * minute) / step) * step * 1000, endMs, step };
}

/** Documents by the time step of their receipt. */
export async function readFeedRates(
  across: Database,
  scope: Pick<Scope, "clientIds">,
  { beginMs, endMs, step }: Period,
): Promise<FeedRates> {
  const between = {
    from: isoOf(beginMs),
    to: isoOf(endMs),
    step,
    fromToken: idBoundary(beginMs - bodyMsMax),
    toToken: idBoundary(endMs),
  };
  const rows = await queries.countDocuments(across, scope, between);
  return {
    from: isoOf(beginMs),
    to: isoOf(endMs),
    stepSeconds: step,
    accepted: rows.reduce((sum, row) => sum + row.accepted, 0),
    rejected: rows.reduce((sum, row) => sum + row.rejected, 0),
    items: rows.map(({ at, feed_type, accepted, rejected }) => ({
      at: isoOf(at * 1000),
      feedType: feed_type as FeedRates["items"][number]["feedType"],
      accepted,
      rejected,
    })),
  };
}

const troubledMax = 5;
const waitingMax = 10_000;
/** An event has its deliveries within some 50 ms; after this time its client counts as behind. */
const backlogSecondsMin = 1;

/** The delivery health of webhooks; all from one snapshot. */
export async function readWebhookHealth(across: Database, scope: Scope, nowMs: number): Promise<WebhookHealth> {
  const [statuses, troubled, waiting, attempts, givenUp, backlogs] = await readSnapshot(across, (tx) =>
    Promise.all([
      queries.countSubscriptions(tx, scope),
      queries.listTroubled(tx, scope, troubledMax),
      queries.countWaitingDeliveries(tx, scope, waitingMax),
      queries.countAttempts(tx, scope, idBoundary(nowMs - hour * 1000)),
      queries.countGivenUp(tx, scope, isoOf(nowMs - day * 1000)),
      listFanOutBacklogs(tx, scope.clientIds),
    ]),
  );
  const late = backlogs.filter(({ since }) => secondsSince(since, nowMs) > backlogSecondsMin);
  const furthest = oldestBacklog(late);
  const countOf = (status: string) => statuses.find((row) => row.status === status)?.count ?? 0;
  return {
    asOf: isoOf(nowMs),
    active: countOf("ACTIVE"),
    failing: countOf("FAILING"),
    paused: countOf("PAUSED"),
    disabled: countOf("DISABLED"),
    waiting: waiting.count,
    oldestWaitingSeconds:
      waiting.oldest === null ? null : Math.max(0, Math.round((nowMs - timeOfId(waiting.oldest)) / 1000)),
    clientsDelayed: late.length,
    mostDelayed:
      furthest === undefined
        ? null
        : {
            clientId: furthest.clientId,
            events: furthest.events,
            seconds: Math.round(secondsSince(furthest.since, nowMs)),
          },
    triesLastHour: attempts.attempts,
    takenLastHour: attempts.taken,
    givenUpLastDay: givenUp,
    troubled: troubled.map(({ url, ...subscription }) => ({ ...subscription, host: URL.parse(url)?.host ?? "" })),
  };
}

/** Lots that expire within this time are reported. */
const expiringDays = 30;
/** The exceptions that the nightly check of the ledger raises. */
const checkKinds = ["STOCK_CHECK"];

/** Stock problems that an operator should look at; all from one snapshot. */
export async function readStockHealth(across: Database, scope: Scope, nowMs: number): Promise<StockHealth> {
  const asOf = isoOf(nowMs);
  const [backordered, expiry, onHold, failedChecks] = await readSnapshot(across, (tx) =>
    Promise.all([
      queries.countBackordered(tx, scope),
      queries.countExpiring(tx, scope, asOf, expiringDays),
      queries.countOnHold(tx, scope),
      queries.countOpenExceptions(tx, scope, checkKinds),
    ]),
  );
  return {
    asOf,
    backorderedSkus: backordered.skus,
    backorderedLines: backordered.lines,
    expired: expiry.expired,
    expiredAllocated: expiry.promised,
    expiring: expiry.expiring,
    onHold,
    failedChecks,
  };
}

const secondsSince = (since: string, nowMs: number) => (nowMs - Date.parse(since)) / 1_000;
const isoOf = (ms: number) => new Date(ms).toISOString();

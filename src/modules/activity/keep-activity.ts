// The job that keeps the figures by day (docs/decisions/0074-activity-by-day.md): it reads the event log, notes the days
// that the events concern, and computes the figures of each noted day from the tables.
import type { Clock } from "#/kernel/clock.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { listOwnersWithWork } from "#/modules/activity/activity.cross-client.ts";
import { type DaySpan, readDayFigures, readFeedFigures, readOutcomes } from "#/modules/activity/day-figures.ts";
import { deliveryMeasures, receiptMeasures } from "#/modules/activity/measures.ts";
import * as repository from "#/modules/activity/repository.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { type Facility, listFacilities } from "#/modules/facilities/index.ts";
import { endOfDate, localDate } from "#/modules/inventory/index.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { ClientTransaction, Database } from "#/store/db/database.ts";
import { isContention } from "#/store/db/errors.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

/** Days for which figures are kept. */
export const keptDays = 1_100;
/** A change of an older day only changes the outcomes of its orders and parcels: rows that the other figures count may be gone. */
const restatedDays = 60;
/** A change of an older day no longer changes the outcomes of its parcels: their decisions are kept for 400 days. */
const deliveryDays = 365;

const eventsOfStep = 2_000;
const dueOfTurn = 100;
/** So that later jobs need not wait. */
const budgetMs = 20_000;
/** One statement of some seconds reads a day of a large client. */
const statementMsMax = minuteMs;
/** A day is computed again after this many times the duration of the last computation, at the earliest. */
const restFactor = 200;
const restMsMax = hourMs;

export interface ActivityJob {
  readonly database: Database;
  readonly clock: Clock;
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  readonly turns?: ClientTurns;
}

export interface ActivityRounds {
  /** Returns the number of days that were computed. */
  run(stopping?: AbortSignal): Promise<number>;
}

export function createActivityRounds(job: ActivityJob): ActivityRounds {
  const { database, clock, turns = createClientTurns(1) } = job;
  /** Until when days rest, by client and day: monotonic milliseconds. */
  const restUntil = new Map<string, number>();

  async function run(stopping?: AbortSignal): Promise<number> {
    const endMs = performance.now() + budgetMs;
    const isOver = () => stopping?.aborted === true || performance.now() >= endMs;
    for (const [key, untilMs] of restUntil) if (untilMs <= performance.now()) restUntil.delete(key);
    const owners = await listOwnersWithWork(database.lookUps);
    if (owners.length === 0) return 0;
    const facilities = await listFacilities(database);
    let made = 0;
    const work = owners
      .filter((clientId) => facilityOfTenant(clientId) === undefined)
      .map((clientId) => [clientId, workOf(clientId, facilities)] as const);
    await turns.run(
      work,
      async (steps) => {
        const { done, value } = await steps.next();
        made += value ?? 0;
        return !done && !isOver();
      },
      isOver,
    );
    return made;
  }

  /** A step is a batch of events, or a day. Yields the number of days that were computed. */
  async function* workOf(clientId: string, facilities: readonly Facility[]): AsyncGenerator<number, number> {
    const client = await job.findClient(clientId);
    if (client === undefined) return 0;
    const clientDatabase = database.ofClient(clientId);
    while (await clientDatabase.transaction((tx) => noteEvents(tx.of(clientId), client, facilities))) yield 0;
    // Before the list is read: who notes a day from here on has the client listed in the next run.
    await clientDatabase.transaction(async (tx) => repository.setDue(tx.of(clientId), false));
    const zones = new Map(facilities.map(({ facilityCode, timezone }) => [facilityCode, timezone]));
    const oldest = oldestRestated(client);
    let left = 0;
    try {
      const due = await repository.listDueDays(clientDatabase.of(clientId), dueOfTurn);
      left = due.length;
      for (const day of due) {
        const key = `${clientId} ${day.day} ${day.facilityCode}`;
        if (restUntil.has(key)) continue;
        const startMs = performance.now();
        if (!(await makeDay(clientId, day, zones.get(day.facilityCode) ?? "UTC", oldest))) continue;
        const tookMs = performance.now() - startMs;
        restUntil.set(key, startMs + Math.min(restMsMax, restFactor * tookMs));
        left--;
        yield 1;
      }
      if (due.length === dueOfTurn) left++;
    } finally {
      if (left > 0) await clientDatabase.transaction(async (tx) => repository.setDue(tx.of(clientId), true));
    }
    return 0;
  }

  /** The oldest day whose figures all change, `YYYY-MM-DD`. */
  const oldestRestated = (client: ClientProfile) => dateOf(clock.now() - restatedDaysOf(client) * dayMs);

  /** @returns false: it is still due. */
  async function makeDay(clientId: string, day: repository.Day, timezone: string, oldest: string): Promise<boolean> {
    try {
      await database.ofClient(clientId).transaction(
        async (tx) => {
          const view = tx.of(clientId);
          // Another node has computed it, after this one lost the lease of the job.
          if (!(await repository.takeDueDay(view, day))) return;
          if (day.facilityCode !== "" && day.day < oldest && (await repository.hasFigures(view, day))) {
            const isDecided = day.day >= dateOf(clock.now() - deliveryDays * dayMs);
            const measures = isDecided ? [...receiptMeasures, ...deliveryMeasures] : receiptMeasures;
            repository.replaceFigures(view, day, await readOutcomes(view, spanOf(day, timezone), measures), measures);
            return;
          }
          const fromMs = Date.parse(day.day);
          const figures =
            day.facilityCode === ""
              ? await readFeedFigures(view, fromMs, fromMs + dayMs)
              : await readDayFigures(view, spanOf(day, timezone));
          repository.replaceFigures(view, day, figures);
        },
        { statementTimeoutMs: statementMsMax },
      );
      return true;
    } catch (error) {
      // Another transaction notes the day: the next run computes it.
      if (!isContention(error)) throw error;
      return false;
    }
  }

  /** @returns whether there may be more events */
  async function noteEvents(
    tx: ClientTransaction,
    client: ClientProfile,
    facilities: readonly Facility[],
  ): Promise<boolean> {
    const nowMs = clock.now();
    const position = await repository.findPosition(tx);
    if (position === undefined) {
      const last = await repository.findLastPosition(tx);
      repository.setPosition(tx, last);
      repository.noteDays(tx, await allDays(tx, client, facilities, nowMs));
      return false;
    }
    const events = await repository.listEventsAfter(tx, position, eventsOfStep);
    const last = events.at(-1);
    if (last === undefined) return false;
    const oldest = oldestRestated(client);
    const days = await daysOf(tx, events, facilities);
    repository.noteDays(
      tx,
      days.filter(({ day, facilityCode }) => facilityCode !== "" || day >= oldest),
    );
    repository.movePosition(tx, position, last.position);
    return events.length === eventsOfStep;
  }

  return { run };
}

/** Papers go with the personal data of their order, and documents with the client's feeds. */
const restatedDaysOf = ({ settings }: ClientProfile) =>
  Math.min(restatedDays, settings.personalDataDays, settings.feedRetentionDays);

/** The days that events concern, each once: of the orders and their parcels, and of the events themselves. */
async function daysOf(
  tx: ClientTransaction,
  events: readonly repository.NotedEvent[],
  facilities: readonly Facility[],
): Promise<repository.Day[]> {
  const zones = {
    facilityCodes: facilities.map(({ facilityCode }) => facilityCode),
    timezones: facilities.map(({ timezone }) => timezone),
  };
  const orderIds = new Set(events.flatMap((event) => (event.object_type === "order" ? [event.object_id] : [])));
  const timezoneOf = new Map(facilities.map(({ facilityCode, timezone }) => [facilityCode, timezone]));
  const days = await repository.listDaysOfOrders(tx, [...orderIds], zones);
  for (const { object_type, object_id, facility_code, occurred_at } of events) {
    if (object_type === "feed") days.push({ day: repository.dayOfDocument(object_id), facilityCode: "" });
    const timezone = timezoneOf.get(facility_code ?? "");
    if (facility_code === null || timezone === undefined) continue;
    days.push({ day: localDate(timezone, Date.parse(occurred_at)), facilityCode: facility_code });
  }
  return [...new Map(days.map((day) => [`${day.day} ${day.facilityCode}`, day])).values()];
}

async function allDays(
  tx: ClientTransaction,
  { facilities: own }: ClientProfile,
  facilities: readonly Facility[],
  nowMs: number,
): Promise<repository.Day[]> {
  const first = await repository.findFirstActivity(tx);
  const oldestMs = nowMs - keptDays * dayMs;
  // A day of any time zone begins within a day of that of UTC.
  const fromMs = Math.max(oldestMs, (first === undefined ? nowMs : Date.parse(first)) - dayMs);
  const codes = ["", ...facilities.map(({ facilityCode }) => facilityCode).filter((code) => own.includes(code))];
  const days: repository.Day[] = [];
  for (let atMs = nowMs + dayMs; atMs >= fromMs; atMs -= dayMs) {
    for (const facilityCode of codes) days.push({ day: dateOf(atMs), facilityCode });
  }
  return days;
}

const dateOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

function spanOf({ day, facilityCode }: repository.Day, timezone: string): DaySpan {
  const from = endOfDate(timezone, dateOf(Date.parse(day) - dayMs));
  return { facilityCode, timezone, day, from, to: endOfDate(timezone, day) };
}

import { timeOfId } from "#/kernel/values/ids.ts";
import type { Figure } from "#/modules/activity/day-figures.ts";
import type { Measure } from "#/modules/activity/measures.ts";
import { activityDay, activityDue } from "#/modules/activity/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

/** A day of a facility, or of feeds where the facility is empty. */
export interface Day {
  readonly day: string;
  readonly facilityCode: string;
}

const noteAll = insertInto(activityDue, { onConflict: "nothing" });

/** Notes days whose figures are to be computed again. */
export function noteDays(tx: ClientTransaction, days: readonly Day[]): void {
  const rows = days.map(({ day, facilityCode }) => ({ day, facility_code: facilityCode }));
  noteAll.send(tx, rows);
  if (rows.length > 0) setDue(tx, true);
}

/** Has no effect before the job has seen the client. */
export function setDue(tx: ClientTransaction, hasDue: boolean): void {
  tx.send(sql`update activity_cursor c set has_due = ${hasDue} where c.client_id = ${tenant}`);
}

/** Of a client whose days are all computed again. */
const fromTheStart = -1;

/** All days of the client are computed again. A row stays, so that a concurrent run cannot keep its own position. */
export const restateAll = (tx: ClientTransaction): void => setPosition(tx, fromTheStart);

/** The position of the last noted event; undefined: all days are to be computed. */
export async function findPosition(tx: ClientTx): Promise<number | undefined> {
  const rows = await tx.query<{ position: number }>(
    sql`select c.position from activity_cursor c where c.client_id = ${tenant} and c.position > ${fromTheStart} limit 1`,
  );
  return rows[0]?.position;
}

export function setPosition(tx: ClientTransaction, position: number): void {
  tx.send(sql`insert into activity_cursor as c (client_id, position, has_due) values (${tenant}, ${position}, true)
      on conflict (client_id) do update set position = excluded.position, has_due = excluded.has_due
      returning c.position`);
}

/** Has no effect where all days are to be computed since. */
export function movePosition(tx: ClientTransaction, from: number, to: number): void {
  tx.send(sql`update activity_cursor c set position = ${to}, has_due = true
      where c.client_id = ${tenant} and c.position = ${from}`);
}

export async function findLastPosition(tx: ClientTx): Promise<number> {
  const rows = await tx.query<{ last_position: number }>(
    sql`select l.last_position from outbox_lane l where l.client_id = ${tenant} limit 1`,
  );
  return rows[0]?.last_position ?? 0;
}

export interface NotedEvent {
  readonly position: number;
  readonly object_type: string;
  readonly object_id: string;
  readonly facility_code: string | null;
  readonly occurred_at: string;
}

export function listEventsAfter(tx: ClientTx, position: number, limit: number): Promise<NotedEvent[]> {
  return tx.query(sql`select e.position, e.object_type, e.object_id, e.facility_code, e.occurred_at from event e
      where e.client_id = ${tenant} and e.position > 0 and e.position > ${position} order by e.position limit ${limit}`);
}

/** The facilities and their time zones, IANA, in the same order. */
export interface Zones {
  readonly facilityCodes: readonly string[];
  readonly timezones: readonly string[];
}

/** The days to which these orders and their parcels belong. */
export async function listDaysOfOrders(tx: ClientTx, orderIds: readonly string[], zones: Zones): Promise<Day[]> {
  if (orderIds.length === 0) return [];
  const { facilityCodes, timezones } = zones;
  return tx.query(sql`select distinct x.facility_code as "facilityCode", (x.at at time zone (${timezones}::text[])[
        array_position(${facilityCodes}::text[], x.facility_code)])::date::text as day
      from (
        select o.distribution_centre as facility_code, o.received_at as at from sales_order o
        where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[])
        union all
        select p.facility_code, p.despatched_at from parcel p
        where p.client_id = ${tenant} and p.order_id = any(${orderIds}::text[]) and p.order_id > ''
          and p.despatched_at is not null
      ) x where x.facility_code = any(${facilityCodes}::text[]) limit 100000`);
}

/** When the first order came or the first goods were booked, ISO 8601 UTC; undefined: neither. */
export async function findFirstActivity(tx: ClientTx): Promise<string | undefined> {
  const rows = await tx.query<{ at: string | null }>(sql`select least(
        (select o.received_at from sales_order o where o.client_id = ${tenant} and o.received_at >= '-infinity'
          order by o.received_at limit 1),
        (select min(b.first_booked_at) from stock_book b where b.client_id = ${tenant})) as at limit 1`);
  return rows[0]?.at ?? undefined;
}

/** The due days, the latest first. */
export function listDueDays(tx: ClientTx, limit: number): Promise<Day[]> {
  return tx.query(sql`select d.day::text as day, d.facility_code as "facilityCode" from activity_due d
      where d.client_id = ${tenant} order by d.day desc limit ${limit}`);
}

/** Locks the day: who notes it from now on waits, and notes it again. @returns whether it was due. */
export async function takeDueDay(tx: ClientTransaction, { day, facilityCode }: Day): Promise<boolean> {
  const rows = await tx.query(sql`delete from activity_due d where d.client_id = ${tenant} and d.day = ${day}::date
      and d.facility_code = ${facilityCode} returning d.day`);
  return rows.length > 0;
}

const insertFigures = insertInto(activityDay);

export async function hasFigures(tx: ClientTx, { day, facilityCode }: Day): Promise<boolean> {
  const rows = await tx.query(sql`select d.day from activity_day d where d.client_id = ${tenant}
      and d.day = ${day}::date and d.facility_code = ${facilityCode} limit 1`);
  return rows.length > 0;
}

/** Replaces the figures of a day. @param measures undefined: all of them */
export function replaceFigures(
  tx: ClientTransaction,
  { day, facilityCode }: Day,
  figures: readonly Figure[],
  measures?: readonly Measure[],
): void {
  tx.send(sql`delete from activity_day d where d.client_id = ${tenant} and d.day = ${day}::date
      and d.facility_code = ${facilityCode} and (${measures ?? null}::text[] is null or d.measure = any(${measures ?? null}::text[]))`);
  insertFigures.send(
    tx,
    figures.map((figure) => ({ day, facility_code: facilityCode, ...figure })),
  );
}

/** The day of a document, in UTC. */
export const dayOfDocument = (token: string): string => new Date(timeOfId(token)).toISOString().slice(0, 10);

/** Days that are older than reports reach. @param before `YYYY-MM-DD` */
export async function purgeActivity(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from activity_day a
      where a.client_id = ${tenant} and a.ctid = any(array(
        select o.ctid from activity_day o where o.client_id = ${tenant} and o.day < ${before}::date
        order by o.day limit ${limit}))
      returning a.day`);
  return rows.length;
}

/** Figures by day, over all clients or some (docs/decisions/0074-activity-by-day.md). */
import { ofClients, within } from "#/console-api/overview/within-repository.ts";
import type { Days } from "#/console-api/reports/days.ts";
import { keyAt, type Summed } from "#/console-api/reports/performance.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { Measure } from "#/modules/activity/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

interface FigureRequest extends Days {
  /** day, week, month; `year` for all days together within a year. */
  readonly by: string;
  readonly measures: readonly Measure[];
}

export interface SummedFigure {
  readonly clientId: string;
  readonly facilityCode: string;
  /** The first day of the period, `YYYY-MM-DD`. */
  readonly day: string;
  readonly measure: Measure;
  readonly key: string;
  readonly quantity: number;
}

/** More than 20,000 clients have; each has some hundred. */
const figuresMax = 5_000_000;

export function sumFigures(tx: Tx, scope: Scope, { from, to, by, measures }: FigureRequest): Promise<SummedFigure[]> {
  return tx.query(
    sql`select a.client_id as "clientId", a.facility_code as "facilityCode",
        date_trunc(${by}::text, a.day::timestamp)::date::text as day, a.measure, a.key,
        sum(a.quantity)::double precision as quantity
      from activity_day a
      where a.day >= ${from}::date and a.day <= ${to}::date and a.measure = any(${measures}::text[]) and a.quantity <> 0
        and ${within(scope, sql`a.client_id`, sql`a.facility_code`)}
      group by 1, 2, 3, 4, 5 limit ${figuresMax}`,
  );
}

export interface GroupFigure extends Summed {
  /** A client, or the first day of a period, `YYYY-MM-DD`. */
  readonly group: string;
}

/** Figures of each client over all days, or of each period over all clients: never of each client in each period. @param at see {@link keyAt} */
export function sumByGroup(
  tx: Tx,
  scope: Scope,
  { from, to, by, measures, at }: FigureRequest & { readonly at: string },
  group: "client" | "period",
): Promise<GroupFigure[]> {
  const name = group === "client" ? sql`a.client_id` : sql`date_trunc(${by}::text, a.day::timestamp)::date::text`;
  return tx.query(
    sql`select ${name} as group, a.measure, ${keyAt(at)} as key, sum(a.quantity)::double precision as quantity
      from activity_day a
      where a.day >= ${from}::date and a.day <= ${to}::date and a.measure = any(${measures}::text[]) and a.quantity <> 0
        and ${within(scope, sql`a.client_id`, sql`a.facility_code`)}
      group by 1, 2, 3 limit ${figuresMax}`,
  );
}

/**
 * Owners of figures in the scope whose older days are not computed yet: a new one, or one whose past has changed. The
 * newest two days are always in work.
 */
export async function countUncomputed(
  tx: Tx,
  { clientIds }: Pick<Scope, "clientIds">,
  { from, to }: Days,
  nowMs: number,
): Promise<number> {
  const settled = new Date(nowMs - 2 * dayMs).toISOString().slice(0, 10);
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from tenant t left join activity_cursor c on c.client_id = t.client_id
      where ${ofClients({ clientIds }, sql`t.client_id`)} and t.client_id not like 'facility:%'
        and (c.client_id is null or c.position < 0 or (c.has_due and exists (
          select from activity_due d where d.client_id = t.client_id and d.day >= ${from}::date and d.day <= ${to < settled ? to : settled}::date
        ))) limit 1`,
  );
  return rows[0]?.count ?? 0;
}

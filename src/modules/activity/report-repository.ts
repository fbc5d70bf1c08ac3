import { type BilledMeasure, billedMeasureNames } from "#/modules/activity/measures.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** Days, `YYYY-MM-DD`, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

interface BilledRequest extends Days {
  /** Undefined: every facility. */
  readonly facilityCode: string | undefined;
  readonly isByDay: boolean;
}

export interface SummedFigure {
  readonly distributionCentre: string;
  readonly measure: BilledMeasure;
  readonly key: string;
  /** Null: of all days. */
  readonly day: string | null;
  readonly quantity: number;
}

/** More than the days of a month have: services, types of papers and units bound them. */
const figuresMax = 200_000;

export function listBilled(tx: ClientTx, { from, to, facilityCode, isByDay }: BilledRequest): Promise<SummedFigure[]> {
  return tx.query(sql`select a.facility_code as "distributionCentre", a.measure, a.key,
        case when ${isByDay} then a.day::text end as day, sum(a.quantity)::double precision as quantity
      from activity_day a
      where a.client_id = ${tenant} and a.day >= ${from}::date and a.day <= ${to}::date
        and a.facility_code = coalesce(${facilityCode ?? null}, a.facility_code) and a.measure = any(${billedMeasureNames}::text[])
      group by 1, 2, 3, 4 limit ${figuresMax}`);
}

/** Whether a change of these days waits to be counted. */
export async function hasDueDays(tx: ClientTx, { from, to }: Days): Promise<boolean> {
  const rows = await tx.query(sql`select d.day from activity_due d
      where d.client_id = ${tenant} and d.day >= ${from}::date and d.day <= ${to}::date limit 1`);
  return rows.length > 0;
}

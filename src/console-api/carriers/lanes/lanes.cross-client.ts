/** The figures by day of the parcels that left, over all clients or some, by lane (docs/decisions/0074-activity-by-day.md). */

import { within } from "#/console-api/overview/within-repository.ts";
import type { Days } from "#/console-api/reports/days.ts";
import type { Scope } from "#/http/access/operator.ts";
import { costMeasures, deliveryMeasures } from "#/modules/activity/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const measures = ["PARCELS", ...costMeasures, ...deliveryMeasures] as const;

export interface LaneFigure {
  /** Of the days before. */
  readonly isBefore: boolean;
  readonly facilityCode: string;
  readonly measure: (typeof measures)[number];
  /** JSON: country, zone, carrier, service, and what the measure adds. */
  readonly key: string;
  readonly quantity: number;
}

/** More than days have: lanes, services and hours bound them. */
const figuresMax = 1_000_000;

/** @param days from the first one before the range. */
export function sumLanes(
  tx: Tx,
  scope: Scope,
  { beforeFrom, from, to }: Days & { readonly beforeFrom: string },
): Promise<LaneFigure[]> {
  return tx.query(
    sql`select a.day < ${from}::date as "isBefore", a.facility_code as "facilityCode", a.measure, a.key,
        sum(a.quantity)::double precision as quantity
      from activity_day a
      where a.day >= ${beforeFrom}::date and a.day <= ${to}::date and a.measure = any(${measures}::text[]) and a.quantity <> 0
        and ${within(scope, sql`a.client_id`, sql`a.facility_code`)}
      group by 1, 2, 3, 4 limit ${figuresMax}`,
  );
}

/** The parcels that left in a range of time, over all clients or some, by lane and carrier service. */

import { within } from "#/console-api/overview/within-repository.ts";
import type { Scope } from "#/http/access/operator.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** ISO 8601: from the first one, and before the last one. */
export interface LaneSpan {
  readonly beforeFrom: string;
  readonly from: string;
  readonly to: string;
}

/** The condition of the index of a client's parcels by time. Without a client, the index over all clients is read. */
function hasLeft(scope: Scope, { beforeFrom, to }: LaneSpan): Statement {
  const { clientIds } = scope;
  const ofClients =
    clientIds === null ? sql`true` : sql`p.client_id = any(${clientIds}::text[]) and p.facility_code > ''`;
  return sql`p.despatched_at is not null and p.despatched_at >= ${beforeFrom}::timestamptz
    and p.despatched_at < ${to}::timestamptz and ${ofClients}
    and ${within({ ...scope, clientIds: null }, sql`p.client_id`, sql`p.facility_code`)}`;
}

/** The number of parcels, up to the limit. */
export async function countLaneParcels(tx: Tx, scope: Scope, span: LaneSpan, limit: number): Promise<number> {
  const rows = await tx.query<{ parcels: number }>(
    sql`select count(*)::integer as parcels from (
        select p.olpn_id from parcel p where ${hasLeft(scope, span)} limit ${limit}
      ) counted limit 1`,
  );
  return rows[0]?.parcels ?? 0;
}

/** Parcels that are equal in all of these. */
export interface LaneGroup {
  /** Of the range before. */
  readonly is_before: boolean;
  readonly facility_code: string;
  readonly country: string | null;
  readonly zone: string | null;
  readonly carrier_code: string | null;
  readonly carrier_service_code: string | null;
  /** Null: without a price. */
  readonly currency: string | null;
  readonly weight_uom_code: string;
  /** Started hours from despatch to delivery; null: not delivered. */
  readonly hours: number | null;
  /** Null: no day is promised, or it is not over. */
  readonly is_on_time: boolean | null;
  readonly parcels: number;
  readonly amount: number | null;
  readonly weight: number;
}

/**
 * A decision has the price of all parcels that were packed with it, so each parcel has its share. The request has their
 * number until it is blanked with the order's personal data; then the order's parcels of the decision are counted. The
 * limit within the look-up keeps it a look-up of one key in the partition of its month: a join could read all decisions
 * of a client. Sums by hour are exact, and nodes add them up; a median would need every parcel at the coordinator.
 */
export function sumLanes(
  tx: Tx,
  scope: Scope,
  span: LaneSpan & { readonly at: string },
  limit: number,
): Promise<LaneGroup[]> {
  return tx.query(
    sql`select a.is_before, a.facility_code, a.country, a.zone, a.carrier_code, a.carrier_service_code, a.currency,
        a.weight_uom_code, a.hours, a.is_on_time, count(*)::integer as parcels,
        sum(a.amount)::double precision as amount, sum(a.weight)::double precision as weight
      from (
        select p.despatched_at < ${span.from}::timestamptz as is_before, p.facility_code, p.carrier_code,
          p.carrier_service_code, p.weight_uom_code, p.weight, d.choice ->> 4 as zone, d.choice -> 2 ->> 0 as currency,
          coalesce(d.country, (select o.ship_to_address ->> 'country' from sales_order o
            where o.client_id = p.client_id and o.order_id = p.order_id)) as country,
          (d.choice -> 2 ->> 2)::numeric / greatest(1, coalesce(d.parcels, (select count(*) from parcel q
            where q.client_id = p.client_id and q.order_id = p.order_id and q.order_id > ''
              and q.decision_id = p.decision_id))) as amount,
          case when p.status = 'DELIVERED'
            then greatest(0, ceil(extract(epoch from p.status_at - p.despatched_at) / 3600))::integer end as hours,
          case when p.status = 'DELIVERED' then (p.status_at at time zone f.timezone)::date::text <= d.choice ->> 6
            when (${span.at}::timestamptz at time zone f.timezone)::date::text > d.choice ->> 6 then false
            end as is_on_time
        from parcel p join facility f on f.facility_code = p.facility_code left join lateral (
          select c.decision -> 'choices' -> 0 as choice, c.request -> 'shipTo' ->> 'country' as country,
            jsonb_array_length(c.request -> 'parcels') as parcels
          from carrier_decision c where c.client_id = p.client_id and c.decision_id = p.decision_id limit 1
        ) d on true
        where ${hasLeft(scope, span)}
      ) a
      group by a.is_before, a.facility_code, a.country, a.zone, a.carrier_code, a.carrier_service_code, a.currency,
        a.weight_uom_code, a.hours, a.is_on_time
      limit ${limit}`,
  );
}

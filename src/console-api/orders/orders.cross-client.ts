/**
 * Orders over all clients, for operators: read-only, a page at a time. The sort key is looked up separately for each
 * facility (or, where clients are named, for each client) and each state. Each look-up reads one page, and the pages
 * are merged. An index thus serves every filter in its order, and a generic plan is as good as any other
 * (docs/decisions/0011).
 */

import Type, { type Static } from "typebox";
import { listedOrder, type OrderPlace, type OrderSort } from "#/console-api/orders/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { HoldType } from "#/modules/orders/index.ts";
import { beforeLeaving, beforePicking, isBeforeLeaving, type OrderState } from "#/modules/orders/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface OrderFilter {
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  /** Each state once; all of them without a filter. */
  readonly statuses: readonly OrderState[];
  readonly carriers: CarrierFilter | undefined;
  readonly shippingMethod: string | undefined;
  readonly holdType: HoldType | undefined;
  readonly isHeld: boolean | undefined;
  readonly priority: number | undefined;
  /** Moments, ISO 8601 UTC: due before, at or before, at, and at or after. */
  readonly despatchBefore: string | undefined;
  readonly dueBy: string | undefined;
  readonly dueAt: string | undefined;
  readonly dueFrom: string | undefined;
  /** The carriers of the parcels, or else those that the client chose. */
  readonly leavesWith: IncludedCarriers | undefined;
  readonly leftSince: string | undefined;
  readonly received: readonly Day[] | undefined;
  readonly despatched: readonly Day[] | undefined;
  readonly delivered: readonly Day[] | undefined;
  /** Of orders in transit: whether their carrier has reported a parcel. */
  readonly hasMoved: boolean | undefined;
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
  readonly updatedSince: string | undefined;
  /** In upper case. */
  readonly prefix: string | undefined;
}

/** The carriers of which the client chose one, or those of which it chose another one. */
export type CarrierFilter = IncludedCarriers | { readonly isNoneFound: boolean; readonly excepted: readonly string[] };

export interface IncludedCarriers {
  readonly included: readonly string[];
  /** Also orders without a carrier. */
  readonly isNoneFound: boolean;
}

/** A day, or several, in the time zone of a facility. */
export interface Day {
  readonly facility_code: string;
  /** ISO 8601 UTC: the start of the day, and of the one after it. */
  readonly begins_at: string;
  readonly ends_at: string;
}

export interface OrderName {
  readonly client_id: string;
  readonly order_id: string;
}

/** An order without its sums, with the sort key of the list in microseconds since 1970. */
export type FoundOrder = Static<typeof foundOrder> & { readonly placeUs: number };

const foundOrder = Type.Omit(listedOrder, ["statusSince", "parcels", "lines", "quantities", "missingSkus"]);

const hasNotLeft = sql`o.status in ${beforeLeaving}`;
const dueAt = sql`coalesce(o.despatch_by, 'infinity'::timestamptz)`;
/** The last moment that a position can name: an order without a due time has this position. */
const endUs = 9_000_000_000_000_000;

const momentOf = (us: number) =>
  us >= endUs
    ? sql`'infinity'::timestamptz`
    : sql`(timestamptz '1970-01-01Z' + ${us}::bigint * interval '1 microsecond')`;

const rising = sql`k.at, k.client_id, k.order_id`;
const falling = sql`k.at desc, k.client_id desc, k.order_id desc`;
const order = {
  receivedAt: { key: sql`o.received_at`, by: rising },
  "-receivedAt": { key: sql`o.received_at`, by: falling },
  despatchBy: { key: dueAt, by: rising },
  "-despatchBy": { key: dueAt, by: falling },
} as const satisfies Record<OrderSort, unknown>;

/** The order of the found names, by the sort of the list. */
const innerOrder = {
  receivedAt: sql`o.received_at, o.client_id, o.order_id`,
  "-receivedAt": sql`o.received_at desc, o.client_id desc, o.order_id desc`,
  despatchBy: sql`${dueAt}, o.client_id, o.order_id`,
  "-despatchBy": sql`${dueAt} desc, o.client_id desc, o.order_id desc`,
} as const satisfies Record<OrderSort, Statement>;

function beyond(place: OrderPlace | undefined, sort: OrderSort): Statement | undefined {
  if (place === undefined) return undefined;
  const [at, client, id] = [momentOf(place.us), place.client, place.id];
  const key = sql`(${order[sort].key}, o.client_id, o.order_id)`;
  return order[sort].by === falling ? sql`${key} < (${at}, ${client}, ${id})` : sql`${key} > (${at}, ${client}, ${id})`;
}

const isByDue = (sort: OrderSort) => sort === "despatchBy" || sort === "-despatchBy";

/** The days of each facility: given calendar days, both included, or the local day at a moment, ISO 8601. */
export function listDays(
  tx: Tx,
  { from, to, at }: { readonly from?: string; readonly to?: string; readonly at: string },
): Promise<Day[]> {
  return tx.query(
    sql`select d.facility_code, d.first_day::timestamp at time zone d.timezone as begins_at,
        (d.last_day + 1)::timestamp at time zone d.timezone as ends_at
      from (
        select f.facility_code, f.timezone,
          coalesce(${from ?? null}::date, (${at}::timestamptz at time zone f.timezone)::date) as first_day,
          coalesce(${to ?? null}::date, (${at}::timestamptz at time zone f.timezone)::date) as last_day
        from facility f limit 10000
      ) d limit 10000`,
  );
}

/** Later than every moment, for PostgreSQL. */
export const endOfTime = "infinity";

/** Earliest start and latest end over all zones. */
export function spanOf(days: readonly Day[]): { readonly from: string; readonly to: string } {
  const [begins, ends] = [days.map((day) => day.begins_at), days.map((day) => day.ends_at)];
  return { from: begins.toSorted()[0] ?? endOfTime, to: ends.toSorted().at(-1) ?? endOfTime };
}

/**
 * Whether a moment of an order lies on the given day of its facility. Looked up in arrays: Citus refuses a subquery of
 * clients' rows, as a moment may be, in a subquery of other rows.
 */
function isOn(days: readonly Day[], at: Statement): Statement {
  const { from, to } = spanOf(days);
  const place = sql`array_position(${days.map((day) => day.facility_code)}::text[], o.distribution_centre)`;
  return sql`(${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz
    and ${at} >= (${days.map((day) => day.begins_at)}::timestamptz[])[${place}]
    and ${at} < (${days.map((day) => day.ends_at)}::timestamptz[])[${place}])`;
}

const ofItsParcels = sql`p.client_id = o.client_id and p.order_id = o.order_id and p.order_id > ''`;
const firstLeftAt = sql`(select min(p.despatched_at) from parcel p where ${ofItsParcels})`;
/** The carrier of its parcels, or else the carrier that the client chose. Parcels of an earlier state were voided. */
const itsCarrier = sql`case when o.status in ${beforePicking}
  then o.carrier_code
  else coalesce((select min(p.carrier_code) from parcel p where ${ofItsParcels}), o.carrier_code) end`;

/** The conditions of the overview's figures, with the same definitions (overview/flow/flow.cross-client.ts). */
function countedConditionsOf(filter: OrderFilter): Statement {
  const {
    dueBy,
    dueAt: dueExactly,
    dueFrom,
    leavesWith,
    leftSince,
    received,
    despatched,
    delivered,
    hasMoved,
  } = filter;
  return allOf([
    dueBy === undefined ? undefined : sql`o.despatch_by <= ${dueBy}::timestamptz`,
    dueExactly === undefined ? undefined : sql`o.despatch_by = ${dueExactly}::timestamptz`,
    dueFrom === undefined ? undefined : sql`o.despatch_by >= ${dueFrom}::timestamptz`,
    leavesWith && leavesWithOneOf(leavesWith),
    leftSince === undefined
      ? undefined
      : sql`exists (select from parcel p where ${ofItsParcels} and p.despatched_at >= ${leftSince}::timestamptz)`,
    received && isOn(received, sql`o.received_at`),
    despatched && isOn(despatched, firstLeftAt),
    delivered && isOn(delivered, sql`o.ended_at`),
    hasMoved === undefined
      ? undefined
      : sql`exists (
          select from (select bool_or(p.status_at is not null) as has_moved, bool_and(p.status = 'LOST') as is_lost
            from parcel p where ${ofItsParcels}) s
          where coalesce(s.has_moved, false) = ${hasMoved}::boolean and s.is_lost is not true)`,
  ]);
}

function leavesWithOneOf({ included, isNoneFound }: IncludedCarriers): Statement {
  const isIncluded = sql`${itsCarrier} = any(${included}::text[])`;
  if (!isNoneFound) return isIncluded;
  return included.length === 0 ? sql`${itsCarrier} is null` : sql`(${isIncluded} or ${itsCarrier} is null)`;
}

function isOfCarriers(carriers: CarrierFilter): Statement {
  // Null where the client chose no carrier: such an order has none of the others either.
  if ("excepted" in carriers) return sql`o.carrier_code <> all(${carriers.excepted}::text[])`;
  const isIncluded = sql`o.carrier_code = any(${carriers.included}::text[])`;
  return carriers.isNoneFound ? sql`(${isIncluded} or ${itsCarrier} is null)` : isIncluded;
}

/** Conditions that are checked on each order that the index returns. */
function conditionsOf(filter: OrderFilter): Statement {
  const { holdType, updatedSince, prefix, facilityCodes, despatchBefore, receivedFrom, receivedTo } = filter;
  return allOf([
    facilityCodes === null ? undefined : sql`o.distribution_centre = any(${facilityCodes}::text[])`,
    filter.carriers && isOfCarriers(filter.carriers),
    filter.shippingMethod === undefined ? undefined : sql`o.shipping_method = ${filter.shippingMethod}`,
    holdType === undefined ? undefined : sql`o.holds @> ${JSON.stringify([{ type: holdType }])}::jsonb`,
    filter.isHeld === undefined ? undefined : filter.isHeld ? sql`o.holds <> '[]'` : sql`o.holds = '[]'`,
    filter.priority === undefined ? undefined : sql`o.priority = ${filter.priority}`,
    despatchBefore === undefined ? undefined : sql`o.despatch_by < ${despatchBefore}::timestamptz`,
    receivedFrom === undefined ? undefined : sql`o.received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`o.received_at < ${receivedTo}::timestamptz`,
    // For a long list of changed orders the condition matches no index; otherwise the plan might not use the list's
    // order.
    updatedSince === undefined ? undefined : sql`(o.updated_at - ${updatedSince}::timestamptz >= interval '0')`,
    prefix === undefined
      ? undefined
      : sql`(starts_with(upper(o.order_id collate "C"), ${prefix})
          or starts_with(upper(o.external_order_reference collate "C"), ${prefix}))`,
    countedConditionsOf(filter),
  ]);
}

export interface OrderSearch {
  readonly filter: OrderFilter;
  readonly sort: OrderSort;
  readonly after: OrderPlace | undefined;
  /** The orders that a look-up by name or change has found; undefined: all orders. */
  readonly among: readonly OrderName[] | undefined;
  readonly limit: number;
}

/** Names and positions of a page. */
async function namesOf(tx: Tx, search: OrderSearch): Promise<Statement> {
  const { filter, sort, after, among, limit } = search;
  const { clientIds, statuses } = filter;
  const conditions = allOf([conditionsOf(filter), beyond(after, sort)]);
  const columns = sql`o.client_id, o.order_id, ${order[sort].key} as at`;
  const by = innerOrder[sort];
  if (among !== undefined) {
    const [clients, orderIds] = [
      among.map((orderName) => orderName.client_id),
      among.map((orderName) => orderName.order_id),
    ];
    // The condition of the index of due orders would lead a plan of small tables to all of them.
    const wanted = isByDue(sort) ? statuses.filter(isBeforeLeaving) : statuses;
    return sql`select ${columns} from unnest(${clients}::text[], ${orderIds}::text[]) as n(client_id, order_id)
      join sales_order o on o.client_id = n.client_id and o.order_id = n.order_id
      where o.status = any(${wanted}::text[]) and ${conditions} order by ${by} limit ${limit}`;
  }
  if (isByDue(sort)) {
    const clients = clientIds === null ? sql`true` : sql`o.client_id = any(${clientIds}::text[])`;
    return sql`select ${columns} from sales_order o
      where ${hasNotLeft} and o.status = any(${statuses}::text[]) and ${clients} and ${conditions}
      order by ${by} limit ${limit}`;
  }
  if (clientIds === null) {
    const found = await findInFacilities(tx, search);
    const [clients, orderIds] = [
      found.map((listedOrder) => listedOrder.client_id),
      found.map((listedOrder) => listedOrder.order_id),
    ];
    return sql`select n.client_id, n.order_id, timestamptz '1970-01-01Z' + n.place_us * interval '1 microsecond' as at
      from unnest(${clients}::text[], ${orderIds}::text[], ${found.map((listedOrder) => listedOrder.place_us)}::bigint[])
        as n(client_id, order_id, place_us)`;
  }
  return sql`select k.client_id, k.order_id, k.at
    from ${placesOf(clientIds, filter)} c
      cross join lateral (select ${columns} from sales_order o
        where ${isAt(filter)} and ${conditions}
        order by ${by} limit ${limit}) k
    order by ${order[sort].by} limit ${limit}`;
}

/** Each combination of client and state, and of facility where facilities are named. */
function placesOf(clientIds: readonly string[], { facilityCodes, statuses }: OrderFilter): Statement {
  const states = sql`tenant t cross join unnest(${statuses}::text[]) as s(status)`;
  return facilityCodes === null
    ? sql`(select distinct t.client_id, s.status from ${states} where t.client_id = any(${clientIds}::text[]))`
    : sql`(select distinct t.client_id, s.status, f.code from ${states}
        cross join unnest(${facilityCodes}::text[]) as f(code) where t.client_id = any(${clientIds}::text[]))`;
}

/** Matches orders of such a combination, and includes the condition of the index that serves it. */
function isAt({ facilityCodes }: OrderFilter): Statement {
  const ofState = sql`o.client_id = c.client_id and o.status = c.status`;
  return facilityCodes === null
    ? sql`${ofState} and o.received_at < 'infinity'`
    : sql`${ofState} and o.distribution_centre = c.code and o.order_date < 'infinity'`;
}

/** The maximum number of pages that one statement looks up. */
const pagesMax = 32;

/**
 * Names and positions of a page of all clients: the pages of each facility and state, which the caller merges. The
 * statement is a union of them, because several nodes cannot answer a subquery per facility (docs/citus.md).
 */
async function findInFacilities(
  tx: Tx,
  { filter, sort, after, limit }: OrderSearch,
): Promise<(OrderName & OrderTime)[]> {
  const facilityCodes = filter.facilityCodes ?? (await listFacilityCodes(tx));
  const conditions = allOf([conditionsOf(filter), beyond(after, sort)]);
  const pages = facilityCodes.flatMap((code) => filter.statuses.map((status) => ({ code, status })));
  const found: (OrderName & OrderTime)[] = [];
  for (let at = 0; at < pages.length; at += pagesMax) {
    const some = pages.slice(at, at + pagesMax);
    // Entries without a facility pad the number to a power of two: few distinct statements, and few plans.
    while (some.length & (some.length - 1)) some.push({ code: "", status: "RECEIVED" });
    const union = some
      .map(
        ({ code, status }) => sql`(select o.client_id, o.order_id, o.received_at as at from sales_order o
          where o.distribution_centre = ${code} and o.status = ${status} and o.order_date > '-infinity' and ${conditions}
          order by ${innerOrder[sort]} limit ${limit})`,
      )
      .reduce((all, page) => sql`${all} union all ${page}`);
    const names = await tx.query<OrderName & OrderTime>(
      sql`select k.client_id, k.order_id, (extract(epoch from k.at) * 1000000)::bigint as place_us from (${union}) k
        order by ${order[sort].by} limit ${limit}`,
    );
    found.push(...names);
  }
  return found;
}

interface OrderTime {
  readonly place_us: number;
}

async function listFacilityCodes(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ facility_code: string }>(sql`select facility_code from facility limit 10000`);
  return rows.map(({ facility_code }) => facility_code);
}

const shipTo = sql`coalesce(w.ship_to_address, r.ship_to_address)`;
const columns = columnsOf(foundOrder, "r", {
  shipToName: sql`coalesce(
    nullif(concat_ws(' ', ${shipTo} ->> 'firstName', ${shipTo} ->> 'lastName'), ''), ${shipTo} ->> 'companyName')`,
  country: sql`${shipTo} ->> 'country'`,
  isCancelRequested: sql`r.cancel_requested_at is not null`,
});

/** A page of orders. */
export async function listOrders(tx: Tx, search: OrderSearch): Promise<FoundOrder[]> {
  const names = await namesOf(tx, search);
  return tx.query(
    sql`with k as materialized (${names})
      select ${columns},
        case when k.at = 'infinity' then ${endUs}::bigint else (extract(epoch from k.at) * 1000000)::bigint end as "placeUs"
      from k join sales_order r on r.client_id = k.client_id and r.order_id = k.order_id
        left join order_content w on w.client_id = r.client_id and w.order_id = r.order_id
      order by ${order[search.sort].by} limit ${search.limit}`,
  );
}

/** The number of orders, up to the limit. */
export async function countOrders(tx: Tx, search: Omit<OrderSearch, "sort" | "after">): Promise<number> {
  const { filter, among, limit } = search;
  const { clientIds, facilityCodes, statuses } = filter;
  const conditions = conditionsOf(filter);
  const names =
    among !== undefined
      ? await namesOf(tx, { ...search, sort: "-receivedAt", after: undefined })
      : clientIds !== null
        ? sql`select k.order_id from ${placesOf(clientIds, filter)} c
            cross join lateral (select o.order_id from sales_order o
              where ${isAt(filter)} and ${conditions} limit ${limit}) k limit ${limit}`
        : sql`select o.order_id from sales_order o
            where o.distribution_centre = any(${facilityCodes ?? (await listFacilityCodes(tx))}::text[])
              and o.status = any(${statuses}::text[]) and o.order_date > '-infinity' and ${conditions} limit ${limit}`;
  const rows = await tx.query<{ count: number }>(sql`select count(*) as count from (${names}) as counted limit 1`);
  return rows[0]?.count ?? 0;
}

/** Orders whose name or reference has this prefix, at most `limit`, by name. @param prefix in upper case */
export function findByPrefix(
  tx: Tx,
  { clientIds, prefix, limit }: { clientIds: readonly string[] | null; prefix: string; limit: number },
): Promise<OrderName[]> {
  const end = `${prefix}\u{10FFFF}`;
  return tx.query(
    sql`select distinct o.client_id, o.order_id from ${clientsOf(clientIds)} cross join lateral (
        (select n.client_id, n.order_id from sales_order n
          where n.client_id = c.client_id and n.order_id > ''
            and upper(n.order_id collate "C") >= ${prefix} and upper(n.order_id collate "C") < ${end}
          order by upper(n.order_id collate "C") limit ${limit})
        union all
        (select n.client_id, n.order_id from sales_order n
          where n.client_id = c.client_id and n.external_order_reference > ''
            and upper(n.external_order_reference collate "C") >= ${prefix}
            and upper(n.external_order_reference collate "C") < ${end}
          order by upper(n.external_order_reference collate "C") limit ${limit})) o
      limit ${limit}`,
  );
}

/** Orders that have changed since a moment, ISO 8601, at most `limit`. */
export function findChanged(
  tx: Tx,
  { clientIds, since, limit }: { clientIds: readonly string[] | null; since: string; limit: number },
): Promise<OrderName[]> {
  return tx.query(
    sql`select o.client_id, o.order_id from ${clientsOf(clientIds)} cross join lateral (
        select n.client_id, n.order_id from sales_order n
        where n.client_id = c.client_id and n.updated_at >= '-infinity' and n.updated_at >= ${since}::timestamptz
        limit ${limit}) o
      limit ${limit}`,
  );
}

/** Orders for which the client chose one of the carriers, or another one than these, at most `limit`. */
export function findByCarrier(
  tx: Tx,
  { clientIds, carriers, limit }: { clientIds: readonly string[] | null; carriers: CarrierFilter; limit: number },
): Promise<OrderName[]> {
  const ofClients = clientIds === null ? sql`true` : sql`o.client_id = any(${clientIds}::text[])`;
  if ("included" in carriers) {
    return tx.query(
      sql`select o.client_id, o.order_id from sales_order o
        where o.carrier_code = any(${carriers.included}::text[]) and ${ofClients} limit ${limit}`,
    );
  }
  // The ranges of the index between the excepted carriers: a condition of inequality would read their orders too. It is
  // there for a database that sorts in another way, in which ranges overlap.
  const excepted = carriers.excepted.toSorted();
  const ranges = ["", ...excepted].map((from, at) => {
    const to = excepted[at];
    const ends = to === undefined ? sql`true` : sql`o.carrier_code < ${to}`;
    return sql`(select o.client_id, o.order_id from sales_order o
      where o.carrier_code > ${from} and ${ends} and o.carrier_code <> all(${excepted}::text[]) and ${ofClients}
      limit ${limit})`;
  });
  const union = ranges.reduce((all, range) => sql`${all} union all ${range}`);
  return tx.query(sql`select distinct k.client_id, k.order_id from (${union}) k limit ${limit}`);
}

/** Orders of an unusual priority, at most `limit`. */
export function findByPriority(
  tx: Tx,
  { clientIds, priority, limit }: { clientIds: readonly string[] | null; priority: number; limit: number },
): Promise<OrderName[]> {
  const statement = clientIds === null ? sql`true` : sql`o.client_id = any(${clientIds}::text[])`;
  return tx.query(
    sql`select o.client_id, o.order_id from sales_order o
      where o.priority <> 5 and o.priority = ${priority} and ${statement} limit ${limit}`,
  );
}

/** Orders of which a parcel left between two moments, ISO 8601, at most `limit`. */
export function findLeft(
  tx: Tx,
  { clientIds, from, to, limit }: { clientIds: readonly string[] | null; from: string; to: string; limit: number },
): Promise<OrderName[]> {
  return tx.query(
    sql`select distinct p.client_id, p.order_id from parcel p
      where p.despatched_at is not null and p.despatched_at >= ${from}::timestamptz
        and p.despatched_at < ${to}::timestamptz
        and (${clientIds}::text[] is null or p.client_id = any(${clientIds}::text[])) limit ${limit}`,
  );
}

/** Orders that were delivered between two moments, ISO 8601, at most `limit`. */
export function findDelivered(
  tx: Tx,
  { clientIds, from, to, limit }: { clientIds: readonly string[] | null; from: string; to: string; limit: number },
): Promise<OrderName[]> {
  return tx.query(
    sql`select o.client_id, o.order_id from sales_order o
      where o.ended_at is not null and o.ended_at >= ${from}::timestamptz and o.ended_at < ${to}::timestamptz
        and o.status = 'DELIVERED' and (${clientIds}::text[] is null or o.client_id = any(${clientIds}::text[])) limit ${limit}`,
  );
}

/**
 * The query starts from `tenant`, whose rows are colocated with their clients' rows, so that each node looks up its own
 * (docs/citus.md).
 */
const clientsOf = (clientIds: readonly string[] | null) =>
  clientIds === null
    ? sql`tenant c`
    : sql`(select t.client_id from tenant t where t.client_id = any(${clientIds}::text[])) c`;

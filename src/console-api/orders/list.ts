import {
  type ListedOrder,
  noCarrier,
  type OrderCountQuery,
  type OrderListQuery,
  orderCursors,
} from "#/console-api/orders/contract.ts";
import { findByCustomer, findByLot, findBySerial, findBySku } from "#/console-api/orders/found-orders.cross-client.ts";
import {
  type CarrierFilter,
  countOrders,
  endOfTime,
  type FoundOrder,
  findByCarrier,
  findByPrefix,
  findByPriority,
  findChanged,
  findDelivered,
  findLeft,
  type IncludedCarriers,
  listDays,
  listOrders,
  type OrderFilter,
  type OrderName,
  spanOf,
} from "#/console-api/orders/orders.cross-client.ts";
import { type OrderSums, sumOrders } from "#/console-api/orders/sums/sums.cross-client.ts";
import { inTransitDays } from "#/console-api/overview/flow/flow.ts";
import { statesOf } from "#/console-api/overview/stages.ts";
import type { Scope } from "#/http/access/operator.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { readPage } from "#/http/requests/paging.ts";
import { capitals } from "#/kernel/values/capitals.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { atRiskBeforeMs, orderStates } from "#/modules/orders/index.ts";
import { isBeforeLeaving, statesBeforeLeaving } from "#/modules/orders/states.ts";
import type { Tx } from "#/store/db/database.ts";

/** Up to this number of names is sorted separately; for more names a scan of the list is quicker. */
const namesMax = 2_000;
export const countMax = 1_000;

const momentOf = (text: string | undefined) => (text === undefined ? undefined : readDateTime(text));

/** The ends of a range of days that is open at one end. */
const [dayFirst, dayLast] = ["1970-01-01", "9999-12-30"];

/** The days of a figure of the overview, or of a range. */
async function daysOf(tx: Tx, { receivedOn, deliveredOn, stage, ...query }: OrderCountQuery, nowMs: number) {
  const at = new Date(nowMs).toISOString();
  const read = (from: string | undefined, to: string | undefined) =>
    from === undefined && to === undefined
      ? undefined
      : listDays(tx, { from: from ?? dayFirst, to: to ?? dayLast, at });
  return {
    received: await read(receivedOn, receivedOn),
    despatched: await read(query.despatchedFrom, query.despatchedTo),
    delivered: await (stage === "DELIVERED_TODAY" ? listDays(tx, { at }) : read(deliveredOn, deliveredOn)),
  };
}

/** The range of due times for `isAtRisk` and `isLate`. */
function urgencyOf({ isAtRisk = false, isLate = false }: OrderCountQuery, nowMs: number) {
  if (!isAtRisk && !isLate) return { dueFrom: undefined, dueBefore: undefined };
  return {
    dueFrom: isLate ? undefined : new Date(nowMs).toISOString(),
    dueBefore: new Date(isAtRisk ? nowMs + atRiskBeforeMs : nowMs).toISOString(),
  };
}

/** Moments in their order, ISO 8601 UTC. */
const inOrder = (...moments: (string | undefined)[]) => moments.filter((at) => at !== undefined).toSorted();

async function filterOf(tx: Tx, query: OrderCountQuery, scope: Scope, nowMs: number): Promise<OrderFilter> {
  const { status, stage, holdType, isHeld, shippingMethod, priority } = query;
  const { dueFrom, dueBefore } = urgencyOf(query, nowMs);
  const dueBy = momentOf(query.dueBy);
  const despatchBefore = [momentOf(query.despatchBefore), dueBefore].flatMap((at) => at ?? []).toSorted()[0];
  const isInTransit = stage === "DESPATCHED" || stage === "IN_TRANSIT";
  const days = await daysOf(tx, query, nowMs);
  const requestedStates = orderStates.filter(
    (state) =>
      (status === undefined || status.includes(state)) &&
      (stage === undefined || statesOf[stage].includes(state)) &&
      (query.deliveredOn === undefined || state === "DELIVERED"),
  );
  // Nearly all orders that left have a carrier: without a time, the scan would read them all for none.
  const carriers = carriersOf(query);
  const leavesWith = query.leavesWith && includedOf(new Set(query.leavesWith));
  const isWithoutCarrier =
    (leavesWith?.isNoneFound === true && query.dueAt === undefined && query.leftSince === undefined) ||
    carriers?.isNoneFound === true;
  // Holds and due times are filtered only among orders that have not left.
  const isOfOpen =
    despatchBefore !== undefined ||
    dueBy !== undefined ||
    holdType !== undefined ||
    isHeld === true ||
    isWithoutCarrier;
  return {
    ...scope,
    statuses: isOfOpen ? requestedStates.filter(isBeforeLeaving) : requestedStates,
    carriers,
    shippingMethod,
    holdType,
    isHeld,
    priority,
    despatchBefore,
    dueBy,
    dueFrom,
    ...days,
    dueAt: momentOf(query.dueAt),
    leftSince: momentOf(query.leftSince),
    leavesWith,
    hasMoved: isInTransit ? stage === "IN_TRANSIT" : undefined,
    receivedFrom: inOrder(
      momentOf(query.receivedFrom),
      isInTransit ? new Date(nowMs - inTransitDays * dayMs).toISOString() : undefined,
    ).at(-1),
    // An order is received before it leaves: the scan begins at the end of the days, not at the newest order.
    receivedTo: inOrder(momentOf(query.receivedTo), days.despatched && spanOf(days.despatched).to)[0],
    updatedSince: momentOf(query.updatedSince),
    prefix: query.text === undefined ? undefined : capitals(query.text),
  };
}

/** The carriers that orders may have, without those that they may not have; undefined: any or none. */
function carriersOf({ carrierCode, exceptCarrierCode }: OrderCountQuery): CarrierFilter | undefined {
  const excepted = new Set(exceptCarrierCode);
  if (carrierCode !== undefined) return includedOf(new Set(carrierCode).difference(excepted));
  if (exceptCarrierCode === undefined) return undefined;
  return { excepted: [...excepted].filter((code) => code !== noCarrier), isNoneFound: false };
}

const includedOf = (included: ReadonlySet<string>): IncludedCarriers => ({
  included: [...included].filter((code) => code !== noCarrier),
  isNoneFound: included.has(noCarrier),
});

/** Nearly all orders have this priority. */
const priorityUsual = 5;

/**
 * The orders that match a name, a day, a change time, a carrier or a priority, where there are few: the list is then
 * built from them. Where there are many, a scan of the list finds a page of them soon.
 */
async function narrowed(
  tx: Tx,
  query: OrderCountQuery,
  filter: OrderFilter,
): Promise<readonly OrderName[] | undefined> {
  const found = await foundBy(tx, query, filter.clientIds);
  if (found !== undefined) return found;
  const { clientIds, prefix, updatedSince, carriers, priority, delivered, despatched, leftSince } = filter;
  const some = { clientIds, limit: namesMax + 1 };
  const lookUps = [
    prefix === undefined ? undefined : () => findByPrefix(tx, { ...some, prefix }),
    delivered === undefined ? undefined : () => findDelivered(tx, { ...some, ...spanOf(delivered) }),
    despatched === undefined ? undefined : () => findLeft(tx, { ...some, ...spanOf(despatched) }),
    leftSince === undefined ? undefined : () => findLeft(tx, { ...some, from: leftSince, to: endOfTime }),
    carriers === undefined || carriers.isNoneFound ? undefined : () => findByCarrier(tx, { ...some, carriers }),
    priority === undefined || priority === priorityUsual ? undefined : () => findByPriority(tx, { ...some, priority }),
    updatedSince === undefined ? undefined : () => findChanged(tx, { ...some, since: updatedSince }),
  ];
  for (const lookUp of lookUps) {
    const names = await lookUp?.();
    if (names && names.length <= namesMax) return names;
  }
  return undefined;
}

/** The orders of a customer, a product, a lot and a unit: no condition of the list checks these, so each narrows it. */
async function foundBy(
  tx: Tx,
  { customer, sku, lotNumber, serialNumber }: OrderCountQuery,
  clientIds: readonly string[] | null,
): Promise<readonly OrderName[] | undefined> {
  const some = { clientIds, limit: namesMax };
  const lookUps = await Promise.all([
    customer === undefined ? undefined : findByCustomer(tx, capitals(customer), some),
    sku === undefined ? undefined : findBySku(tx, sku, some),
    lotNumber === undefined ? undefined : findByLot(tx, lotNumber, some),
    serialNumber === undefined ? undefined : findBySerial(tx, serialNumber, some),
  ]);
  const [first, ...others] = lookUps.filter((names) => names !== undefined);
  const nameOf = ({ client_id, order_id }: OrderName) => `${client_id} ${order_id}`;
  return others.reduce((names, other) => {
    const known = new Set(other.map(nameOf));
    return names?.filter((name) => known.has(nameOf(name)));
  }, first);
}

/** A page of the list over clients. */
export function readOrderPage(tx: Tx, query: OrderListQuery, scope: Scope, nowMs: number) {
  const { sort = "-receivedAt" } = query;
  return readPage(query, {
    cursors: orderCursors[sort],
    async read(after, limit) {
      const filter = await filterOf(tx, query, scope, nowMs);
      if (filter.statuses.length === 0) return [];
      return listOrders(tx, { filter, sort, after, among: await narrowed(tx, query, filter), limit });
    },
    placeOf: ({ placeUs, clientId, orderId }) => ({ us: placeUs, client: clientId, id: orderId }),
    async itemsOf(rows) {
      const sums = rows.length === 0 ? [] : await sumOrders(tx, rows);
      const sumsOf = new Map(sums.map((sum) => [keyOf(sum), sum]));
      return rows.flatMap((row) => recordOf(row, sumsOf.get(keyOf(row))) ?? []);
    },
  });
}

const keyOf = ({ clientId, orderId }: Pick<ListedOrder, "clientId" | "orderId">) => `${clientId} ${orderId}`;

/** Undefined for an order that was deleted before its sums were read. */
function recordOf(order: FoundOrder, sums: OrderSums | undefined): ListedOrder | undefined {
  if (sums === undefined) return undefined;
  const { lines, statusSince, missingSkus } = sums;
  const parcels = { ...sums, costs: costsOf(sums.prices ?? []) };
  return { ...order, statusSince, parcels, lines, quantities: sums, missingSkus: [...(missingSkus ?? [])] };
}

/** Amounts have at most four decimals: their sum is exact in ten-thousandths. */
const amountScale = 10_000;

/** The sum of each currency, by its code. */
function costsOf(prices: NonNullable<OrderSums["prices"]>): ListedOrder["parcels"]["costs"] {
  const sums = new Map<string, number>();
  for (const price of prices) {
    if (price === null) continue;
    const [currency, , total] = price;
    sums.set(currency, (sums.get(currency) ?? 0) + Math.round(total * amountScale));
  }
  return [...sums]
    .map(([currency, sum]) => ({ amount: sum / amountScale, currency }))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** The number of matching orders, up to the limit of the count. */
export async function countPage(tx: Tx, query: OrderCountQuery, scope: Scope, nowMs: number) {
  const filter = await filterOf(tx, query, scope, nowMs);
  if (filter.statuses.length === 0) return { count: 0, isMore: false };
  const among = await narrowed(tx, query, filter);
  const found = await countOrders(tx, { filter, among, limit: countMax + 1 });
  return { count: Math.min(found, countMax), isMore: found > countMax };
}

const waitingForStock = ["BACKORDERED", "PARTIALLY_ALLOCATED"] as const;

/** The counts above the list. */
export async function readFigures(tx: Tx, scope: Scope, nowMs: number) {
  const count = (query: OrderCountQuery) => countPage(tx, query, scope, nowMs);
  const [toLeave, atRisk, late, held, waiting] = await Promise.all([
    count({ status: [...statesBeforeLeaving] }),
    count({ isAtRisk: true }),
    count({ isLate: true }),
    count({ isHeld: true }),
    count({ status: [...waitingForStock] }),
  ]);
  return { toLeave, atRisk, late, held, waiting };
}

import { findAvailableDays, lockMovedItems, settleMovedItems } from "#/modules/catalogue/index.ts";
import { showClient } from "#/modules/clients/index.ts";
import {
  listClientsWithMovedItems,
  listClientsWithOrdersToRelease,
} from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, batch, type OrderJob, takeDue, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { refusalOfHolds } from "#/modules/orders/commands/hold-order.ts";
import { type Availability, availabilityOf, reasonOf } from "#/modules/orders/intake/pre-order.ts";
import { atRiskBeforeMs, datedHolds, type Hold, type Order, releaseAtOf } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import { salesOrder } from "#/modules/orders/tables.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { updateOf } from "#/store/db/table.ts";

/** Items of one step whose day has moved. */
const itemsMax = 100;
/** Orders that one step makes due. */
const dueMax = 1_000;

/**
 * Lifts the hold SHIP_AFTER of orders two hours before their `shipAfter`, and PRE_ORDER on the day of their items
 * (lifecycle.md §1), in the order of acceptance. The last hold that is lifted releases the order, and allocation follows
 * its event. An item whose day has moved makes its pre-orders due: those that still wait get its new day.
 */
export async function releaseDatedOrders(job: OrderJob): Promise<number> {
  const clientIds = await Promise.all([
    listClientsWithOrdersToRelease(job.database.lookUps, ago(job, 0)),
    listClientsWithMovedItems(job.database.lookUps),
  ]);
  return workThroughClients(job, [...new Set(clientIds.flat())], async (tx) => {
    // An order that is made due after it got its new day would be made due again.
    if (await hasMoreToMakeDue(tx)) return { done: batch, drafts: [] };
    const orderIds = await takeDue(tx, "release", tx.change.at);
    const orders = await lockOrders(tx, orderIds);
    const calendar = await readCalendar(tx, orders);
    const releases = orders.map((before) => releaseOf(before, calendar, tx.change.at));
    writeDates.send(
      tx,
      releases.flatMap(({ dates }) => dates ?? []),
    );
    return {
      done: orderIds.length,
      drafts: await settleOrders(
        tx,
        releases.flatMap(({ change }) => change ?? []),
      ),
    };
  });
}

async function hasMoreToMakeDue(tx: UnitOfWork): Promise<boolean> {
  const skus = await lockMovedItems(tx, itemsMax);
  if (skus.length === 0) return false;
  const made = await makePreOrdersDue(tx, skus, tx.change.at);
  if (made < dueMax) settleMovedItems(tx, skus);
  return made === dueMax || skus.length === itemsMax;
}

/** @returns their number */
async function makePreOrdersDue(tx: ClientTx, skus: readonly string[], at: string): Promise<number> {
  const rows = await tx.query(sql`update sales_order o set release_at = ${at}::timestamptz
      where o.client_id = ${tenant} and o.order_id = any(array(
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.release_at > ${at}::timestamptz and d.holds @> '[{"type": "PRE_ORDER"}]'
            and d.order_id = any(array(
              select l.order_id from sales_order_line l
              where l.client_id = ${tenant} and l.sku = any(${skus}::text[])
                and l.qty_despatched + l.qty_cancelled < l.qty_ordered))
          -- In key order, the lock order of all orders.
          order by d.order_id limit ${dueMax} for no key update))
      returning o.order_id`);
  return rows.length;
}

interface Calendar {
  /** Of the goods of an order, by the days that its items have now. */
  availabilityOf(order: Order): Availability | undefined;
  despatchByOf(order: Order, from: string): string | undefined;
}

/** Only pre-orders read the days of their items. */
async function readCalendar(tx: UnitOfWork, orders: readonly Order[]): Promise<Calendar | undefined> {
  const linesOf = ({ lines, kits }: Order) => [...lines, ...kits];
  const preOrders = orders.filter(({ holds }) => holds.some(({ type }) => type === "PRE_ORDER"));
  if (preOrders.length === 0) return undefined;
  const skus = new Set(preOrders.flatMap(linesOf).map(({ sku }) => sku));
  const [days, shown] = await Promise.all([findAvailableDays(tx, [...skus]), showClient(tx)]);
  if (!shown.ok) return undefined;
  return {
    availabilityOf(order) {
      const lines = linesOf(order).map(({ sku }) => ({ sku, availableFrom: days.get(sku) }));
      return availabilityOf(shown.value, order.distributionCentre, lines);
    },
    despatchByOf: ({ distributionCentre, shipBy }, shipAfter) =>
      despatchByOf(shown.value, distributionCentre, { shipAfter, shipBy }, tx.change.at),
  };
}

interface Release {
  readonly change?: OrderChange;
  /** Of an order that waits on, or whose day has moved. */
  readonly dates?: DateRow;
}

/** The order without the dated holds that have ended; a day that has moved is in the reason of its hold. */
function releaseOf(before: Order, calendar: Calendar | undefined, at: string): Release {
  const dated = before.holds.filter(({ type }) => datedHolds.has(type));
  // An operator has lifted it, or the order has ended.
  if (dated.length === 0 || refusalOfHolds(before, "released") !== undefined) return {};
  const isPreOrder = dated.some(({ type }) => type === "PRE_ORDER");
  const availability = isPreOrder ? calendar?.availabilityOf(before) : undefined;
  const endOf = ({ type }: Hold) =>
    (type === "SHIP_AFTER" ? before.shipAfter && releaseAtOf(before.shipAfter) : availability?.at) ?? at;
  const reason = availability && reasonOf(availability);
  const holds = before.holds.flatMap((hold) => {
    if (!datedHolds.has(hold.type)) return hold;
    if (endOf(hold) <= at) return [];
    return hold.type === "SHIP_AFTER" || hold.reason === reason ? hold : { ...hold, reason: reason as string };
  });
  const isMoved = isPreOrder && dated.some((hold) => hold.type === "PRE_ORDER" && hold.reason !== reason);
  const leavesFrom = [at, before.shipAfter ?? at, availability?.at ?? at].toSorted().at(-1) as string;
  const despatchBy = isMoved ? calendar?.despatchByOf(before, leavesFrom) : before.despatchBy;
  const order = { ...before, holds, despatchBy };
  const ends = holds.filter(({ type }) => datedHolds.has(type)).map(endOf);
  const dates = ends.length > 0 || isMoved ? { dates: datesOf(order, ends.toSorted().at(-1)) } : {};
  const lifted = dated.filter(({ type }) => !holds.some((hold) => hold.type === type)).map(({ type }) => type);
  if (lifted.length === 0 && !isMoved) return dates;
  const what =
    lifted.length > 0 ? { action: "release", detail: { holds: lifted } } : { action: "hold", detail: { reason } };
  return {
    ...dates,
    change: { order, before, ...what, topics: [holds.length === 0 ? "order:released" : "order:updated"] },
  };
}

interface DateRow {
  readonly order_id: string;
  readonly release_at: string | undefined;
  readonly despatch_by: string | undefined;
  readonly risk_at: string | undefined;
}

const datesOf = ({ orderId, despatchBy }: Order, releaseAt: string | undefined): DateRow => ({
  order_id: orderId,
  release_at: releaseAt,
  despatch_by: despatchBy,
  risk_at: despatchBy && new Date(Date.parse(despatchBy) - atRiskBeforeMs).toISOString(),
});

const writeDates = updateOf(salesOrder, {
  set: ["release_at", "despatch_by"],
  with: { risk_at: "timestamptz?" },
  also: {
    at_risk_at: sql`case when sales_order.despatch_by is not distinct from given.despatch_by then sales_order.at_risk_at
      else given.risk_at end`,
  },
});

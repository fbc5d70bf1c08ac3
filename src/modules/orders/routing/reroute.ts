import { hourMs } from "#/kernel/values/durations.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { type ClientRecord, shareFacilities, showClient } from "#/modules/clients/index.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { listClientsWithOrdersToReroute } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, batch, type OrderJob, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { moveOrders, refusalOfMove } from "#/modules/orders/commands/move-order.ts";
import { shownLines } from "#/modules/orders/kits.ts";
import type { Order } from "#/modules/orders/order.ts";
import { lockOrders, readOrders } from "#/modules/orders/order-repository.ts";
import { findOrders } from "#/modules/orders/rest/repository.ts";
import { insertDecisions } from "#/modules/orders/routing/decision-repository.ts";
import { listLackingOrders, markCompared, type Place } from "#/modules/orders/routing/reroute-repository.ts";
import type { RoutedLine } from "#/modules/orders/routing/routed-order.ts";
import { createRouter, type Route } from "#/modules/orders/routing/router.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/**
 * The job that moves orders without stock to facilities that can fill all of their lines (lifecycle.md §1). It compares an
 * order once in the hours of the client, moved or not, so that no order goes back and forth.
 */
export function createRerouting(sets: CarrierSets): (job: OrderJob) => Promise<number> {
  return async (job) => {
    // Every client's limit is at least one hour.
    const clientIds = await listClientsWithOrdersToReroute(job.database.lookUps, ago(job, hourMs));
    const places = new Map<string, Place>();
    return workThroughClients(job, clientIds, async (tx) => {
      const shown = await showClient(tx);
      if (!shown.ok || shown.value.settings.rerouteHours === 0) return { done: 0, drafts: [] };
      const terms = { sets, client: shown.value, waitingMs: shown.value.settings.rerouteHours * hourMs };
      const nowMs = Date.parse(tx.change.at);
      const since = new Date(nowMs - terms.waitingMs).toISOString();
      const found = await listLackingOrders(tx, { since, after: places.get(tx.clientId), limit: batch }, tx.change.at);
      const last = found.at(-1);
      if (last === undefined) return { done: 0, drafts: [] };
      places.set(tx.clientId, last);
      return { done: found.length, drafts: await reroute(tx, terms, found) };
    });
  };
}

interface Terms {
  readonly sets: CarrierSets;
  readonly client: ClientRecord;
  readonly waitingMs: number;
}

async function reroute(tx: UnitOfWork, terms: Terms, found: readonly Place[]): Promise<EventDraft[]> {
  const { at } = tx.change;
  const orderIds = found.map(({ orderId }) => orderId);
  const facilities = await shareFacilities(tx);
  const routes = await routesOf(tx, terms, facilities, orderIds);
  const books = await openBooks(tx, [...new Set([...routes.values()].map(({ movedFrom }) => movedFrom))], at);
  markCompared(tx, orderIds, new Date(Date.parse(at) + terms.waitingMs).toISOString());
  const moves = (await lockOrders(tx, [...routes.keys()])).flatMap((before) => {
    const route = routes.get(before.orderId);
    const isThere = route?.movedFrom === before.distributionCentre && before.backorderedSince !== undefined;
    if (!isThere || before.holds.length > 0 || refusalOfMove(before) !== undefined) return [];
    return { before, order: before, facilityCode: route.facilityCode, route };
  });
  const orders = await moveOrders(tx, terms.client, { books, by: "REROUTED" }, moves);
  const { routingRule: rule, rerouteHours } = terms.client.settings;
  insertDecisions(
    tx,
    moves.map(({ before: { orderId }, route: { movedFrom, candidates = [] } }) => ({
      orderId,
      rule,
      movedFrom,
      candidates,
    })),
  );
  return settleOrders(
    tx,
    moves.map(({ before, facilityCode }, i) => ({
      order: orders[i] as Order,
      before,
      action: "reroute",
      statusReason: `moved from ${before.distributionCentre} to ${facilityCode}: not in stock for ${rerouteHours} h`,
      detail: { distributionCentre: facilityCode },
    })),
  );
}

/** The orders that another facility can fill, each with the facility that it is at. */
async function routesOf(
  tx: UnitOfWork,
  { sets, client }: Terms,
  facilities: readonly string[],
  orderIds: readonly string[],
): Promise<Map<string, Route & { readonly movedFrom: string }>> {
  const [orders, stored] = await Promise.all([readOrders(tx, orderIds), findOrders(tx, orderIds)]);
  const headers = new Map(stored.map((header) => [header.orderId, header]));
  const routable = orders.flatMap((order) => {
    const header = headers.get(order.orderId);
    return header === undefined ? [] : { order, routed: { ...header, ...ofRouting(order) } };
  });
  const context = { client: { ...client, facilities }, sets, at: tx.change.at, isTaking: true };
  const route = await createRouter(
    tx,
    context,
    routable.map(({ routed }) => routed),
  );
  return new Map(
    routable.flatMap(({ order: { orderId, distributionCentre: movedFrom }, routed }) => {
      const found = route(routed);
      const isElsewhere = found.by !== "FIRST" && found.facilityCode !== movedFrom;
      return isElsewhere ? [[orderId, { ...found, movedFrom }] as const] : [];
    }),
  );
}

/** The order as if it named no facility, with the quantities that are not cancelled. */
const ofRouting = (order: Order) => ({
  distributionCentre: undefined,
  shipAfter: order.shipAfter,
  lines: shownLines(order).map(
    ({ sku, stockPool, buckets, components }): RoutedLine => ({
      sku,
      stockPool,
      qty: buckets.ordered - buckets.cancelled,
      components: components?.map((part) => ({ sku: part.sku, qty: part.kitQty ?? 0 })),
      extendedAttributes: {},
    }),
  ),
});

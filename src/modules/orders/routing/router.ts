import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { multiplyQuantity } from "#/kernel/values/quantity.ts";
import { poolsOf } from "#/modules/inventory/index.ts";
import { shipsInParts } from "#/modules/orders/allocation/backorder-repository.ts";
import type { RoutingReason } from "#/modules/orders/order.ts";
import { type FreeStock, listFreeStock } from "#/modules/orders/routing/free-stock.ts";
import { createMeasures, type Measure, type MeasureContext, type Measures } from "#/modules/orders/routing/measures.ts";
import type { RoutedLine, RoutedOrder } from "#/modules/orders/routing/routed-order.ts";
import { type Fill, planSplit } from "#/modules/orders/routing/split.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** A facility that a decision looked at. */
export interface RoutingCandidate {
  readonly facilityCode: string;
  /** The first SKU that it cannot fill; null: it fills all lines. */
  readonly lacks: string | null;
  /** Its measure by the rule, as text. */
  readonly measure: string | null;
}

/**
 * The facility that fulfils an order, and how it was chosen (lifecycle.md §1): named by the order, the first that can fill
 * it, the best of several by the client's rule, or the first of the client; or several that fulfil its lines together.
 */
export interface Route {
  readonly facilityCode: string;
  readonly by: RoutingReason;
  /** The facilities of the client in their order, where its rule chose among them. */
  readonly candidates?: readonly RoutingCandidate[] | undefined;
  /** Of a split order: the facility of each of its lines. */
  readonly places?: readonly string[] | undefined;
}

export type Router = (order: RoutedOrder) => Route;

export interface RouterContext extends MeasureContext {
  readonly client: Pick<FeedClient, "facilities" | "calendars" | "settings">;
  /** A routed order takes its goods, so that the next one finds the rest. */
  readonly isTaking?: boolean;
}

/**
 * Routes orders without distributionCentre among the client's facilities that can fill all lines from their free stock:
 * to the first in their order, or to the best by the client's rule. If there is none, to several where the client splits
 * orders, else to the first facility. It queries the store once for all orders, and only if there is a choice.
 * @param orders the orders to route; their quantities may still be unknown.
 */
export async function createRouter(
  tx: ClientTx,
  context: RouterContext,
  orders: readonly RoutedOrder[],
): Promise<Router> {
  const { client, at } = context;
  const { facilities } = client;
  const open = orders.filter(({ distributionCentre }) => distributionCentre === undefined);
  const skus = [...new Set(open.flatMap(({ lines }) => lines.flatMap(skusOfLine)))];
  if (skus.length === 0 || facilities.length < 2) return routerOf({ facilities, stock: [] });
  const { routingRule } = client.settings;
  const [stock, measures] = await Promise.all([
    listFreeStock(tx, { facilityCodes: facilities, skus, at }),
    routingRule === "ORDER" ? undefined : createMeasures(tx, routingRule, context, skus),
  ]);
  // Only a new order is split.
  const splitBy = client.settings.splitOrders && context.isTaking !== true ? client.settings : undefined;
  return routerOf({ facilities, stock, measures, isTaking: context.isTaking, splitBy });
}

interface RouterParts {
  readonly facilities: readonly string[];
  readonly stock: readonly FreeStock[];
  /** Undefined: the first facility that fills all lines. */
  readonly measures?: Measures | undefined;
  readonly isTaking?: boolean | undefined;
  /** Undefined: no order is split. */
  readonly splitBy?: Pick<FeedClient["settings"], "backorder"> | undefined;
}

export function routerOf({ facilities, stock, measures, isTaking = false, splitBy }: RouterParts): Router {
  const free = new Map(stock.map((freeStock) => [keyOf(freeStock), freeStock.free]));
  const split = (order: RoutedOrder): Route | undefined => {
    if (splitBy === undefined) return undefined;
    const isInParts = shipsInParts({ shipPartial: order.shipPartial === true }, splitBy);
    const ask = { facilities, shipsInParts: isInParts, startFill: () => startFill(free) };
    const parts = planSplit(order.lines, ask);
    return parts && { ...parts, by: "SPLIT" };
  };
  const choose = (order: RoutedOrder): Route => {
    const { distributionCentre } = order;
    if (distributionCentre !== undefined) return { facilityCode: distributionCentre, by: "NAMED" };
    if (measures !== undefined) return best(order, facilities, free, measures(order));
    const full = facilities.find((facilityCode) => fill(order, facilityCode, free).lacks === null);
    return full === undefined ? firstOf(facilities) : { facilityCode: full, by: "FILLS" };
  };
  return (order) => {
    const whole = choose(order);
    const route = whole.by === "FIRST" ? (split(order) ?? whole) : whole;
    if (isTaking && route.by !== "FIRST") {
      for (const [key, left] of fill(order, route.facilityCode, free).left) free.set(key, left);
    }
    return route;
  };
}

const firstOf = (facilities: readonly string[]): Route => ({ facilityCode: facilities[0] as string, by: "FIRST" });

/** The best of the facilities that fill all lines. A single one needs no rule. */
function best(
  order: RoutedOrder,
  facilities: readonly string[],
  free: ReadonlyMap<string, number>,
  measureOf: (facilityCode: string) => Measure,
): Route {
  const filled = facilities.map((facilityCode) => ({ facilityCode, lacks: fill(order, facilityCode, free).lacks }));
  const full = filled.filter(({ lacks }) => lacks === null);
  const [only] = full;
  if (only === undefined) return firstOf(facilities);
  if (full.length === 1) return { facilityCode: only.facilityCode, by: "FILLS" };
  const measured = new Map(full.map(({ facilityCode }) => [facilityCode, measureOf(facilityCode)]));
  const rankOf = (facilityCode: string) => measured.get(facilityCode)?.rank ?? Number.POSITIVE_INFINITY;
  const chosen = full.reduce((found, next) => (rankOf(next.facilityCode) < rankOf(found.facilityCode) ? next : found));
  const candidates = filled.map((facility) => ({
    ...facility,
    measure: measured.get(facility.facilityCode)?.text ?? null,
  }));
  return { facilityCode: chosen.facilityCode, by: "RULE", candidates };
}

const skusOfLine = ({ sku, components = [] }: RoutedLine) => [sku, ...components.map((part) => part.sku)];

/**
 * The first SKU that a facility cannot fill, and the stock that the order leaves there. Each line takes from its own pool
 * first, then from DEFAULT, as allocation does.
 */
function fill(
  { lines }: Pick<RoutedOrder, "lines">,
  facilityCode: string,
  free: Pick<ReadonlyMap<string, number>, "get">,
) {
  const left = new Map<string, number>();
  const take = (sku: string, stockPool: string, qty: number): number => {
    let wanted = qty;
    for (const pool of poolsOf(stockPool)) {
      const key = keyOf({ facilityCode, sku, stockPool: pool });
      const there = left.get(key) ?? free.get(key) ?? 0;
      const taken = Math.min(wanted, there);
      left.set(key, there - taken);
      wanted -= taken;
    }
    return wanted;
  };
  const lackOf = ({ sku, stockPool, qty, components }: RoutedLine): string | undefined => {
    const wanted = take(sku, stockPool, qty);
    if (wanted === 0) return undefined;
    if (components === undefined) return sku;
    return components.find((part) => take(part.sku, stockPool, multiplyQuantity(wanted, part.qty) ?? 0) > 0)?.sku;
  };
  for (const line of lines) {
    const lacks = lackOf(line);
    if (lacks !== undefined) return { lacks, left };
  }
  return { lacks: null, left };
}

/** Fills line by line. A line that is not filled leaves its stock to the next one. */
function startFill(free: ReadonlyMap<string, number>): Fill {
  const rest = new Map<string, number>();
  const stock = { get: (key: string) => rest.get(key) ?? free.get(key) };
  return (line, facilityCode) => {
    const { lacks, left } = fill({ lines: [line] }, facilityCode, stock);
    if (lacks !== null) return false;
    for (const [key, qty] of left) rest.set(key, qty);
    return true;
  };
}

const keyOf = ({ facilityCode, sku, stockPool }: Omit<FreeStock, "free">) =>
  JSON.stringify([facilityCode, sku, stockPool]);

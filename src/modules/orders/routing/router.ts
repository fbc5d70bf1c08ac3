import { multiplyQuantity } from "#/kernel/values/quantity.ts";
import { poolsOf } from "#/modules/inventory/index.ts";
import type { OrderContent } from "#/modules/orders/intake/check-order.ts";
import type { RoutingReason } from "#/modules/orders/order.ts";
import { type FreeStock, listFreeStock } from "#/modules/orders/routing/free-stock.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * The facility that fulfils an order, and how it was chosen (rest.md §4): named by the order, the first that can fill
 * it, or the first of the client.
 */
interface Route {
  readonly facilityCode: string;
  readonly by: RoutingReason;
}

export type Router = (content: OrderContent) => Route;

/**
 * Routes orders without distributionCentre to the first of the client's facilities, in their order, that can fill all
 * lines from its free stock, else to the first one. It queries the store once, and only if there is a choice.
 * @param contents the orders to route; their quantities may still be unknown.
 */
export async function createRouter(
  tx: ClientTx,
  { facilities }: { readonly facilities: readonly string[] },
  contents: readonly OrderContent[],
  at: string,
): Promise<Router> {
  const open = contents.filter(({ distributionCentre }) => distributionCentre === undefined);
  const skus = [...new Set(open.flatMap(({ lines }) => lines.flatMap(skusOfLine)))];
  const hasChoice = skus.length > 0 && facilities.length > 1;
  const stock = hasChoice ? await listFreeStock(tx, { facilityCodes: facilities, skus, at }) : [];
  const free = new Map(stock.map((freeStock) => [keyOf(freeStock), freeStock.free]));
  return (content) => route(content, facilities, free);
}

function route(content: OrderContent, facilities: readonly string[], free: ReadonlyMap<string, number>): Route {
  const { distributionCentre } = content;
  if (distributionCentre !== undefined) return { facilityCode: distributionCentre, by: "NAMED" };
  const full = facilities.find((facilityCode) => fills(content, facilityCode, free));
  if (full !== undefined) return { facilityCode: full, by: "FILLS" };
  return { facilityCode: facilities[0] as string, by: "FIRST" };
}

const skusOfLine = ({ sku, components = [] }: OrderContent["lines"][number]) => [
  sku,
  ...components.map((part) => part.sku),
];

/** Each line takes from its own pool first, then from DEFAULT, as allocation does. */
function fills({ lines }: OrderContent, facilityCode: string, free: ReadonlyMap<string, number>): boolean {
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
  return lines.every(({ sku, stockPool, qty, components }) => {
    const wanted = take(sku, stockPool, qty);
    if (wanted === 0 || components === undefined) return wanted === 0;
    return components.every((part) => take(part.sku, stockPool, multiplyQuantity(wanted, part.qty) ?? 0) === 0);
  });
}

const keyOf = ({ facilityCode, sku, stockPool }: Omit<FreeStock, "free">) =>
  JSON.stringify([facilityCode, sku, stockPool]);

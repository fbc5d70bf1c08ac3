import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { multiplyQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";
import { facilitiesByDate, isAllocatable, poolsOf } from "#/modules/inventory/index.ts";
import type { OrderContent } from "#/modules/orders/intake/check-order.ts";
import type { RoutingReason } from "#/modules/orders/order.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface FreeStock {
  readonly facilityCode: string;
  readonly sku: string;
  readonly stockPool: string;
  /** Good, in date and not allocated; integer thousandths. */
  readonly free: number;
}

interface FreeStockAsk {
  readonly facilityCodes: readonly string[];
  readonly skus: readonly string[];
  /** ISO 8601. Each facility counts shelf life from its own date at this moment. */
  readonly at: string;
}

/** The stock that allocation could take. */
export async function listFreeStock(tx: ClientTx, ask: FreeStockAsk): Promise<FreeStock[]> {
  const { facilityCodes, skus, at } = ask;
  const byDate = await facilitiesByDate(tx.plain, facilityCodes, at);
  const ofDate = await Promise.all([...byDate].map(([today, codes]) => listFreeStockOn(tx, codes, skus, today)));
  return ofDate.flat();
}

async function listFreeStockOn(
  tx: ClientTx,
  facilityCodes: readonly string[],
  skus: readonly string[],
  today: string,
): Promise<FreeStock[]> {
  const rows = await tx.query<{
    facility_code: string;
    sku: string;
    stock_pool: string;
    free: string;
  }>(sql`select b.facility_code, b.sku, b.stock_pool, sum(b.qty - b.allocated) as free from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = any(${facilityCodes}::text[]) and b.sku = any(${skus}::text[])
        and ${isAllocatable(today)}
      group by b.facility_code, b.sku, b.stock_pool limit 1000000`);
  return rows.map((row) => ({
    facilityCode: row.facility_code,
    sku: row.sku,
    stockPool: row.stock_pool,
    // A sum may exceed the highest quantity of a document.
    free: storedQuantity(row.free),
  }));
}

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

/**
 * The moment by which an order must leave its facility: its `shipBy`, or else the facility's first cut-off at or after the
 * moment when it received the order, by acceptance or by transfer from another facility, and not before `shipAfter`.
 * Undefined if the facility has no cut-off, or no longer belongs to the client.
 *
 * The calendars come with the client from memory, so no order costs a query.
 *
 * @param at ISO 8601 UTC.
 */
export function despatchByOf(
  client: Pick<FeedClient, "calendars">,
  facilityCode: string,
  { shipAfter, shipBy }: Pick<OrderContent, "shipAfter" | "shipBy">,
  at: string,
): string | undefined {
  if (shipBy !== undefined) return shipBy;
  const calendar = client.calendars?.[facilityCode];
  return calendar === undefined
    ? undefined
    : (nextCutOff(calendar, shipAfter !== undefined && shipAfter > at ? shipAfter : at) ?? undefined);
}

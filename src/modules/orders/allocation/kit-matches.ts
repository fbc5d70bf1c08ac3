// Matches of stock with waiting lines where some are lines of kits (docs/decisions/0058-kits.md).

import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";
import { isAllocatable, orderOfUse, poolsOf } from "#/modules/inventory/index.ts";
import { isServed, type Match, type MatchAsk, type Matches } from "#/modules/orders/allocation/repository.ts";
import { grantsOf, type KitRows, rowsByKit, wholeWaiting } from "#/modules/orders/kits.ts";
import type { OrderLine } from "#/modules/orders/order.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/**
 * The matches of `matchLines` where lines of kits wait: line by line in the order of allocation. A line of a kit takes
 * stock of the kit first, then of its components as much as makes whole kits. It has more statements than
 * `matchLines`, and a limit of lines instead of units: what a kit cannot use goes to the next line.
 */
export async function matchKits(tx: ClientTx, ask: MatchAsk): Promise<Matches> {
  const waiting = await listWaitingLines(tx, ask);
  const ofKits = waiting.filter(({ isOfKit }) => isOfKit).map(({ orderId }) => orderId);
  const orders = await readOrders(tx, [...new Set(ofKits)]);
  const kitRows = new Map(orders.map(({ orderId, lines }) => [orderId, rowsByKit(lines)]));
  const kits = orders.flatMap(({ kits }) => kits.map(({ sku }) => sku));
  const parts = orders.flatMap(({ lines }) => lines.flatMap(({ kitQty, sku }) => (kitQty === undefined ? [] : sku)));
  const [lots, inactive] = await Promise.all([
    listFreeLots(tx, ask, [...new Set([...ask.skus, ...kits, ...parts])]),
    listInactive(tx, [...new Set(kits)]),
  ]);
  const stock = stockOf(lots);
  const matches: Match[] = [];
  const served = new Set<string>();
  const take = (orderId: string, line: Pick<OrderLine, "lineNumber" | "sku" | "stockPool">, qty: number) => {
    for (const { sku, stockPool, batchRef, expiryDate, qty: part } of stock.take(line.sku, line.stockPool, qty)) {
      matches.push({ orderId, lineNumber: line.lineNumber, sku, stockPool, batchRef, expiryDate, qty: part });
    }
  };
  for (const { orderId, isOfKit, wanted, ...line } of waiting) {
    if (!isOfKit) {
      take(orderId, line, Math.min(wanted, stock.freeOf(line.sku, line.stockPool)));
      continue;
    }
    const lineNumber = lineNumberOf(line.lineNumber);
    const key = `${lineNumber} ${orderId}`;
    const rows = served.has(key) ? undefined : kitRows.get(orderId)?.(lineNumber);
    if (rows === undefined || inactive.has(rows.built.sku)) continue;
    served.add(key);
    for (const { row, qty } of serve(rows, stock.freeOf)) take(orderId, row, qty);
  }
  // The limit may have cut lines off, which the next call reads once these have their stock.
  return { matches, isDone: waiting.length < ask.linesMax || matches.length === 0 };
}

/** The quantity that each row of a kit gets. */
function serve(rows: KitRows, freeOf: Stock["freeOf"]): { readonly row: OrderLine; readonly qty: number }[] {
  const { sku, stockPool } = rows.built;
  const built = Math.min(wholeWaiting(rows), Math.floor(freeOf(sku, stockPool) / 1_000) * 1_000);
  const waitingOf = ({ buckets, kitQty = 0 }: OrderLine) =>
    buckets.open + buckets.backordered - (built * kitQty) / 1_000;
  const grants = grantsOf(rows, waitingOf, (row) => freeOf(row.sku, row.stockPool));
  return [{ row: rows.built, qty: built }, ...[...grants].map(([row, qty]) => ({ row, qty }))].filter(
    ({ qty }) => qty > 0,
  );
}

interface FreeLot {
  readonly sku: string;
  readonly stockPool: string;
  readonly batchRef: string;
  readonly expiryDate: string;
  /** Integer thousandths. */
  qty: number;
}

interface Stock {
  freeOf(sku: string, stockPool: string): number;
  /** Takes from the line's own pool first, then from DEFAULT, lot by lot in the order of use. */
  take(sku: string, stockPool: string, qty: number): FreeLot[];
}

function stockOf(lots: readonly FreeLot[]): Stock {
  const byPool = Map.groupBy(lots, ({ sku, stockPool }) => JSON.stringify([sku, stockPool]));
  const lotsOf = (sku: string, stockPool: string) =>
    poolsOf(stockPool).flatMap((pool) => byPool.get(JSON.stringify([sku, pool])) ?? []);
  return {
    freeOf: (sku, stockPool) => lotsOf(sku, stockPool).reduce((sum, { qty }) => sum + qty, 0),
    take(sku, stockPool, qty) {
      let missing = qty;
      return lotsOf(sku, stockPool).flatMap((lot) => {
        const part = Math.min(missing, lot.qty);
        missing -= part;
        lot.qty -= part;
        return part === 0 ? [] : { ...lot, qty: part };
      });
    },
  };
}

interface WaitingLine {
  readonly orderId: string;
  readonly lineNumber: number;
  readonly sku: string;
  readonly stockPool: string;
  readonly wanted: number;
  readonly isOfKit: boolean;
}

/** The lines that wait for these SKUs, in the order of allocation. */
function listWaitingLines(tx: ClientTx, { facilityCode, skus, orders, linesMax }: MatchAsk): Promise<WaitingLine[]> {
  return tx.query(sql`select l.order_id as "orderId", l.line_number as "lineNumber", l.sku, l.stock_pool as "stockPool",
        ((l.qty_open + l.qty_backordered) * 1000)::bigint as wanted, l.kit_qty is not null as "isOfKit"
      from sales_order_line l
      where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = any(${skus}::text[])
        and l.qty_open + l.qty_backordered > 0 and ${isServed(orders)}
        and (select o.holds from sales_order o where o.client_id = ${tenant} and o.order_id = l.order_id limit 1) = '[]'
      order by l.priority, l.accepted_at, l.order_id, l.line_number % 1000000, l.line_number limit ${linesMax}`);
}

async function listFreeLots(
  tx: ClientTx,
  { facilityCode, today }: MatchAsk,
  skus: readonly string[],
): Promise<FreeLot[]> {
  const rows = await tx.query<Omit<FreeLot, "qty"> & { readonly free: string }>(sql`select b.sku,
        b.stock_pool as "stockPool", b.batch_ref as "batchRef", b.expiry_date as "expiryDate", b.qty - b.allocated as free
      from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
        and ${isAllocatable(today)}
      order by b.sku, b.stock_pool, ${orderOfUse} limit 1000000`);
  return rows.map(({ free, ...lot }) => ({ ...lot, qty: storedQuantity(free) }));
}

/** The kits among these SKUs whose item is inactive: nothing is allocated to them. */
async function listInactive(tx: ClientTx, skus: readonly string[]): Promise<ReadonlySet<string>> {
  if (skus.length === 0) return new Set();
  const rows = await tx.query<{ sku: string }>(
    sql`select sku from item where client_id = ${tenant} and sku = any(${skus}::text[]) and not is_active limit 100000`,
  );
  return new Set(rows.map(({ sku }) => sku));
}

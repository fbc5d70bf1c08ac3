import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ItemRules } from "#/modules/catalogue/index.ts";
import { dayAfter, isExpired, kitSentence, noBatch, noExpiry, poolsOf } from "#/modules/inventory/index.ts";
import type { ConsideredLot } from "#/modules/orders/allocation/considered-lots.ts";
import type { StockRefusal } from "#/modules/orders/explain/contract.ts";
import type { Order, OrderLine } from "#/modules/orders/order.ts";
import type { FreeStock } from "#/modules/orders/routing/free-stock.ts";

/** The facts about the stock that a line asks for. */
export interface LineFacts {
  /** The date of the order's facility, `YYYY-MM-DD`. */
  readonly today: string;
  /** Undefined: the catalogue has no such item. */
  readonly rules: ItemRules | undefined;
  /** Lots of the SKU at the facility of the order, by pool, in the order of use. */
  readonly lots: readonly ConsideredLot[];
  /** Stock of the SKU that may be allocated at the other facilities of the client. */
  readonly elsewhere: readonly FreeStock[];
  /** The other facilities of the client, in routing order. */
  readonly otherFacilities: readonly string[];
}

/** Entries about lots that a line has, at most. */
export const lotsShownMax = 20;
const facilitiesShownMax = 20;

const nowhere = {
  facilityCode: null,
  stockPool: null,
  batchRef: null,
  expiryDate: null,
  condition: null,
  qty: null,
  since: null,
} as const;

/**
 * Who refused a line that lacks goods, in the order of allocation: the order itself, its item, the pools of the line,
 * their lots, the other pools, then the other facilities.
 */
export function refusalsOf(
  order: Order,
  line: OrderLine,
  facts: LineFacts,
): { readonly refusals: StockRefusal[]; readonly omitted: number } {
  const isHeld = order.holds.length > 0;
  const ownPools = poolsOf(line.stockPool);
  const byPool = Map.groupBy(facts.lots, ({ stockPool }) => stockPool);
  const otherPools = [...byPool.keys()].filter((pool) => !ownPools.includes(pool)).sort();
  const ofPools: StockRefusal[] = [];
  let lotsShown = 0;
  let lots = 0;
  let free = 0;
  for (const pool of [...ownPools, ...otherPools]) {
    const isOwn = ownPools.includes(pool);
    const lotsOfPool = byPool.get(pool) ?? [];
    if (lotsOfPool.length === 0) ofPools.push(emptyPool(order, pool));
    lots += lotsOfPool[0]?.lotsOfPool ?? 0;
    for (const lot of lotsOfPool) {
      const refusal = isOwn ? refusalOfLot(order, lot, facts, isHeld) : otherPool(order, line, lot);
      // A lot that allocation accepts refuses nothing: the hold of the order does.
      if (refusal === undefined) free++;
      else if (lotsShown < lotsShownMax) {
        ofPools.push(refusal);
        lotsShown++;
      }
    }
  }
  // No facility could fulfil a held order, or an order for an inactive item.
  const facilities = isHeld || !facts.rules?.isActive ? [] : facts.otherFacilities.slice(0, facilitiesShownMax);
  return {
    refusals: [
      ...order.holds.map(heldOrder),
      ...refusedItem(line, facts),
      ...ofPools,
      ...facilities.map((facilityCode) => otherFacility(order, line, facilityCode, facts)),
    ],
    omitted: lots - lotsShown - free,
  };
}

/** The component of a kit that allows no more kits. */
export interface KitLimit {
  readonly row: OrderLine;
  /** Integer thousandths, as all quantities. */
  readonly free: number;
  /** The kits that the free stock of the component allows. */
  readonly kits: number;
  /** The kits that it allows with what the order holds of it. */
  readonly level: number;
}

export function componentRefusal({ row, free, kits }: KitLimit): StockRefusal {
  return {
    ...nowhere,
    scope: "POOL",
    code: "COMPONENT",
    text: `${kitSentence({ kits, sku: row.sku, available: free })}.`,
    release: `A receipt of ${row.sku}.`,
    stockPool: row.stockPool,
    qty: quantityToNumber(free),
  };
}

function heldOrder({ type, reason, since }: Order["holds"][number]): StockRefusal {
  const why = reason === "" ? "" : ` (${reason})`;
  return {
    ...nowhere,
    scope: "ORDER",
    code: "HOLD",
    text: `The order has the hold ${type}${why}; no stock is allocated to it.`,
    release: "The release of the hold.",
    since,
  };
}

function refusedItem({ sku }: OrderLine, { rules }: LineFacts): StockRefusal[] {
  if (rules?.isActive) return [];
  const item = { ...nowhere, scope: "ITEM" } as const;
  return rules === undefined
    ? [{ ...item, code: "UNKNOWN_ITEM", text: `The catalogue has no item ${sku}.`, release: `A CAT with item ${sku}.` }]
    : [{ ...item, code: "INACTIVE", text: `Item ${sku} is inactive.`, release: `A CAT with Active true for ${sku}.` }];
}

function emptyPool({ distributionCentre }: Order, pool: string): StockRefusal {
  return {
    ...nowhere,
    scope: "POOL",
    code: "NO_STOCK",
    text: `Pool ${pool} has no stock at ${distributionCentre}.`,
    release: `A receipt into pool ${pool}.`,
    facilityCode: distributionCentre,
    stockPool: pool,
  };
}

const placeOf = ({ distributionCentre }: Order, lot: ConsideredLot) =>
  ({
    scope: "LOT",
    facilityCode: distributionCentre,
    stockPool: lot.stockPool,
    batchRef: lot.batchRef === noBatch ? null : lot.batchRef,
    expiryDate: lot.expiryDate === noExpiry ? null : lot.expiryDate,
    condition: lot.condition,
    qty: quantityToNumber(lot.qty),
    since: lot.lastMovedAt,
  }) as const;

function refusalOfLot(order: Order, lot: ConsideredLot, facts: LineFacts, isHeld: boolean): StockRefusal | undefined {
  const place = placeOf(order, lot);
  const qty = formatQuantity(lot.qty);
  switch (lot.refusedBy) {
    case "CONDITION":
      return {
        ...place,
        code: "CONDITION",
        text: `${qty} are ${lot.condition}, not GOOD.`,
        release:
          lot.condition === "ON_HOLD"
            ? "The warehouse lifts the hold of the lot."
            : "The warehouse regrades it to GOOD.",
      };
    case "RESERVED":
      return {
        ...place,
        code: "RESERVED",
        text: `All ${qty} are allocated to orders or work orders.`,
        release: "Another order gives up its allocation, or is cancelled.",
      };
    case "SHELF_LIFE":
      return tooOld(place, lot, facts);
    case undefined:
      if (isHeld) return undefined;
      return {
        ...place,
        code: "PENDING",
        text: `${formatQuantity(lot.qty - lot.allocated)} are free; allocation serves the waiting orders by priority, then by acceptance.`,
        release: "The next allocation, which starts by itself.",
      };
  }
}

/** The rule of the shelf life also refuses every lot of an item that is unknown or inactive. */
function tooOld(place: ReturnType<typeof placeOf>, lot: ConsideredLot, { today, rules }: LineFacts): StockRefusal {
  if (rules === undefined) {
    return {
      ...place,
      code: "UNKNOWN_ITEM",
      text: "The item is not in the catalogue.",
      release: "A CAT with the item.",
    };
  }
  if (!rules.isActive) {
    return { ...place, code: "INACTIVE", text: "The item is inactive.", release: "A CAT with Active true." };
  }
  const first = dayAfter(today, rules.minShelfLifeDays);
  if (isExpired(lot, today)) {
    const text = `The lot expired on ${lot.expiryDate}.`;
    return { ...place, code: "EXPIRED", text, release: `A lot that expires on or after ${first}.` };
  }
  const text = `The lot expires on ${lot.expiryDate}; the item needs ${rules.minShelfLifeDays} more days, until ${first}.`;
  return { ...place, code: "SHELF_LIFE", text, release: `A lot that expires on or after ${first}.` };
}

function otherPool(order: Order, { stockPool }: OrderLine, lot: ConsideredLot): StockRefusal {
  const pools = poolsOf(stockPool).join(", then from ");
  return {
    ...placeOf(order, lot),
    code: "POOL",
    text: `Pool ${lot.stockPool} is for other lines; this line takes stock from ${pools}.`,
    release: `Stock in pool ${poolsOf(stockPool).join(" or ")}.`,
  };
}

function otherFacility(order: Order, line: OrderLine, facilityCode: string, { elsewhere }: LineFacts): StockRefusal {
  const pools = poolsOf(line.stockPool);
  const free = elsewhere
    .filter((stock) => stock.facilityCode === facilityCode && pools.includes(stock.stockPool))
    .reduce((sum, stock) => sum + stock.free, 0);
  const place = { ...nowhere, scope: "FACILITY", facilityCode, qty: quantityToNumber(free) } as const;
  if (free === 0) {
    return { ...place, code: "NO_STOCK", text: `Facility ${facilityCode} has no free stock either.`, release: null };
  }
  const { distributionCentre } = order;
  return {
    ...place,
    code: "OTHER_FACILITY",
    text: `Facility ${facilityCode} has ${formatQuantity(free)} free; the order is fulfilled by ${distributionCentre}.`,
    release: `order/update, or a NO with actionType UPDATE, with distributionCentre ${facilityCode}.`,
  };
}

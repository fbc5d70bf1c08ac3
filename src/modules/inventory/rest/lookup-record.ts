import { quantityToNumber } from "#/kernel/quantity.ts";
import type { SkuQuantities } from "#/modules/inventory/quantities.ts";
import type { InventoryItem } from "#/modules/inventory/rest/lookup-contract.ts";

/** @param availablePools the stock pools that the top-level `available` counts. */
export function inventoryItem(
  sku: string,
  { total, pools, uom, lastMovedAt }: SkuQuantities,
  availablePools: "*" | readonly string[],
): InventoryItem {
  const stockPools: InventoryItem["stockPools"] = [];
  let available = 0;
  for (const { stockPool, quantities: pool } of pools) {
    if (availablePools === "*" || availablePools.includes(stockPool)) available += pool.available;
    if (pool.onHand === 0) continue;
    stockPools.push({
      stockPool,
      onHand: quantityToNumber(pool.onHand),
      available: quantityToNumber(pool.available),
    });
  }
  return {
    sku,
    found: uom !== undefined,
    onHand: quantityToNumber(total.onHand),
    available: quantityToNumber(available),
    allocated: quantityToNumber(total.allocated),
    onHold: quantityToNumber(total.onHold),
    damaged: quantityToNumber(total.damaged),
    expected: quantityToNumber(total.expected),
    inReturn: quantityToNumber(total.inReturn),
    backordered: quantityToNumber(total.backordered),
    uom: uom ?? null,
    stockPools,
    lastMovementAt: lastMovedAt ?? null,
  };
}

import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { PastPool } from "#/modules/inventory/rest/past-day.ts";

/** Quantities of a SKU at the end of a day, as JSON numbers in stock units. */
export interface PastQuantities {
  readonly onHand: number;
  /** Of the pools that the client counts as available. */
  readonly available: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly unsellable: number;
}

export const noQuantities: PastQuantities = {
  onHand: 0,
  available: 0,
  allocated: 0,
  onHold: 0,
  damaged: 0,
  unsellable: 0,
};

export function quantitiesOfPools(pools: readonly PastPool[], availablePools: "*" | readonly string[]): PastQuantities {
  const sumOf = (of: (pool: PastPool) => number) => quantityToNumber(pools.reduce((sum, pool) => sum + of(pool), 0));
  const isCounted = ({ stockPool }: PastPool) => availablePools === "*" || availablePools.includes(stockPool);
  return {
    onHand: sumOf(({ onHand }) => onHand),
    available: sumOf((pool) => (isCounted(pool) ? pool.available : 0)),
    allocated: sumOf(({ allocated }) => allocated),
    onHold: sumOf(({ onHold }) => onHold),
    damaged: sumOf(({ damaged }) => damaged),
    unsellable: sumOf(({ onHand, allocated, available }) => onHand - allocated - available),
  };
}

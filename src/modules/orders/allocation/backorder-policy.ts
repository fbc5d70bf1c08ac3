import type { ClientTx } from "#/db/database.ts";
import { type ClientSettings, resolveSettings } from "#/modules/clients/index.ts";
import { findStoredSettings } from "#/modules/orders/allocation/backorder-repository.ts";

/** What happens to a partly allocated order, from the client's settings (operations.md §2). */
export interface BackorderPolicy {
  readonly backorder: ClientSettings["backorder"];
  /** Days after which backordered quantity is cancelled. */
  readonly backorderDays: number;
}

export async function findPolicy(tx: ClientTx): Promise<BackorderPolicy> {
  const { backorder, backorderDays } = resolveSettings(await findStoredSettings(tx));
  return { backorder, backorderDays };
}

/** True if the allocated part may leave while the rest waits. The order's own setting takes precedence. */
export function shipsInParts(order: { readonly shipPartial: boolean }, { backorder }: BackorderPolicy): boolean {
  return order.shipPartial || backorder !== "WAIT";
}

/** True if the quantity that is not in stock is cancelled at once. */
export function cancelsRest(order: { readonly shipPartial: boolean }, { backorder }: BackorderPolicy): boolean {
  return backorder === "SHIP_AND_CANCEL" && !order.shipPartial;
}

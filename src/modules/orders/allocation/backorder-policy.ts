import type { Tx } from "#/db/database.ts";
import { resolveSettings } from "#/modules/clients/index.ts";
import { findStoredSettings } from "#/modules/orders/allocation/backorder-repository.ts";

/** What becomes of an order that stock fills in part, by the client's settings (operations.md §2). */
export interface BackorderPolicy {
  readonly backorder: "WAIT" | "SHIP_AND_WAIT" | "SHIP_AND_CANCEL";
  /** Days after which what is still backordered is cancelled. */
  readonly backorderDays: number;
}

export async function findPolicy(tx: Tx, clientId: string): Promise<BackorderPolicy> {
  const { backorder, backorderDays } = resolveSettings(await findStoredSettings(tx, clientId));
  return { backorder, backorderDays };
}

/** May what is allocated leave while the rest waits? An order that asks for it decides for itself. */
export function shipsInParts(order: { readonly shipPartial: boolean }, { backorder }: BackorderPolicy): boolean {
  return order.shipPartial || backorder !== "WAIT";
}

/** Is what stock does not fill to be cancelled at once? */
export function cancelsRest(order: { readonly shipPartial: boolean }, { backorder }: BackorderPolicy): boolean {
  return backorder === "SHIP_AND_CANCEL" && !order.shipPartial;
}

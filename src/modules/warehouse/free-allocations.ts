import type { FreeAllocations } from "#/modules/inventory/index.ts";
import { freeOrderAllocations } from "#/modules/orders/index.ts";
import { freeComponentAllocations } from "#/modules/workorders/index.ts";

/** What orders hold of a lot is freed first, then what work orders hold (lifecycle.md §1). */
export const freeAllocations: FreeAllocations = async (tx, change, book, lot, qty) => {
  const ofOrders = await freeOrderAllocations(tx, change, book, lot, qty);
  if (ofOrders.freed >= qty) return ofOrders;
  const ofWorkOrders = await freeComponentAllocations(tx, change, book, lot, qty - ofOrders.freed);
  return { freed: ofOrders.freed + ofWorkOrders.freed, drafts: [...ofOrders.drafts, ...ofWorkOrders.drafts] };
};

/** The states of a purchase order (lifecycle.md §2), and those in which goods are still expected. */
import { codeList } from "#/store/db/sql.ts";

export const openPurchaseOrderStates = ["OPEN", "RECEIVING"] as const;
export const purchaseOrderStates = [...openPurchaseOrderStates, "RECEIVED", "CLOSED", "CANCELLED"] as const;

export type PurchaseOrderState = (typeof purchaseOrderStates)[number];

/** The condition of the indexes of open purchase orders. */
export const openPurchaseOrder = codeList(openPurchaseOrderStates);

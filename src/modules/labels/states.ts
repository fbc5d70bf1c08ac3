/** The states of a label's purchase (docs/states.md); every module may import them. */
import { codeList } from "#/store/db/sql.ts";

/** Of a parcel's label: it is being bought, it is bought, or no source sells it. */
const ofParcelStates = ["PENDING", "BOUGHT", "FAILED"] as const;
export const purchaseStates = [...ofParcelStates, "REFUSED", "VOIDING", "VOIDED", "VOID_FAILED"] as const;
export type PurchaseState = (typeof purchaseStates)[number];

export const manifestStates = ["PENDING", "MADE", "FAILED", "EMPTY"] as const;
export type ManifestState = (typeof manifestStates)[number];

/** Of the collection of a manifest. */
export const pickupStates = ["PENDING", "BOOKED", "FAILED"] as const;
export type PickupState = (typeof pickupStates)[number];

/** States that wait for an operator; the condition of their index. */
export const failedPurchaseStates = ["FAILED", "VOID_FAILED"] as const;

export const ofParcel = codeList(ofParcelStates);
export const failedPurchase = codeList(failedPurchaseStates);

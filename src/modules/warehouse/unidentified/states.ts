/** The states of goods without a purchase order (lifecycle.md §2). */
import { codeList } from "#/store/db/sql.ts";

/** How they end without one. */
export const unidentifiedOutcomes = ["RETURNED", "DISPOSED", "REPORTED"] as const;
export const waitingUnidentifiedStates = ["WAITING"] as const;
export const unidentifiedStates = [...waitingUnidentifiedStates, "BOUND", ...unidentifiedOutcomes] as const;

export type UnidentifiedState = (typeof unidentifiedStates)[number];

/** The condition of the index of those that wait. */
export const waitingUnidentified = codeList(waitingUnidentifiedStates);

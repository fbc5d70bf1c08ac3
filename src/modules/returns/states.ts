/** The states of a return (lifecycle.md §3), and those in which goods are still expected. */
import { codeList } from "#/store/db/sql.ts";

export const openReturnStates = ["AUTHORISED", "RECEIVING"] as const;
export const returnStates = [...openReturnStates, "RECEIVED", "CLOSED", "CANCELLED", "EXPIRED"] as const;

export type ReturnState = (typeof returnStates)[number];

/** The condition of the index of open returns. */
export const openReturn = codeList(openReturnStates);
/** The condition of the index of returns that have goods and are not closed. */
export const unclosedReturn = codeList(["RECEIVING", "RECEIVED"]);

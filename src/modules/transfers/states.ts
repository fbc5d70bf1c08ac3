/** The states of a transfer (lifecycle.md §8), and those in which goods are still to move. */
import { codeList } from "#/store/db/sql.ts";

export const openTransferStates = ["RELEASED", "SHIPPED", "RECEIVING"] as const;
export const transferStates = [...openTransferStates, "RECEIVED", "CLOSED", "CANCELLED"] as const;

/** The most lines of one transfer; it limits what a page of a list reads. */
export const linesMax = 500;

export type TransferState = (typeof transferStates)[number];

/** The condition of the index of open transfers. */
export const openTransfer = codeList(openTransferStates);

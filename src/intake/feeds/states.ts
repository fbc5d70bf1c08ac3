/** The states of a document (feeds.md §2), and the sets of them that statements ask for. */
import { codeList } from "#/store/db/sql.ts";

/** States of a document whose content is in the store, as far as it could be written. */
export const acceptedStates = ["ACCEPTED", "PROCESSED", "FAILED"] as const;
/** States in which a document may be reprocessed (lifecycle.md §6). */
const unsettledStates = ["REJECTED", "PARKED"] as const;
export const feedStates = [...unsettledStates, ...acceptedStates] as const;
/** Results that a later ACK reports. */
const results = ["PROCESSED", "REJECTED", "FAILED"] as const;

export type FeedState = (typeof feedStates)[number];
export type UnsettledState = (typeof unsettledStates)[number];
export type FeedResult = (typeof results)[number];

export const accepted = codeList(acceptedStates);
export const ended = codeList(results);

export function isUnsettled(state: FeedState): state is UnsettledState {
  return (unsettledStates as readonly FeedState[]).includes(state);
}

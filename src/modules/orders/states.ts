/** The states of an order (lifecycle.md §1), and the sets of them that statements and indexes ask for. */
import { codeList } from "#/store/db/sql.ts";

export const statesBeforePicking = ["RECEIVED", "ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED"] as const;
/** States of an order that has not completely left. */
export const statesBeforeLeaving = [...statesBeforePicking, "PICKING", "PACKED", "PARTIALLY_DESPATCHED"] as const;
/** States of an order that has completely left. */
const statesAfterLeaving = ["DESPATCHED", "DELIVERED", "RETURNED_TO_SENDER"] as const;
/** States after which no part of the order leaves any more. */
export const doneStates = ["CANCELLED", ...statesAfterLeaving] as const;
/** States in which nothing happens to the order any more. */
export const endStates = ["CANCELLED", "DELIVERED", "RETURNED_TO_SENDER"] as const;
export const orderStates = [...statesBeforeLeaving, ...statesAfterLeaving, "CANCELLED"] as const;

export type OrderState = (typeof orderStates)[number];

export const beforePicking = codeList(statesBeforePicking);
/** The condition of the index of due orders. */
export const beforeLeaving = codeList(statesBeforeLeaving);
export const afterLeaving = codeList(statesAfterLeaving);
/** For the index of a facility's orders by state, where every state is wanted. */
export const everyState = codeList(orderStates);
/** The condition of the indexes of held orders and of orders to erase. */
export const done = codeList(doneStates);

export const isBeforeLeaving = (state: OrderState) => (statesBeforeLeaving as readonly OrderState[]).includes(state);

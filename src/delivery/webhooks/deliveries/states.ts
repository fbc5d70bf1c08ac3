/** The states of a delivery and of its attempts (webhooks.md §2). */
import { codeList } from "#/store/db/sql.ts";

export const undeliveredStatuses = ["RETRYING", "FAILED", "SKIPPED"] as const;
/** Statuses of an ended delivery, which a recovery repeats. */
export const endedStatuses = ["FAILED", "SKIPPED", "DELIVERED"] as const;
export const deliveryStatuses = ["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "SKIPPED"] as const;
export const attemptStates = ["STARTED", "ENDED", "UNKNOWN"] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type AttemptState = (typeof attemptStates)[number];

/** The condition of the index of undelivered deliveries. */
export const undelivered = codeList(undeliveredStatuses);

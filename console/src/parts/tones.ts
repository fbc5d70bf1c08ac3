/**
 * Meaning of a colour: green done, blue moving, amber waits for a person, red failed, grey ended, cancelled or waiting as usual. A colour
 * is always shown with a word.
 */
export type Tone = "done" | "moving" | "waiting" | "failed" | "ended";

/** Objects that have states (contract lifecycle.md; the last three operations.md). */
export type StateKind =
  | "order"
  | "line"
  | "parcel"
  | "purchaseOrder"
  | "return"
  | "workOrder"
  | "transfer"
  | "unidentifiedReceipt"
  | "feed"
  | "webhook"
  | "delivery"
  | "outbound"
  | "credential"
  | "client"
  | "count"
  | "exception"
  | "facility"
  | "user"
  | "mail"
  | "labelPurchase"
  | "labelManifest"
  | "proposal"
  | "certificate";

const tones: Readonly<Record<string, Tone>> = {
  ...all("done", "DELIVERED RECEIVED_IN_FULL COMPLETED PROCESSED ACTIVE SUCCEEDED SENT RESOLVED COLLECTED TRANSFERRED"),
  ...all(
    "moving",
    "RECEIVED ALLOCATED PICKING PACKED PARTIALLY_DESPATCHED DESPATCHED LOADED IN_TRANSIT OUT_FOR_DELIVERY",
  ),
  ...all(
    "moving",
    "OPEN RECEIVING AUTHORISED CREATED RELEASED IN_PROGRESS ACCEPTED PENDING RETURNING ASSIGNED QUEUED SHIPPED",
  ),
  ...all("waiting", "ON_HOLD PARTIALLY_ALLOCATED BACKORDERED AVAILABLE_FOR_COLLECTION WAITING_COMPONENTS PARKED"),
  ...all("waiting", "PAUSED HELD RETRYING REQUESTED EXPIRING LOCKED WAITING KEPT"),
  ...all("failed", "EXCEPTION LOST REJECTED FAILED FAILING DISABLED RETURNED_TO_SENDER CLOSED_SHORT SUSPENDED"),
  ...all("ended", "CANCELLED CLOSED EXPIRED VOIDED SKIPPED REVOKED ENDED GIVEN_UP INACTIVE SUPERSEDED"),
};

/** States whose word has another meaning for the given kind. */
const exceptions: Partial<Record<StateKind, Readonly<Record<string, Tone>>>> = {
  purchaseOrder: { RECEIVED: "done" },
  return: { RECEIVED: "done" },
  transfer: { RECEIVED: "done" },
  unidentifiedReceipt: { BOUND: "done", RETURNED: "ended", DISPOSED: "ended", REPORTED: "ended" },
  count: { COUNTED: "done", APPROVED: "done", EQUAL: "done", BOOKED: "done", REJECTED: "ended" },
  exception: { OPEN: "waiting" },
  // A client fetches when it wants to; what waits for more than a day is shown in amber.
  outbound: { PENDING: "moving", DELIVERED: "done", WAITING: "ended" },
  user: { SUSPENDED: "ended" },
  mail: { KEPT: "ended" },
  proposal: { PENDING: "waiting", APPROVED: "moving", EXECUTED: "done", REJECTED: "ended" },
  certificate: { PASSED: "done", OPEN: "waiting", NOT_NEEDED: "ended" },
  labelPurchase: { BOUGHT: "done", REFUSED: "ended", VOIDING: "moving", VOID_FAILED: "failed" },
  labelManifest: { MADE: "done", EMPTY: "ended" },
};

function all(tone: Tone, states: string): Record<string, Tone> {
  return Object.fromEntries(states.split(" ").map((state) => [state, tone]));
}

/** The tone of a state; unknown states are grey. */
export function toneOf(kind: StateKind, state: string): Tone {
  return exceptions[kind]?.[state] ?? tones[state] ?? "ended";
}

/** States whose code is not what people say. */
const words: Readonly<Record<string, string>> = { KEPT: "Not sent", WAITING_COMPONENTS: "Waiting for components" };

/** `ON_HOLD` in plain words: "On hold". */
export function wordOf(state: string): string {
  const known = words[state];
  if (known !== undefined) return known;
  const text = state.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

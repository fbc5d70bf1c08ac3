// Life cycles of objects without a state table in their module: the meaning of each state, and the transitions.

import type { DeliveryStatus, SubscriptionStatus } from "#/delivery/webhooks/index.ts";
import type { FeedState } from "#/intake/feeds/states.ts";
import { eventCodes } from "#/kernel/event-codes.ts";
import type { CountStatus } from "#/modules/inventory/index.ts";
import type { ManifestState, PurchaseState } from "#/modules/labels/states.ts";
import { type ParcelStatus, parcelStatuses, parcelSteps, statusAfter } from "#/modules/parcels/index.ts";
import { purchaseOrderSteps } from "#/modules/purchasing/index.ts";
import { returnSteps } from "#/modules/returns/index.ts";
import type { TransferState } from "#/modules/transfers/states.ts";
import { type UnidentifiedState, unidentifiedStates } from "#/modules/warehouse/unidentified/states.ts";
import { stateAfter, type WorkOrderAction, type WorkOrderState } from "#/modules/workorders/index.ts";

/** One state of an object. */
interface StateOf<State extends string> {
  readonly state: State;
  readonly meaning: string;
  /** The cause of a transition into the state; undefined where objects begin in it. */
  readonly by: string | undefined;
  /** States that the object may have next. */
  readonly next: readonly State[];
}

export interface Lifecycle {
  readonly title: string;
  readonly about: string;
  readonly states: readonly StateOf<string>[];
}

function statesOf<State extends string>(
  meanings: Readonly<Record<State, string>>,
  causes: Readonly<Partial<Record<State, string>>>,
  nextOf: (state: State) => readonly State[],
): readonly StateOf<State>[] {
  return (Object.keys(meanings) as State[]).map((state) => ({
    state,
    meaning: meanings[state],
    by: causes[state],
    next: nextOf(state),
  }));
}

const parcelMeanings: Readonly<Record<ParcelStatus, string>> = {
  PACKED: "Packed, labelled, still in the warehouse.",
  LOADED: "On a load; carriers' codes wait until it is despatched.",
  DESPATCHED: "Left the warehouse; no carrier has reported yet.",
  IN_TRANSIT: "With the carrier.",
  OUT_FOR_DELIVERY: "On the delivery vehicle.",
  AVAILABLE_FOR_COLLECTION: "Waits for the recipient at a collection point.",
  DELIVERED: "Handed over.",
  EXCEPTION: "Interrupted on its way; the next moving code ends the state.",
  LOST: "The carrier has reported it lost; a moving code ends the state.",
  RETURNING: "On its way back to the sender.",
  RETURNED_TO_SENDER: "Back at the sender.",
  VOIDED: "Unpacked before it left: its contents are picked again.",
};

const parcelCauses: Readonly<Partial<Record<ParcelStatus, string>>> = {
  PACKED: "removal from the load",
  LOADED: "load",
  DESPATCHED: "despatch",
  IN_TRANSIT: "code of a moving parcel",
  OUT_FOR_DELIVERY: "code of the delivery vehicle",
  AVAILABLE_FOR_COLLECTION: "code of a collection point",
  DELIVERED: "code of a delivery",
  EXCEPTION: "code of an exception",
  LOST: "code of a loss",
  RETURNING: "code of a return",
  RETURNED_TO_SENDER: "code of a returned parcel",
  VOIDED: "void",
};

/** Transitions caused by carrier codes, computed with the deciding function, for a parcel that is on time. */
function stepsByCodes(status: ParcelStatus): ParcelStatus[] {
  const parcel = {
    status,
    statusAt: undefined,
    isDelivered: status === "DELIVERED",
    isReturning: status === "RETURNING",
  };
  const at = "2026-01-01T00:00:00Z";
  const led = Object.keys(eventCodes).map((code) => statusAfter(parcel, { code: Number(code), at }).status);
  return parcelStatuses.filter((next) => next !== status && led.includes(next));
}

const workOrderActions: readonly WorkOrderAction[] = [
  { type: "allocation", isComplete: true },
  { type: "allocation", isComplete: false },
  { type: "update" },
  { type: "cancel" },
  { type: "report", isFinished: false, isClosed: false },
  { type: "report", isFinished: true, isClosed: false },
  { type: "report", isFinished: false, isClosed: true },
];

const workOrderMeanings: Readonly<Record<WorkOrderState, string>> = {
  CREATED: "Accepted; its components are not allocated yet.",
  WAITING_COMPONENTS: "A component is missing.",
  RELEASED: "All components are allocated: the warehouse may begin.",
  IN_PROGRESS: "The warehouse has reported progress.",
  COMPLETED: "The ordered quantity is completed.",
  CLOSED_SHORT: "Closed by the warehouse with less than was ordered.",
  CANCELLED: "Cancelled before the first report.",
};

const workOrderCauses: Readonly<Partial<Record<WorkOrderState, string>>> = {
  WAITING_COMPONENTS: "a component is missing",
  RELEASED: "all components allocated",
  IN_PROGRESS: "report of a part",
  COMPLETED: "report of the rest",
  CLOSED_SHORT: "report that closes it",
  CANCELLED: "cancellation",
};

/** Transitions of a work order, computed with the deciding function. */
function stepsOfWorkOrder(state: WorkOrderState): WorkOrderState[] {
  const led = workOrderActions.map((action) => stateAfter(state, action));
  return (Object.keys(workOrderMeanings) as WorkOrderState[]).filter((next) => next !== state && led.includes(next));
}

const transferMeanings: Readonly<Record<TransferState, string>> = {
  RELEASED: "Its goods are allocated, and the sending warehouse has the task.",
  SHIPPED: "The goods have left the sending facility: they are in transit.",
  RECEIVING: "Goods have arrived, and more are in transit.",
  RECEIVED: "All goods have arrived.",
  CLOSED: "Nothing more is expected: what has not arrived is lost. A later receipt reopens it for 30 days.",
  CANCELLED: "Cancelled before it shipped; its goods are free.",
};

/** From its shipment on, a transfer changes as the purchase order of the receiving facility, which no feed cancels. */
function stepsOfTransfer(state: TransferState): readonly TransferState[] {
  if (state === "RELEASED") return ["SHIPPED", "CANCELLED"];
  if (state === "CANCELLED") return [];
  return purchaseOrderSteps[state === "SHIPPED" ? "OPEN" : state].filter(
    (next) => next !== "OPEN" && next !== "CANCELLED",
  );
}

const unidentifiedMeanings: Readonly<Record<UnidentifiedState, string>> = {
  WAITING: "They are outside the stock, until they are bound to a purchase order.",
  BOUND: "Bound to a purchase order: its receipt is booked.",
  RETURNED: "Sent back to the sender.",
  DISPOSED: "Disposed of.",
  REPORTED: "The warehouse has reported them otherwise: as a receipt, a return or an adjustment.",
};

const documentSteps: Readonly<Record<FeedState, readonly FeedState[]>> = {
  REJECTED: ["PARKED", "ACCEPTED"],
  PARKED: ["ACCEPTED", "REJECTED"],
  ACCEPTED: ["PROCESSED", "FAILED"],
  PROCESSED: [],
  FAILED: ["ACCEPTED"],
};

const subscriptionSteps: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  ACTIVE: ["FAILING", "PAUSED", "DISABLED"],
  FAILING: ["ACTIVE", "PAUSED", "DISABLED"],
  PAUSED: ["ACTIVE"],
  DISABLED: ["ACTIVE", "PAUSED"],
};

const deliverySteps: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  PENDING: ["DELIVERED", "RETRYING", "FAILED", "HELD"],
  RETRYING: ["DELIVERED", "FAILED", "HELD"],
  HELD: ["PENDING", "FAILED"],
  DELIVERED: ["PENDING"],
  FAILED: ["PENDING"],
  SKIPPED: ["PENDING"],
};

const countSteps: Readonly<Record<CountStatus, readonly CountStatus[]>> = {
  REQUESTED: ["COUNTED", "WAITING", "CANCELLED"],
  WAITING: ["APPROVED", "REJECTED", "SUPERSEDED"],
  COUNTED: [],
  APPROVED: [],
  REJECTED: [],
  SUPERSEDED: [],
  CANCELLED: [],
};

const purchaseSteps: Readonly<Record<PurchaseState, readonly PurchaseState[]>> = {
  PENDING: ["BOUGHT", "REFUSED", "FAILED", "VOIDING", "VOIDED"],
  BOUGHT: ["VOIDING"],
  FAILED: ["PENDING", "REFUSED", "VOIDING", "VOIDED"],
  REFUSED: [],
  VOIDING: ["VOIDED", "VOID_FAILED"],
  VOIDED: [],
  VOID_FAILED: ["VOIDING"],
};

/** Orders are missing here: a separate table derives their state from quantities. */
export const lifecycles: readonly Lifecycle[] = [
  {
    title: "Purchase order",
    about: "A PO changes by receipts of the warehouse; an UPDATE with a higher quantity reopens a complete one.",
    states: statesOf(
      {
        OPEN: "Announced; no goods have arrived.",
        RECEIVING: "Goods have arrived, and more are expected.",
        RECEIVED: "Every line is complete.",
        CLOSED:
          "Nothing more is expected: closed by the warehouse, an operator, the client, a tolerance or its date. A later receipt reopens it for 30 days.",
        CANCELLED: "Cancelled before goods arrived.",
      },
      {
        RECEIVING: "receipt of a part, or UPDATE",
        RECEIVED: "receipt of the rest, or UPDATE",
        CLOSED: "closure",
        CANCELLED: "cancellation",
      },
      (state) => purchaseOrderSteps[state],
    ),
  },
  {
    title: "Return (RMA)",
    about: "A return changes by the reports of the warehouse that receives and grades the goods.",
    states: statesOf(
      {
        AUTHORISED: "Announced; no goods have arrived.",
        RECEIVING: "Goods have arrived, and more are expected.",
        RECEIVED: "All announced goods have arrived.",
        CLOSED: "Closed by the warehouse.",
        CANCELLED: "Cancelled by the client before goods arrived.",
        EXPIRED: "No goods arrived in time; a receipt reopens it.",
      },
      {
        RECEIVING: "receipt of a part",
        RECEIVED: "receipt of the rest",
        CLOSED: "closure by the warehouse",
        CANCELLED: "cancellation",
        EXPIRED: "no goods in time",
      },
      (state) => returnSteps[state],
    ),
  },
  {
    title: "Work order",
    about: "Components are allocated like orders; then reports of the warehouse change its state.",
    states: statesOf(workOrderMeanings, workOrderCauses, stepsOfWorkOrder),
  },
  {
    title: "Transfer",
    about: "The report of the sending warehouse ships it; the receipts of the other warehouse end it.",
    states: statesOf(
      transferMeanings,
      {
        SHIPPED: "report of the sending warehouse",
        RECEIVING: "receipt of a part",
        RECEIVED: "receipt of the rest",
        CLOSED: "closure",
        CANCELLED: "cancellation",
      },
      stepsOfTransfer,
    ),
  },
  {
    title: "Goods without a purchase order",
    about: "A warehouse received them, and knows no purchase order for them.",
    states: statesOf(
      unidentifiedMeanings,
      {
        BOUND: "binding to a purchase order",
        RETURNED: "return to the sender",
        DISPOSED: "disposal",
        REPORTED: "report of another kind",
      },
      (state) => (state === "WAITING" ? unidentifiedStates.slice(1) : []),
    ),
  },
  {
    title: "Count",
    about: "An operator or a short pick requests it; the report of the warehouse answers it.",
    states: statesOf<CountStatus>(
      {
        REQUESTED: "The warehouse has the task.",
        WAITING: "Counted; a difference above the tolerance waits for an operator.",
        COUNTED: "Counted; every difference was within the tolerance and is booked.",
        APPROVED: "An operator approved the differences; they are booked.",
        REJECTED: "An operator rejected the differences; they are not booked.",
        SUPERSEDED: "A later count of the lots replaced the differences that waited.",
        CANCELLED: "Ended before the warehouse reported.",
      },
      {
        WAITING: "report with a difference above the tolerance",
        COUNTED: "report within the tolerance",
        APPROVED: "approval",
        REJECTED: "rejection",
        SUPERSEDED: "later count",
        CANCELLED: "cancellation",
      },
      (state) => countSteps[state],
    ),
  },
  {
    title: "Parcel (OLPN)",
    about:
      "The warehouse packs, loads and despatches it; after that, the [codes](event-codes.md) of its carrier change its state.",
    states: statesOf(parcelMeanings, parcelCauses, (state) => [...(parcelSteps[state] ?? []), ...stepsByCodes(state)]),
  },
  {
    title: "Purchase of a label",
    about:
      "One purchase at one [label source](contract/carriers.md#label-sources). A parcel whose source refuses gets another purchase at the next source.",
    states: statesOf(
      {
        PENDING: "Ordered, or an attempt failed and the next one is due.",
        BOUGHT: "The parcel has the label.",
        FAILED: "No source remains; an operator buys again, or voids the parcel.",
        REFUSED: "The source does not sell it; the next source is asked.",
        VOIDING: "The label is not needed, or its sale is not certain: it is looked up and given back.",
        VOIDED: "Given back, or never sold.",
        VOID_FAILED: "The source keeps it; an operator voids again.",
      },
      {
        PENDING: "order by an operator",
        BOUGHT: "answer with the label",
        FAILED: "no source left",
        REFUSED: "refusal of the source",
        VOIDING: "label not needed, or its sale not certain",
        VOIDED: "label given back, or never sold",
        VOID_FAILED: "refusal to take it back",
      },
      (state) => purchaseSteps[state],
    ),
  },
  {
    title: "Manifest",
    about:
      "What a client's parcels at a facility give to a carrier of a [label source](contract/carriers.md#manifests).",
    states: statesOf<ManifestState>(
      {
        PENDING: "Due at the source, or an attempt failed and the next one is due.",
        MADE: "The carrier has it, or the platform has listed the parcels.",
        FAILED: "The source refuses it; an operator asks again.",
        EMPTY: "Nothing has left: it names only parcels that are left out.",
      },
      {
        PENDING: "order by an operator",
        MADE: "answer of the source",
        FAILED: "refusal of the source",
        EMPTY: "all its parcels left out",
      },
      (state) => (({ PENDING: ["MADE", "FAILED"], MADE: [], FAILED: ["PENDING", "EMPTY"], EMPTY: [] }) as const)[state],
    ),
  },
  {
    title: "Feed document",
    about:
      "The answer of `GET /feeds/{clientId}/status/{token}`. An operator can reprocess a rejected or failed document.",
    states: statesOf(
      {
        REJECTED: "Refused; it has no effect.",
        PARKED: "Waits for SKUs that are in no CAT yet.",
        ACCEPTED: "Committed with its effect; processing continues.",
        PROCESSED: "Processed: an order is allocated, back-ordered or held, the others are listed for the warehouse.",
        FAILED: "Committed, and processing failed; an operator retries it.",
      },
      {
        REJECTED: "unknown SKU for too long",
        PARKED: "reprocessing with unknown SKUs",
        ACCEPTED: "reprocessing, a CAT with its SKUs, or a retry",
        PROCESSED: "end of its processing",
        FAILED: "failure of its processing",
      },
      (state) => documentSteps[state],
    ),
  },
  {
    title: "Webhook subscription",
    about: "A patch with `isPaused` 1 pauses it; with `isPaused` 0 it is active again.",
    states: statesOf(
      {
        ACTIVE: "Events are pushed.",
        FAILING: "The last attempts failed: only probes are sent.",
        PAUSED: "Paused by the client: deliveries are held.",
        DISABLED: "The receiver answered 410, or all attempts of eight days failed.",
      },
      {
        ACTIVE: "successful probe, or patch",
        FAILING: "failed attempts",
        PAUSED: "patch",
        DISABLED: "410, or eight days of failures",
      },
      (state) => subscriptionSteps[state],
    ),
  },
  {
    title: "Webhook delivery",
    about: "A redelivery or a recovery makes an ended one pending again.",
    states: statesOf(
      {
        PENDING: "No attempt yet, or waiting for an earlier delivery of its object.",
        RETRYING: "An attempt failed; the next one is scheduled.",
        HELD: "The webhook is paused.",
        DELIVERED: "The receiver answered 2xx.",
        FAILED: "Given up; it can be redelivered for 30 days.",
        SKIPPED: "The event happened while the webhook was paused or disabled.",
      },
      {
        PENDING: "redelivery, recovery, or the end of a pause",
        RETRYING: "failed attempt",
        HELD: "pause",
        DELIVERED: "answer 2xx",
        FAILED: "last attempt failed",
      },
      (state) => deliverySteps[state],
    ),
  },
];

import { assert } from "#/kernel/assert.ts";

/**
 * The state of an order (lifecycle.md §1): quantities are the truth, states are derived. Quantities are integer
 * thousandths of the stock unit throughout.
 */
export interface Buckets {
  readonly ordered: number;
  readonly open: number;
  readonly backordered: number;
  readonly allocated: number;
  readonly picked: number;
  readonly packed: number;
  readonly despatched: number;
  readonly cancelled: number;
}

export const orderStates = [
  "RECEIVED",
  "ON_HOLD",
  "BACKORDERED",
  "PARTIALLY_ALLOCATED",
  "ALLOCATED",
  "PICKING",
  "PACKED",
  "PARTIALLY_DESPATCHED",
  "DESPATCHED",
  "DELIVERED",
  "RETURNED_TO_SENDER",
  "CANCELLED",
] as const;

export type OrderState = (typeof orderStates)[number];

export type HoldType =
  | "DO_NOT_SHIP"
  | "CLIENT_REQUEST"
  | "ADDRESS_INVALID"
  | "HAZMAT_REVIEW"
  | "CARRIER_UNAVAILABLE"
  | "OTHER";

/** What keeps an order from leaving. */
export interface Hold {
  readonly type: HoldType;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Who set it. */
  readonly by: string;
}

/** How the parcels of an order ended, as far as its state needs to know. */
export interface ParcelEnds {
  readonly parcels: number;
  readonly delivered: number;
  readonly returnedToSender: number;
  readonly lost: number;
}

export interface DerivedState {
  readonly state: OrderState;
  readonly reason?: "PARTIALLY_DELIVERED" | "LOST";
}

const noParcels: ParcelEnds = { parcels: 0, delivered: 0, returnedToSender: 0, lost: 0 };

export function bucketsOfNew(ordered: number): Buckets {
  return { ordered, open: ordered, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
}

/** The table of lifecycle.md §1, top to bottom; the same for an order and, with one line and no parcels, for a line. */
export function deriveState(lines: readonly Buckets[], hasHold: boolean, ends: ParcelEnds = noParcels): DerivedState {
  const sum = { ordered: 0, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
  for (const line of lines) {
    const parts =
      line.open + line.backordered + line.allocated + line.picked + line.packed + line.despatched + line.cancelled;
    assert(parts === line.ordered, `the buckets of a line sum to ${parts}, not to the ${line.ordered} ordered`);
    for (const bucket of Object.keys(sum) as (keyof Buckets)[]) sum[bucket] += line[bucket];
  }
  const remaining = sum.ordered - sum.cancelled;
  if (remaining === 0) return { state: "CANCELLED" };
  if (sum.despatched === remaining) return despatchedState(ends);
  if (sum.despatched > 0) return { state: "PARTIALLY_DESPATCHED" };
  if (sum.packed > 0 && sum.picked === 0 && sum.allocated === 0) return { state: "PACKED" };
  if (sum.picked + sum.packed > 0) return { state: "PICKING" };
  if (hasHold) return { state: "ON_HOLD" };
  if (sum.allocated === remaining) return { state: "ALLOCATED" };
  if (sum.allocated > 0) return { state: "PARTIALLY_ALLOCATED" };
  if (sum.backordered > 0) return { state: "BACKORDERED" };
  return { state: "RECEIVED" };
}

function despatchedState({ parcels, delivered, returnedToSender, lost }: ParcelEnds): DerivedState {
  if (parcels === 0 || delivered + returnedToSender + lost < parcels) return { state: "DESPATCHED" };
  if (delivered === parcels) return { state: "DELIVERED" };
  if (delivered > 0) return { state: "DELIVERED", reason: "PARTIALLY_DELIVERED" };
  if (returnedToSender === parcels) return { state: "RETURNED_TO_SENDER" };
  return lost === parcels ? { state: "DESPATCHED", reason: "LOST" } : { state: "DESPATCHED" };
}

/** The event code of each state (lifecycle.md §9), where one stands for it. */
export const stateCodes: Readonly<Partial<Record<OrderState, number>>> = {
  RECEIVED: 10,
  ON_HOLD: 30,
  BACKORDERED: 45,
  PARTIALLY_ALLOCATED: 48,
  ALLOCATED: 50,
  PICKING: 52,
  PACKED: 60,
  CANCELLED: 90,
  PARTIALLY_DESPATCHED: 95,
  DESPATCHED: 100,
  DELIVERED: 200,
  RETURNED_TO_SENDER: 300,
};

/**
 * Why nothing of the order can be changed or cancelled any more, with the lines concerned; undefined when something can. Of
 * a partly despatched order the rest can be cancelled.
 */
export function refusalOfChange(
  state: OrderState,
  action: "UPDATE" | "CANCEL",
  lines: readonly { readonly lineNumber: number; readonly buckets: Buckets }[],
): string | undefined {
  const refusal = `${action} is not allowed in state ${state}`;
  if (state === "CANCELLED") return refusal;
  const gone = lines.filter(({ buckets }) => buckets.despatched > 0);
  const isAllGone = lines.every(
    ({ buckets: { ordered, despatched, cancelled } }) => despatched + cancelled === ordered,
  );
  if (gone.length > 0 && (action === "UPDATE" || isAllGone)) {
    return `${refusal}: goods of ${lineNames(gone)} have left the warehouse; send an RMA for what comes back`;
  }
  return undefined;
}

/** A sentence names this many lines. */
const linesNamedMax = 20;

function lineNames(lines: readonly { readonly lineNumber: number }[]): string {
  const numbers = lines.map(({ lineNumber }) => lineNumber).sort((left, right) => left - right);
  const more = numbers.length > linesNamedMax ? ` and ${numbers.length - linesNamedMax} more` : "";
  return `line${numbers.length === 1 ? "" : "s"} ${numbers.slice(0, linesNamedMax).join(", ")}${more}`;
}

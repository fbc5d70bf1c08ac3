import { assert } from "#/kernel/assert.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { OrderState } from "#/modules/orders/states.ts";

/**
 * The state of an order (lifecycle.md §1): it is derived from the quantities. Quantities are integer thousandths of the
 * stock unit throughout.
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

/** Every type of hold with its description for docs/states.md. */
export const holdMeanings = {
  DO_NOT_SHIP: "The order has `doNotShip` true; an UPDATE without it releases the hold.",
  CLIENT_REQUEST: "Set and released by the client over REST.",
  ADDRESS_INVALID: "The address cannot be delivered to.",
  HAZMAT_REVIEW: "Dangerous goods that need a review; set by an operator or by a hold rule of the client.",
  CLIENT_RULE: "A hold rule of the client matches the order (client setting `holdRules`).",
  CARRIER_UNAVAILABLE: "No carrier service fits the packed parcel.",
  SHIP_AFTER: "The order must not leave before its `shipAfter`; the hold ends two hours earlier.",
  PRE_ORDER: "An item of the order may not leave before its `AvailableFrom`; the hold ends when that day begins.",
  ADDRESS_CHECK: "The address is being verified; the hold ends with the answer, or within 15 seconds without one.",
  OTHER: "Set by an operator, with a reason in words.",
} as const;

export type HoldType = keyof typeof holdMeanings;

export const holdTypes = Object.keys(holdMeanings) as HoldType[];

/** A hold keeps an order from leaving. */
export interface Hold {
  readonly type: HoldType;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** The actor that set it. */
  readonly by: string;
}

/**
 * Why an order is at its facility: it names the facility, or that is the first that fills all of its lines, the best of
 * several by the client's rule, or the client's first; or its lines are split across facilities, or the order moved there
 * because another one lacked stock.
 */
export const routingReasons = ["NAMED", "FILLS", "RULE", "SPLIT", "FIRST", "REROUTED"] as const;
export type RoutingReason = (typeof routingReasons)[number];

/** An order is at risk from this time before it is due, when `order:atRisk` is published (webhooks.md §3). */
export const atRiskBeforeMs = hourMs;

/** An order is released for its warehouse by this time before its `shipAfter`. */
export const releaseBeforeMs = 2 * hourMs;

/** When an order with this `shipAfter` is released, ISO 8601 UTC. */
export const releaseAtOf = (shipAfter: string): string =>
  new Date(Date.parse(shipAfter) - releaseBeforeMs).toISOString();

/** The hold of an order that is not to be released yet. @param by the actor that sent the order */
export function holdUntilRelease(shipAfter: string | undefined, at: string, by = "feed"): Hold | undefined {
  if (shipAfter === undefined || releaseAtOf(shipAfter) <= at) return undefined;
  return { type: "SHIP_AFTER", reason: `not before ${shipAfter}`, since: at, by };
}

/** Holds that end at a moment, which needs no operator. */
export const datedHolds: ReadonlySet<HoldType> = new Set(["SHIP_AFTER", "PRE_ORDER"]);

/** A hold as clients see it in events and in the OS. */
export const holdRecord = ({ type, reason, since }: Hold) => ({ type, reason, since });

/** The longest text of an OS (schemas/xsd/OS.xsd), in characters. */
const reasonLengthMax = 4000;

/** The statusReason of an order with these open holds: the first of them. Undefined without holds. */
export function reasonOfHolds([hold]: readonly Hold[]): string | undefined {
  if (hold === undefined) return undefined;
  const { type, reason } = hold;
  return (reason === "" ? type : `${type}: ${reason}`).slice(0, reasonLengthMax).toWellFormed();
}

/** The ends of an order's parcels, as far as the state of the order depends on them. */
export interface ParcelEnds {
  readonly parcels: number;
  readonly delivered: number;
  readonly returnedToSender: number;
  readonly lost: number;
}

interface DerivedState {
  readonly state: OrderState;
  readonly reason?: "PARTIALLY_DELIVERED" | "LOST";
}

const noParcels: ParcelEnds = { parcels: 0, delivered: 0, returnedToSender: 0, lost: 0 };

export function bucketsOfNew(ordered: number): Buckets {
  return { ordered, open: ordered, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
}

/** The input of the state rules: the sums of the lines, the holds, and the ends of the parcels. */
interface OrderFacts {
  readonly sum: Buckets;
  /** Ordered less cancelled quantity. */
  readonly remaining: number;
  readonly hasHold: boolean;
  readonly ends: ParcelEnds;
}

interface OrderStateRule {
  readonly state: OrderState;
  /** The condition as text for docs/states.md. */
  readonly when: string;
  holds(facts: OrderFacts): boolean;
}

const isGone = ({ sum, remaining }: OrderFacts) => sum.despatched === remaining;
const haveEnded = ({ parcels, delivered, returnedToSender, lost }: ParcelEnds) =>
  parcels > 0 && delivered + returnedToSender + lost >= parcels;

/** The table of lifecycle.md §1: the first row that holds is the state. The last row always holds. */
export const orderStateRules: readonly OrderStateRule[] = [
  {
    state: "CANCELLED",
    when: "nothing remains: the ordered quantity is cancelled",
    holds: ({ remaining }) => remaining === 0,
  },
  {
    state: "DELIVERED",
    when: "all that remains is despatched, every parcel has ended, and at least one is delivered (reason `PARTIALLY_DELIVERED` if not all are)",
    holds: (facts) => isGone(facts) && haveEnded(facts.ends) && facts.ends.delivered > 0,
  },
  {
    state: "RETURNED_TO_SENDER",
    when: "all that remains is despatched, and every parcel came back to the sender",
    holds: (facts) => isGone(facts) && haveEnded(facts.ends) && facts.ends.returnedToSender === facts.ends.parcels,
  },
  {
    state: "DESPATCHED",
    when: "all that remains is despatched (reason `LOST` if every parcel is lost)",
    holds: isGone,
  },
  {
    state: "PARTIALLY_DESPATCHED",
    when: "something is despatched",
    holds: ({ sum }) => sum.despatched > 0,
  },
  {
    state: "PACKED",
    when: "something is packed, and nothing is picked or allocated",
    holds: ({ sum }) => sum.packed > 0 && sum.picked === 0 && sum.allocated === 0,
  },
  { state: "PICKING", when: "something is picked or packed", holds: ({ sum }) => sum.picked + sum.packed > 0 },
  { state: "ON_HOLD", when: "there is a hold", holds: ({ hasHold }) => hasHold },
  {
    state: "ALLOCATED",
    when: "all that remains is allocated",
    holds: ({ sum, remaining }) => sum.allocated === remaining,
  },
  { state: "PARTIALLY_ALLOCATED", when: "something is allocated", holds: ({ sum }) => sum.allocated > 0 },
  { state: "BACKORDERED", when: "something is back-ordered", holds: ({ sum }) => sum.backordered > 0 },
  { state: "RECEIVED", when: "else", holds: () => true },
];

/** Derives the state from the table. It also serves for a single line, without parcels. */
export function deriveState(lines: readonly Buckets[], hasHold: boolean, ends: ParcelEnds = noParcels): DerivedState {
  const sum = { ordered: 0, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
  for (const line of lines) {
    const parts =
      line.open + line.backordered + line.allocated + line.picked + line.packed + line.despatched + line.cancelled;
    assert(parts === line.ordered, `the buckets of a line sum to ${parts}, not to the ${line.ordered} ordered`);
    for (const bucket of Object.keys(sum) as (keyof Buckets)[]) sum[bucket] += line[bucket];
  }
  const facts = { sum, remaining: sum.ordered - sum.cancelled, hasHold, ends };
  const rule = orderStateRules.find(({ holds }) => holds(facts));
  assert(rule, "the last row of the table always matches");
  return withReason(rule.state, ends);
}

function withReason(state: OrderState, { parcels, delivered, lost }: ParcelEnds): DerivedState {
  if (state === "DELIVERED" && delivered < parcels) return { state, reason: "PARTIALLY_DELIVERED" };
  if (state === "DESPATCHED" && parcels > 0 && lost === parcels) return { state, reason: "LOST" };
  return { state };
}

/** The event code of each state (lifecycle.md §9), if the state has one. */
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
 * Why no part of the order can be changed or cancelled any more, with the lines concerned; undefined if a part still
 * can. The rest of a partly despatched order can be cancelled.
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

/** The most line numbers that a message lists. */
const linesNamedMax = 20;

function lineNames(lines: readonly { readonly lineNumber: number }[]): string {
  const numbers = [...new Set(lines.map(({ lineNumber }) => lineNumberOf(lineNumber)))].sort(
    (left, right) => left - right,
  );
  const more = numbers.length > linesNamedMax ? ` and ${numbers.length - linesNamedMax} more` : "";
  return `line${numbers.length === 1 ? "" : "s"} ${numbers.slice(0, linesNamedMax).join(", ")}${more}`;
}

/**
 * An order with its lines, as commands read and write it. Values are immutable: a change of a line makes a new object,
 * and only new objects are written back.
 */
export interface Order {
  readonly orderId: string;
  readonly status: OrderState;
  readonly statusReason: string | undefined;
  readonly holds: readonly Hold[];
  /** The facility that fulfils the order; of a split order the one that fulfils the most lines. */
  readonly distributionCentre: string;
  readonly isRouted: boolean;
  /** How the facility was chosen; undefined for orders that are older than this field. */
  readonly routedBy: RoutingReason | undefined;
  /** 1 highest … 9. */
  readonly priority: number;
  readonly shipPartial: boolean;
  readonly carrierCode: string | undefined;
  readonly shippingMethod: string | undefined;
  readonly externalOrderReference: string | undefined;
  readonly revision: number | undefined;
  readonly feedToken: string;
  readonly receivedAt: string;
  /** The moment by which the order must leave its facility, ISO 8601 UTC; undefined if the order has no `shipBy` and the facility no cut-off. */
  readonly despatchBy: string | undefined;
  /** ISO 8601 UTC, like the next two. The order must not leave before it. */
  readonly shipAfter?: string | undefined;
  readonly shipBy?: string | undefined;
  readonly deliverBy?: string | undefined;
  /** When the warehouse accepted the pick, or made the first pick. */
  readonly takenAt: string | undefined;
  readonly cancelRequestedAt: string | undefined;
  readonly cancelReason: string | undefined;
  readonly backorderedSince: string | undefined;
  /** When any part of the order last changed, ISO 8601 UTC. */
  readonly updatedAt: string;
  readonly version: number;
  /** By line number. A line of a kit is the rows of its components here, which hold the stock. */
  readonly lines: readonly OrderLine[];
  /** The lines of kits, whose quantities follow from their rows. */
  readonly kits: readonly OrderKit[];
}

/** A line of a kit: what its rows do not say. */
export type OrderKit = Pick<OrderLine, "lineNumber" | "facilityCode" | "sku" | "stockPool" | "uom">;

export interface OrderLine {
  readonly lineNumber: number;
  /** The facility that fulfils the line of a split order; undefined: that of the order. */
  readonly facilityCode?: string | undefined;
  /** Of a row of a kit: its quantity in one kit. */
  readonly kitQty?: number | undefined;
  readonly sku: string;
  readonly stockPool: string;
  readonly uom: string;
  /** Integer thousandths of the stock unit, like all quantities here. */
  readonly buckets: Buckets;
  readonly delivered: number;
  readonly returned: number;
  /** The part of the allocated, picked or packed quantity that the warehouse was asked not to send. */
  readonly cancelRequested: number;
  /** Where it waits: the day on which purchase orders bring its goods. `YYYY-MM-DD` */
  readonly promisedOn?: string | undefined;
}

type Placed = Pick<Order, "distributionCentre"> & { readonly lines: readonly Pick<OrderLine, "facilityCode">[] };

/** The facilities that fulfil the order: its own first, then those of a split. */
export function facilitiesOf({ distributionCentre, lines }: Placed): readonly string[] {
  const others = lines.flatMap(({ facilityCode }) => facilityCode ?? []);
  return others.length === 0 ? [distributionCentre] : [distributionCentre, ...new Set(others.sort())];
}

export const isSplit = (order: Placed): boolean => facilitiesOf(order).length > 1;

/** The facility that fulfils a line of the order. */
export const facilityOfLine = (
  { distributionCentre }: Pick<Order, "distributionCentre">,
  { facilityCode = distributionCentre }: Pick<OrderLine, "facilityCode">,
): string => facilityCode;

/** The sums of the buckets of all lines. */
export function totalsOf(lines: readonly { readonly buckets: Buckets }[]): Buckets {
  const sum = { ordered: 0, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
  for (const { buckets } of lines) {
    for (const bucket of Object.keys(sum) as (keyof Buckets)[]) sum[bucket] += buckets[bucket];
  }
  return sum;
}

/** Derives the state of an order from its lines, holds and parcels. */
export function stateOf(order: Order, ends?: ParcelEnds): DerivedState {
  return deriveState(
    order.lines.map(({ buckets }) => buckets),
    order.holds.length > 0,
    ends,
  );
}

/** The state of a line by the table of its order; its delivered quantity stands for its parcels. */
export function lineStateOf(
  line: Pick<OrderLine, "buckets" | "delivered">,
  order: { readonly status: OrderState; readonly holds?: readonly Hold[] },
): OrderState {
  const { buckets, delivered } = line;
  const isOut = buckets.despatched > 0 && buckets.despatched === buckets.ordered - buckets.cancelled;
  if (isOut && order.status === "RETURNED_TO_SENDER") return "RETURNED_TO_SENDER";
  if (isOut && delivered === buckets.despatched) return "DELIVERED";
  return deriveState([buckets], (order.holds?.length ?? 0) > 0).state;
}

/** The order with some lines changed. @param change returns the changed line, or the same object if it is unchanged. */
export function withLines(order: Order, change: (line: OrderLine) => OrderLine): Order {
  return { ...order, lines: order.lines.map(change) };
}

/** A line with quantity moved from one bucket to another. */
export function moved(line: OrderLine, from: keyof Buckets, to: keyof Buckets, qty: number): OrderLine {
  if (qty === 0) return line;
  const buckets = { ...line.buckets, [from]: line.buckets[from] - qty, [to]: line.buckets[to] + qty };
  assert(qty > 0 && buckets[from] >= 0, `line ${line.lineNumber}: ${qty} cannot move from ${from} to ${to}`);
  return { ...line, buckets };
}

/** The buckets of a line in REST answers and events: JSON numbers with at most three decimals. */
export function bucketRecord(buckets: Buckets) {
  return {
    qtyOrdered: quantityToNumber(buckets.ordered),
    qtyOpen: quantityToNumber(buckets.open),
    qtyBackordered: quantityToNumber(buckets.backordered),
    qtyAllocated: quantityToNumber(buckets.allocated),
    qtyPicked: quantityToNumber(buckets.picked),
    qtyPacked: quantityToNumber(buckets.packed),
    qtyDespatched: quantityToNumber(buckets.despatched),
    qtyCancelled: quantityToNumber(buckets.cancelled),
  };
}

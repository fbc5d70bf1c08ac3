import { assert } from "#/kernel/assert.ts";
import { parseQuantity } from "#/kernel/quantity.ts";
import {
  type Buckets,
  type DerivedState,
  deriveState,
  type Hold,
  type OrderState,
  type ParcelEnds,
} from "#/modules/orders/order.ts";

/**
 * An order with its lines, as what is done to it reads and writes it. Values: whoever changes a line makes a new one,
 * and only lines that are new are written back.
 */
export interface Order {
  readonly orderId: string;
  readonly status: OrderState;
  readonly statusReason: string | undefined;
  readonly holds: readonly Hold[];
  /** The facility that fulfils it. */
  readonly distributionCentre: string;
  readonly isRouted: boolean;
  /** How the facility was found; undefined for orders from before it was kept. */
  readonly routedBy: "NAMED" | "FILLS" | "FIRST" | undefined;
  /** 1 highest … 9. */
  readonly priority: number;
  readonly shipPartial: boolean;
  readonly carrierCode: string | undefined;
  readonly shippingMethod: string | undefined;
  readonly externalOrderReference: string | undefined;
  readonly shipToAddress: object;
  readonly revision: number | undefined;
  readonly feedToken: string;
  readonly receivedAt: string;
  /** By when it is to leave its facility, ISO 8601 UTC; undefined where the facility has no cut-off. */
  readonly despatchBy: string | undefined;
  /** The warehouse has accepted the pick, or picked first. */
  readonly takenAt: string | undefined;
  readonly cancelRequestedAt: string | undefined;
  readonly cancelReason: string | undefined;
  readonly backorderedSince: string | undefined;
  /** When anything of it last changed, ISO 8601 UTC. */
  readonly updatedAt: string;
  readonly version: number;
  /** By line number. */
  readonly lines: readonly OrderLine[];
}

export interface OrderLine {
  readonly lineNumber: number;
  readonly sku: string;
  readonly stockPool: string;
  readonly uom: string;
  /** Integer thousandths of the stock unit, like all quantities here. */
  readonly buckets: Buckets;
  readonly delivered: number;
  readonly returned: number;
  /** Of what is allocated, picked or packed: what the warehouse was asked not to send. */
  readonly cancelRequested: number;
}

/** The buckets of all lines together. */
export function totalsOf(lines: readonly { readonly buckets: Buckets }[]): Buckets {
  const sum = { ordered: 0, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
  for (const { buckets } of lines) {
    for (const bucket of Object.keys(sum) as (keyof Buckets)[]) sum[bucket] += buckets[bucket];
  }
  return sum;
}

/** The state that an order is to be in, from its lines, holds and parcels. */
export function stateOf(order: Order, ends?: ParcelEnds): DerivedState {
  return deriveState(
    order.lines.map(({ buckets }) => buckets),
    order.holds.length > 0,
    ends,
  );
}

/** The state of a line by the table of its order; what came of its parcels is told by its own delivered quantity. */
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

/** The order with some lines changed. @param change answers the line as it is to be, or the very same line. */
export function withLines(order: Order, change: (line: OrderLine) => OrderLine): Order {
  return { ...order, lines: order.lines.map(change) };
}

/** A line with quantity moved between buckets: every move is named by where it goes from and to. */
export function moved(line: OrderLine, from: keyof Buckets, to: keyof Buckets, qty: number): OrderLine {
  if (qty === 0) return line;
  const buckets = { ...line.buckets, [from]: line.buckets[from] - qty, [to]: line.buckets[to] + qty };
  assert(qty > 0 && buckets[from] >= 0, `line ${line.lineNumber}: ${qty} cannot move from ${from} to ${to}`);
  return { ...line, buckets };
}

/** A numeric of the store, in integer thousandths. */
export function thousandthsOf(text: string): number {
  const quantity = parseQuantity(text);
  assert(quantity !== undefined, `the store has a quantity of '${text}'`);
  return quantity;
}

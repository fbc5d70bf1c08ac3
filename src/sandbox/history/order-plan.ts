import { dayMs } from "#/kernel/values/durations.ts";
import { type HistoryAddress, historyAddress } from "#/sandbox/history/addresses.ts";
import { type HistoryItem, historyItem, outOfStockNear, pick } from "#/sandbox/history/items.ts";
import { draw } from "#/sandbox/simulator/draw.ts";

/** The default limit of every client for orders that wait for stock; older ones are cancelled at once. */
const openDays = 21;

/** The end of an order. SHIPPED orders are delivered or still in transit. */
export type Fate = "SHIPPED" | "CANCELLED" | "RETURNED_TO_SENDER" | "ON_HOLD" | "BACKORDERED";

export interface PlannedLine {
  readonly lineNumber: number;
  readonly item: HistoryItem;
  readonly pieces: number;
}

export interface PlannedOrder {
  readonly orderId: string;
  readonly receivedMs: number;
  readonly fate: Fate;
  readonly facilityCode: string;
  readonly address: HistoryAddress;
  readonly language: string;
  readonly currency: "GBP" | "EUR";
  readonly shippingMethod: string | undefined;
  readonly lines: readonly PlannedLine[];
  /** Returns a random number from 0 up to 1 for each named property of the order. */
  readonly part: (what: string) => number;
}

/** The contents of a history. */
export interface HistoryKind {
  /** Seed of the draws. Two kinds with the same name have the same draws. */
  readonly name: string;
  /** @param number from 1 */
  orderIdOf(number: number): string;
  itemOf(number: number): HistoryItem;
  /** Orders that wait for stock wait for such an item. */
  outOfStockNear(number: number): number;
  /** @param isRecent the order may still be open; no client lets an older one wait. */
  fateOf(number: number, size: number, isRecent: boolean): Fate;
}

/** The kind of `seed --size`, whose catalogue size depends on that size. */
export const yearOfOrders: HistoryKind = {
  name: "seed-history",
  orderIdOf,
  itemOf: historyItem,
  outOfStockNear,
  fateOf,
};

export interface PlanFrame {
  readonly kind: HistoryKind;
  /** Total number of orders. */
  readonly size: number;
  readonly items: number;
  /** Facilities of the client, in routing order. */
  readonly facilityCodes: readonly string[];
  readonly nowMs: number;
  /** Time of the order at a fraction of all orders. */
  readonly momentOf: (part: number) => number;
}

function orderIdOf(number: number): string {
  return `H-${String(number).padStart(7, "0")}`;
}

const methods = ["STANDARD", "STANDARD", "STANDARD", "ECO", "EXPRESS", undefined, undefined];

/** @param number from 1 to the size; for a size, the orders are always the same, except for their times. */
export function planOrder(number: number, frame: PlanFrame): PlannedOrder {
  const { kind, size, facilityCodes, nowMs, momentOf } = frame;
  const part = (what: string) => draw(kind.name, "order", number, what);
  const receivedMs = momentOf((number - 0.5) / size);
  const fate = kind.fateOf(number, size, nowMs - receivedMs < openDays * dayMs);
  const { address, language } = historyAddress(part);
  const isIsland = address.country === "GB" || address.country === "IE";
  return {
    orderId: kind.orderIdOf(number),
    receivedMs,
    fate,
    address,
    language,
    part,
    facilityCode: (isIsland ? facilityCodes[0] : facilityCodes.at(-1)) as string,
    currency: address.country === "GB" ? "GBP" : "EUR",
    shippingMethod: pick(methods, part("method")),
    lines: linesOf(fate, frame, part),
  };
}

function fateOf(number: number, size: number, isRecent: boolean): Fate {
  const fromEnd = (size - number) % 10;
  if (isRecent && fromEnd === 1) return "ON_HOLD";
  if (isRecent && fromEnd === 4) return "BACKORDERED";
  if (number % 33 === 7) return "CANCELLED";
  return number % 97 === 40 ? "RETURNED_TO_SENDER" : "SHIPPED";
}

function linesOf(fate: Fate, { kind, items }: PlanFrame, part: PlannedOrder["part"]): PlannedLine[] {
  // A few items are in most orders. A backorder waits for one item, which is out of stock.
  const count = fate === "BACKORDERED" ? 1 : 1 + Math.floor(part("lines") ** 2 * 4);
  const numbers = new Set<number>();
  for (let n = 1; n <= count; n++) {
    const drawn = 1 + Math.floor(part(`item ${n}`) ** 2 * items);
    if (fate === "BACKORDERED") numbers.add(kind.outOfStockNear(drawn));
    else numbers.add(kind.itemOf(drawn).isOutOfStock ? drawn - 1 : drawn);
  }
  return [...numbers].map((number, i) => ({
    lineNumber: i + 1,
    item: kind.itemOf(number),
    pieces: 1 + Math.floor(part(`pieces ${i}`) ** 3 * 3),
  }));
}

/** Prices for the customer, in pence or cents. */
export function pricesOf({ lines, shippingMethod }: Pick<PlannedOrder, "lines" | "shippingMethod">) {
  const subtotal = lines.reduce((sum, { item, pieces }) => sum + item.price * pieces, 0);
  const shipping = shippingMethod === "EXPRESS" ? 990 : subtotal >= 5_000 ? 0 : 395;
  return { subtotal, shipping, total: subtotal + shipping };
}

/** Pence or cents as decimal text. */
export const amountText = (pence: number) => (pence / 100).toFixed(2);

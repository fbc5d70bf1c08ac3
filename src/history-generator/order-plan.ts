import { type HistoryAddress, historyAddress } from "#/history-generator/addresses.ts";
import { type HistoryItem, historyItem, isOutOfStock, outOfStockNear, pick } from "#/history-generator/items.ts";
import { draw } from "#/warehouse-sim/draw.ts";

const day = 86_400_000;
/** No client lets an order wait for stock for longer, unless it says so: older ones would be cancelled at once. */
const openDays = 21;

/** What becomes of an order. SHIPPED ones are delivered, or still on their way. */
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
  /** A number from 0 up to 1 for each thing of the order that is left to chance. */
  readonly part: (what: string) => number;
}

/** What the orders of a history are about. */
export interface HistoryKind {
  /** Two kinds of one name are drawn alike. */
  readonly name: string;
  /** @param number from 1 */
  orderIdOf(number: number): string;
  itemOf(number: number): HistoryItem;
  /** Orders that wait for stock wait for one of these. */
  isOutOfStock(number: number): boolean;
  outOfStockNear(number: number): number;
  /** @param isRecent it may still be open: no client lets it wait for longer. */
  fateOf(number: number, size: number, isRecent: boolean): Fate;
}

/** That of `seed --size`: a catalogue as large as it is asked for. */
export const yearOfOrders: HistoryKind = {
  ...{ name: "seed-history", orderIdOf, itemOf: historyItem, isOutOfStock, outOfStockNear, fateOf },
};

export interface PlanFrame {
  readonly kind: HistoryKind;
  /** Orders of the whole history. */
  readonly size: number;
  readonly items: number;
  /** Of the client, in routing order. */
  readonly facilityCodes: readonly string[];
  readonly nowMs: number;
  /** When the order at a part of all of them came. */
  readonly momentOf: (part: number) => number;
}

function orderIdOf(number: number): string {
  return `H-${String(number).padStart(7, "0")}`;
}

const methods = ["STANDARD", "STANDARD", "STANDARD", "ECO", "EXPRESS", undefined, undefined];

/** @param number from 1 to the size; the orders of a size are always the same, but for their moments. */
export function planOrder(number: number, frame: PlanFrame): PlannedOrder {
  const { kind, size, facilityCodes, nowMs, momentOf } = frame;
  const part = (what: string) => draw(kind.name, "order", number, what);
  const receivedMs = momentOf((number - 0.5) / size);
  const fate = kind.fateOf(number, size, nowMs - receivedMs < openDays * day);
  const { address, language } = historyAddress(part);
  const isIsland = address.country === "GB" || address.country === "IE";
  return {
    ...{ orderId: kind.orderIdOf(number), receivedMs, fate, address, language, part },
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
  // A few items are in most orders. What waits for stock waits for one item, of which there is none.
  const count = fate === "BACKORDERED" ? 1 : 1 + Math.floor(part("lines") ** 2 * 4);
  const numbers = new Set<number>();
  for (let n = 1; n <= count; n++) {
    const drawn = 1 + Math.floor(part(`item ${n}`) ** 2 * items);
    if (fate === "BACKORDERED") numbers.add(kind.outOfStockNear(drawn));
    else numbers.add(kind.isOutOfStock(drawn) ? drawn - 1 : drawn);
  }
  return [...numbers].map((number, i) => ({
    ...{ lineNumber: i + 1, item: kind.itemOf(number) },
    pieces: 1 + Math.floor(part(`pieces ${i}`) ** 3 * 3),
  }));
}

/** What the customer pays, in pence or cents. */
export function pricesOf({ lines, shippingMethod }: Pick<PlannedOrder, "lines" | "shippingMethod">) {
  const subtotal = lines.reduce((sum, { item, pieces }) => sum + item.price * pieces, 0);
  const shipping = shippingMethod === "EXPRESS" ? 990 : subtotal >= 5_000 ? 0 : 395;
  return { subtotal, shipping, total: subtotal + shipping };
}

/** Pence or cents as decimal text. */
export const amountText = (pence: number) => (pence / 100).toFixed(2);

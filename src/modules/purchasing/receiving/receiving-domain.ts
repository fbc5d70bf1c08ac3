import { assert } from "#/kernel/assert.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import type { Condition, Lot } from "#/modules/inventory/index.ts";
import type { StoredLine } from "#/modules/purchasing/domain.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/states.ts";

// The rules of receiving (lifecycle.md §2): the steps of a purchase order's state, the part of a receipt that is booked
// as reported, and the excess. Quantities are integer thousandths of the stock unit.

/** Days after the close in which a receipt reopens a purchase order. */
export const reopenDays = 30;
/** Days without a change after which a purchase order is closed if it is complete, or short within the tolerance. */
export const closeDays = 7;

/**
 * The state table: single steps. RECEIVED goes back if an UPDATE orders more, or if a correction reduces the received
 * quantity.
 */
export const purchaseOrderSteps: Readonly<Record<PurchaseOrderState, readonly PurchaseOrderState[]>> = {
  OPEN: ["RECEIVING", "CLOSED", "CANCELLED"],
  RECEIVING: ["RECEIVED", "CLOSED"],
  RECEIVED: ["RECEIVING", "CLOSED"],
  CLOSED: ["RECEIVING"],
  CANCELLED: [],
};

export interface ReceivingFacts {
  /**
   * Goods came: an open order begins, a closed one reopens. A correction brings no goods, it only restates a receipt.
   */
  readonly hasGoods: boolean;
  readonly isComplete: boolean;
  readonly isClosing: boolean;
}

/** The state steps of a purchase order in order; empty if the state stays. */
export function stepsOfReceiving(state: PurchaseOrderState, facts: ReceivingFacts): PurchaseOrderState[] {
  const steps: PurchaseOrderState[] = [];
  let now = state;
  const go = (next: PurchaseOrderState) => {
    assert(purchaseOrderSteps[now].includes(next), `a purchase order went from ${now} to ${next}`);
    steps.push(next);
    now = next;
  };
  if (facts.hasGoods && (now === "OPEN" || now === "CLOSED")) go("RECEIVING");
  if (facts.isComplete && now === "RECEIVING") go("RECEIVED");
  else if (!facts.isComplete && now === "RECEIVED") go("RECEIVING");
  if (facts.isClosing && now !== "CLOSED" && now !== "CANCELLED") go("CLOSED");
  return steps;
}

/** The state of a purchase order and its moments. */
export interface Progress {
  readonly status: PurchaseOrderState;
  /** The moment since which every line is complete, ISO 8601 UTC. */
  readonly completedAt: string | undefined;
  readonly closedAt: string | undefined;
}

export function afterSteps<Header extends Progress>(
  header: Header,
  steps: readonly PurchaseOrderState[],
  at: string,
): Header {
  let { status, completedAt, closedAt } = header;
  for (const step of steps) {
    if (step === "RECEIVED") completedAt = at;
    if (step === "RECEIVING") completedAt = undefined;
    closedAt = step === "CLOSED" ? at : undefined;
    status = step;
  }
  return { ...header, status, completedAt, closedAt };
}

export interface ReceiptCircumstances {
  readonly state: PurchaseOrderState;
  readonly closedAt: string | undefined;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly hasLines: boolean;
  readonly isCorrection: boolean;
  readonly isClosing: boolean;
}

/** Why the state of the purchase order forbids a receipt; undefined if it does not. */
export function refusalOfReceipt(circumstances: ReceiptCircumstances): string | undefined {
  const { state, closedAt, at, hasLines, isCorrection, isClosing } = circumstances;
  if (state === "CLOSED" && closedAt !== undefined && Date.parse(at) - Date.parse(closedAt) > reopenDays * dayMs) {
    return `it was CLOSED at ${closedAt}, and a receipt reopens it for ${reopenDays} days only`;
  }
  // Goods that arrive for a cancelled order stand at the dock: they are received, on hold.
  if (hasLines || isCorrection) return undefined;
  if (!isClosing) return "the receipt has no lines";
  return state === "RECEIVING" || state === "RECEIVED"
    ? undefined
    : `it is ${state}; only an order in receipt can be closed without goods`;
}

/** A line of a purchase order for receiving. */
export interface ReceivingLine extends StoredLine {
  /** The damaged part of the received quantity, including excess goods. */
  readonly damaged: number;
}

export const discrepancies = ["NONE", "SHORT", "OVER", "DAMAGED"] as const;
export type Discrepancy = (typeof discrepancies)[number];

/** OVER and SHORT take precedence over DAMAGED, because `damaged` shows the damage anyway. */
export function discrepancyOf(line: Omit<ReceivingLine, "lineNumber" | "sku">, isClosed: boolean): Discrepancy {
  if (line.received > line.qty) return "OVER";
  if (isClosed && line.received < line.qty) return "SHORT";
  return line.damaged > 0 ? "DAMAGED" : "NONE";
}

export function isComplete(lines: readonly Pick<ReceivingLine, "qty" | "received">[]): boolean {
  return lines.every(({ qty, received }) => received >= qty);
}

/**
 * The quantity up to which goods of a line are accepted.
 *
 * @param tolerance per cent of the ordered quantity, at most two decimals (client setting overReceiptTolerance)
 * @param isCounted whole units only: half a piece is not a tolerance
 */
export function limitOf(qty: number, tolerance: number, isCounted: boolean): number {
  const more = (BigInt(qty) * BigInt(Math.round(tolerance * 100))) / 10_000n;
  const limit = Math.min(qty + Number(more), quantityMaxThousandths);
  return isCounted ? limit - (limit % 1000) : limit;
}

/** Goods that the warehouse reports as received, one lot in one condition. */
export interface ReceivedGoods extends Lot {
  /** The line of the goods; without it, the lines of the SKU are filled in their order. */
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  readonly condition: Condition;
  readonly qty: number;
  readonly serials?: readonly string[] | undefined;
}

/** Why goods are ON_HOLD, whatever their reported condition. */
export type ExcessReason = "OVER_RECEIPT" | "UNPLANNED";

/** Goods as booked into stock. */
export interface ReceiptBooking extends Lot {
  /** Undefined if the SKU is not on the order. */
  readonly lineNumber: number | undefined;
  readonly sku: string;
  readonly condition: Condition;
  readonly qty: number;
  readonly serials?: readonly string[] | undefined;
  readonly reason?: ExcessReason | undefined;
}

/** Also has the reported condition of excess goods, for the operator who decides on them. */
export interface SplitBooking extends ReceiptBooking {
  readonly reported: Condition;
}

export interface SplitTerms {
  readonly tolerance: number;
  readonly isCounted: (sku: string) => boolean;
}

/**
 * Distributes received goods over the lines of the order: first up to the open quantity, then up to the tolerance. The
 * rest is excess of the last line. A SKU that is not on the order is all excess.
 */
export function bookingsOf(
  lines: readonly ReceivingLine[],
  goods: readonly ReceivedGoods[],
  { tolerance, isCounted }: SplitTerms,
): SplitBooking[] {
  const received = new Map(lines.map((line) => [line.lineNumber, line.received]));
  const inOrder = [...lines].sort((left, right) => left.lineNumber - right.lineNumber);
  return goods.flatMap((lot) => {
    const targets = inOrder.filter(({ lineNumber, sku }) =>
      lot.lineNumber === undefined ? sku === lot.sku : lineNumber === lot.lineNumber,
    );
    const last = targets.at(-1);
    if (!last) return [pieceOf(lot, undefined, lot.qty, 0, "UNPLANNED")];
    const parts = new Map<ReceivingLine, number>();
    let left = lot.qty;
    const fill = (line: ReceivingLine, upTo: number) => {
      const before = received.get(line.lineNumber) as number;
      const part = Math.min(left, Math.max(0, upTo - before));
      if (part === 0) return;
      parts.set(line, (parts.get(line) ?? 0) + part);
      received.set(line.lineNumber, before + part);
      left -= part;
    };
    for (const line of targets) fill(line, limitOf(line.qty, 0, isCounted(line.sku)));
    for (const line of targets) fill(line, limitOf(line.qty, tolerance, isCounted(line.sku)));
    const pieces: SplitBooking[] = [];
    let from = 0;
    for (const [line, part] of parts) {
      pieces.push(pieceOf(lot, line.lineNumber, part, from));
      from += part;
    }
    if (left > 0) {
      received.set(last.lineNumber, (received.get(last.lineNumber) as number) + left);
      pieces.push(pieceOf(lot, last.lineNumber, left, from, "OVER_RECEIPT"));
    }
    return pieces;
  });
}

/** A part of a lot with its share of the serial numbers. @param from its start within the lot. */
function pieceOf(
  { lineNumber: _, condition, serials, ...lot }: ReceivedGoods,
  lineNumber: number | undefined,
  qty: number,
  from: number,
  reason?: ExcessReason,
): SplitBooking {
  return {
    ...lot,
    lineNumber,
    qty,
    reported: condition,
    condition: reason === undefined ? condition : "ON_HOLD",
    ...(reason === undefined ? {} : { reason }),
    ...(serials === undefined || serials.length === 0
      ? {}
      : { serials: serials.slice(from / 1000, (from + qty) / 1000) }),
  };
}

/** The lines with the bookings added, or subtracted for a corrected receipt. */
export function withBookings(
  lines: readonly ReceivingLine[],
  bookings: readonly ReceiptBooking[],
  sign: 1 | -1,
): ReceivingLine[] {
  const byLine = Map.groupBy(bookings, ({ lineNumber }) => lineNumber);
  return lines.map((line) => {
    const lineGoods = byLine.get(line.lineNumber);
    if (!lineGoods) return line;
    const sum = (of: readonly ReceiptBooking[]) => of.reduce((total, { qty }) => total + qty, 0);
    const damaged = lineGoods.filter(({ condition }) => condition === "DAMAGED");
    return {
      ...line,
      received: line.received + sign * sum(lineGoods),
      damaged: line.damaged + sign * sum(damaged),
    };
  });
}

import { assert } from "#/kernel/assert.ts";
import type { Condition, Lot } from "#/modules/inventory/index.ts";

/**
 * The rules of returns (lifecycle.md §3): which states an authorisation passes, what of the goods was expected, and where
 * each grade is booked. Quantities are integer thousandths of the stock unit.
 */
export type ReturnState = "AUTHORISED" | "RECEIVING" | "RECEIVED" | "CLOSED" | "CANCELLED" | "EXPIRED";

/** The state table: single steps. */
export const returnSteps: Readonly<Record<ReturnState, readonly ReturnState[]>> = {
  AUTHORISED: ["RECEIVING", "CANCELLED", "EXPIRED"],
  RECEIVING: ["RECEIVED", "CLOSED"],
  RECEIVED: ["CLOSED"],
  CLOSED: [],
  CANCELLED: [],
  EXPIRED: ["RECEIVING"],
};

export interface ReturnFacts {
  readonly hasGoods: boolean;
  readonly isComplete: boolean;
  readonly isClosing: boolean;
}

/** The states that a return passes, one step after the other; empty when it stays where it is. */
export function stepsOfReturn(state: ReturnState, { hasGoods, isComplete, isClosing }: ReturnFacts): ReturnState[] {
  const steps: ReturnState[] = [];
  let now = state;
  const go = (next: ReturnState) => {
    assert(returnSteps[now].includes(next), `a return went from ${now} to ${next}`);
    steps.push(next);
    now = next;
  };
  if (hasGoods && (now === "AUTHORISED" || now === "EXPIRED")) go("RECEIVING");
  if (isComplete && now === "RECEIVING") go("RECEIVED");
  if (isClosing) go("CLOSED");
  return steps;
}

/** What the state of the return forbids of a report; undefined when nothing. */
export function refusalOfReturn(state: ReturnState, hasLines: boolean, isClosing: boolean): string | undefined {
  if (state === "CLOSED" || state === "CANCELLED") {
    return `it is ${state}; report what still came without its number, as a blind return`;
  }
  if (hasLines) return undefined;
  if (!isClosing) return "the report has no lines";
  return state === "RECEIVING" || state === "RECEIVED"
    ? undefined
    : `it is ${state}; only a return that is being received can be closed`;
}

export const dispositions = ["RESELLABLE", "DAMAGED", "QUARANTINE", "SCRAP"] as const;
export type Disposition = (typeof dispositions)[number];

/** Where each grade is booked; undefined: it leaves. */
export const conditionOf: Readonly<Record<Disposition, Condition | undefined>> = {
  RESELLABLE: "GOOD",
  DAMAGED: "DAMAGED",
  QUARANTINE: "QUARANTINE",
  SCRAP: undefined,
};

/** A line of a return, or of a parcel that comes back to its sender. */
export interface ExpectedLine {
  readonly lineNumber: number;
  readonly sku: string;
  readonly expected: number;
  /** All that came, also what is more than expected. */
  readonly received: number;
}

export type ReturnDiscrepancy = "NONE" | "SHORT" | "OVER";

export function discrepancyOf(line: Pick<ExpectedLine, "expected" | "received">, isClosed: boolean): ReturnDiscrepancy {
  if (line.received > line.expected) return "OVER";
  return isClosed && line.received < line.expected ? "SHORT" : "NONE";
}

export function isComplete(lines: readonly Pick<ExpectedLine, "expected" | "received">[]): boolean {
  return lines.every(({ expected, received }) => received >= expected);
}

/** What a warehouse says came back, one lot in one grade. */
export interface ReturnedGoods extends Lot {
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  readonly disposition: Disposition;
  readonly qty: number;
  readonly note?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** Goods as they are kept: of one line, or of none where the SKU was not expected. */
export interface GradedGoods extends Omit<ReturnedGoods, "lineNumber"> {
  readonly lineNumber: number | undefined;
  /** How much of it was expected: that alone counts as returned of the order. */
  readonly counted: number;
}

/**
 * Divides what came back over the lines: first what they still expect, the rest is more than expected of the last of
 * them. A line that expects another SKU expects none of it.
 */
export function gradedOf(lines: readonly ExpectedLine[], goods: readonly ReturnedGoods[]): GradedGoods[] {
  const received = new Map(lines.map((line) => [line.lineNumber, line.received]));
  const inOrder = [...lines].sort((left, right) => left.lineNumber - right.lineNumber);
  return goods.flatMap((lot) => {
    const targets = inOrder.filter(
      ({ lineNumber, sku }) => sku === lot.sku && (lot.lineNumber === undefined || lineNumber === lot.lineNumber),
    );
    const last = targets.at(-1);
    if (!last) return [pieceOf(lot, undefined, lot.qty, 0, 0)];
    const pieces: GradedGoods[] = [];
    let from = 0;
    for (const line of targets) {
      const before = received.get(line.lineNumber) as number;
      const left = lot.qty - from;
      const isLast = line === last;
      const room = wholeWhere(lot, Math.max(0, line.expected - before));
      const qty = isLast ? left : Math.min(left, room);
      if (qty === 0) continue;
      pieces.push(pieceOf(lot, line.lineNumber, qty, Math.min(qty, room), from));
      received.set(line.lineNumber, before + qty);
      from += qty;
    }
    return pieces;
  });
}

/** Units with serial numbers are not divided. */
function wholeWhere({ serials = [] }: ReturnedGoods, qty: number): number {
  return serials.length > 0 ? qty - (qty % 1000) : qty;
}

/** A part of a lot, with the serial numbers that fall to it. @param from where it starts within the lot. */
function pieceOf(
  { serials, ...lot }: ReturnedGoods,
  lineNumber: number | undefined,
  qty: number,
  counted: number,
  from: number,
): GradedGoods {
  const own = serials?.slice(from / 1000, (from + qty) / 1000) ?? [];
  return { ...lot, lineNumber, qty, counted, ...(own.length === 0 ? {} : { serials: own }) };
}

/** The lines when the goods have come. */
export function withGoods<Line extends ExpectedLine>(lines: readonly Line[], goods: readonly GradedGoods[]): Line[] {
  const byLine = Map.groupBy(goods, ({ lineNumber }) => lineNumber);
  return lines.map((line) => {
    const own = byLine.get(line.lineNumber) ?? [];
    return own.length === 0 ? line : { ...line, received: own.reduce((sum, { qty }) => sum + qty, line.received) };
  });
}

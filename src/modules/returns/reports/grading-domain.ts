import { assert } from "#/kernel/assert.ts";
import type { Condition, Lot } from "#/modules/inventory/index.ts";
import type { ReturnState } from "#/modules/returns/states.ts";

/**
 * The rules of returns (lifecycle.md §3): the steps of an authorisation's state, the expected part of the goods, and
 * the booking of each grade. Quantities are integer thousandths of the stock unit.
 */
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

/** The state steps of a return in order; empty if the state stays. */
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
  if (isClosing && now !== "CANCELLED") go("CLOSED");
  return steps;
}

/** Why the state of the return forbids a report; undefined if it does not. */
export function refusalOfReturn(state: ReturnState, hasLines: boolean, isClosing: boolean): string | undefined {
  if (state === "CLOSED") return "it is CLOSED; report further goods without its number, as a blind return";
  // Goods that arrive for a cancelled return stand at the dock: they are received, into quarantine.
  if (state === "CANCELLED") return hasLines ? undefined : "it is CANCELLED; only its goods are received";
  if (hasLines) return undefined;
  if (!isClosing) return "the report has no lines";
  return state === "RECEIVING" || state === "RECEIVED"
    ? undefined
    : `it is ${state}; only a return in receipt can be closed`;
}

export const dispositions = ["RESELLABLE", "DAMAGED", "QUARANTINE", "SCRAP"] as const;
export type Disposition = (typeof dispositions)[number];

/** The condition in which each grade is booked; undefined: the goods leave stock. */
export const conditionOf: Readonly<Record<Disposition, Condition | undefined>> = {
  RESELLABLE: "GOOD",
  DAMAGED: "DAMAGED",
  QUARANTINE: "QUARANTINE",
  SCRAP: undefined,
};

/** A line of a return, or of a parcel that is returned to its sender. */
export interface ExpectedLine {
  readonly lineNumber: number;
  readonly sku: string;
  readonly expected: number;
  /** All received quantity, including excess. */
  readonly received: number;
}

const discrepancies = ["NONE", "SHORT", "OVER"] as const;
/** UNPLANNED: the return does not announce the SKU. */
export const returnDiscrepancies = [...discrepancies, "UNPLANNED"] as const;
export type ReturnDiscrepancy = (typeof discrepancies)[number];

export function discrepancyOf(line: Pick<ExpectedLine, "expected" | "received">, isClosed: boolean): ReturnDiscrepancy {
  if (line.received > line.expected) return "OVER";
  return isClosed && line.received < line.expected ? "SHORT" : "NONE";
}

export function isComplete(lines: readonly Pick<ExpectedLine, "expected" | "received">[]): boolean {
  return lines.every(({ expected, received }) => received >= expected);
}

/** Goods that the warehouse reports as returned, one lot in one grade. */
export interface ReturnedGoods extends Lot {
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  readonly disposition: Disposition;
  readonly qty: number;
  readonly returnReasonCode?: string | undefined;
  readonly note?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** Returned goods for storage: of one line, or of none if the SKU was not expected. */
export interface GradedGoods extends Omit<ReturnedGoods, "lineNumber"> {
  readonly lineNumber: number | undefined;
  /** The part that has an origin: it was shipped and has not come back before. The rest is surplus. */
  readonly counted: number;
  /** The grade of the warehouse, where the goods are in quarantine instead. */
  readonly reported?: Disposition | undefined;
}

/** How many units can have an origin. */
export interface Origin {
  /**
   * By SKU, what the order has shipped and has not got back. Undefined if the order is not known: then the announced
   * quantity of the line is the only measure.
   */
  readonly shipped: ReadonlyMap<string, number> | undefined;
  /** Of kits of the order: their components, which left instead of the kits that come back. */
  readonly kits?: ReadonlyMap<string, readonly { readonly sku: string; readonly qty: number }[]> | undefined;
  /** A line never brings back more than it expects, as the contents of a parcel do. */
  readonly isBoundByLines: boolean;
}

/**
 * Distributes returned goods over the lines: first up to the open expected quantity; the rest is excess of the last
 * line. Lines of other SKUs take nothing. Goods without an origin are never sellable at once: a RESELLABLE surplus is
 * in QUARANTINE.
 */
export function gradedOf(
  lines: readonly ExpectedLine[],
  goods: readonly ReturnedGoods[],
  origin: Origin,
): GradedGoods[] {
  const received = new Map(lines.map((line) => [line.lineNumber, line.received]));
  const inOrder = [...lines].sort((left, right) => left.lineNumber - right.lineNumber);
  const takeOrigin = originTaker(lines, origin);
  return goods.flatMap((lot) => {
    const targets = inOrder.filter(
      ({ lineNumber, sku }) => sku === lot.sku && (lot.lineNumber === undefined || lineNumber === lot.lineNumber),
    );
    const last = targets.at(-1);
    if (!last) return withOrigin({ ...lot, lineNumber: undefined }, takeOrigin);
    const pieces: GradedGoods[] = [];
    let from = 0;
    for (const line of targets) {
      const before = received.get(line.lineNumber) as number;
      const left = lot.qty - from;
      const room = wholeWhere(lot, Math.max(0, line.expected - before));
      const qty = line === last ? left : Math.min(left, room);
      if (qty === 0) continue;
      pieces.push(...withOrigin(pieceOf({ ...lot, lineNumber: line.lineNumber }, from, qty), takeOrigin));
      received.set(line.lineNumber, before + qty);
      from += qty;
    }
    return pieces;
  });
}

/** Takes from what can have an origin; answers the part of the piece that has one. */
type TakeOrigin = (piece: ReturnedGoods) => number;

function originTaker(lines: readonly ExpectedLine[], { shipped, kits, isBoundByLines }: Origin): TakeOrigin {
  const ofSku = new Map(shipped);
  const ofLine = new Map(
    lines.map(({ lineNumber, expected, received }) => [lineNumber as number | undefined, expected - received]),
  );
  /** Moves as many kits as are needed from what is left of their components to the kit. */
  const assemble = ({ sku, qty }: ReturnedGoods) => {
    const parts = kits?.get(sku);
    const missing = Math.ceil((qty - (ofSku.get(sku) ?? 0)) / 1_000);
    if (!parts || missing <= 0) return;
    const possible = parts.map((part) => Math.floor((ofSku.get(part.sku) ?? 0) / part.qty));
    const made = Math.min(missing, ...possible);
    for (const part of parts) ofSku.set(part.sku, (ofSku.get(part.sku) ?? 0) - made * part.qty);
    ofSku.set(sku, (ofSku.get(sku) ?? 0) + made * 1_000);
  };
  return (piece) => {
    assemble(piece);
    const rooms: [Map<string | number | undefined, number>, string | number | undefined][] = [];
    if (shipped !== undefined) rooms.push([ofSku, piece.sku]);
    if (shipped === undefined || isBoundByLines) rooms.push([ofLine, piece.lineNumber]);
    const room = Math.min(...rooms.map(([left, key]) => left.get(key) ?? 0));
    const taken = wholeWhere(piece, Math.min(piece.qty, Math.max(0, room)));
    for (const [left, key] of rooms) left.set(key, (left.get(key) ?? 0) - taken);
    return taken;
  };
}

/** Only what would be sellable is divided: the other grades stay what they are. */
function withOrigin(piece: ReturnedGoods, take: TakeOrigin): GradedGoods[] {
  const lineNumber = piece.lineNumber;
  const counted = take(piece);
  if (piece.disposition !== "RESELLABLE" || counted === piece.qty) return [{ ...piece, lineNumber, counted }];
  const known = { ...pieceOf(piece, 0, counted), lineNumber, counted };
  const surplus = { ...pieceOf(piece, counted, piece.qty - counted), lineNumber, counted: 0 };
  return [...(counted === 0 ? [] : [known]), { ...surplus, disposition: "QUARANTINE", reported: piece.disposition }];
}

/** Units with serial numbers cannot be divided. */
function wholeWhere({ serials = [] }: ReturnedGoods, qty: number): number {
  return serials.length > 0 ? qty - (qty % 1000) : qty;
}

/** A part of a lot with its share of the serial numbers. @param from its start within the lot. */
function pieceOf({ serials, ...lot }: ReturnedGoods, from: number, qty: number): ReturnedGoods {
  const lineItems = serials?.slice(from / 1000, (from + qty) / 1000) ?? [];
  return { ...lot, qty, ...(lineItems.length === 0 ? {} : { serials: lineItems }) };
}

/** The lines after the receipt of the goods. */
export function withGoods<Line extends ExpectedLine>(lines: readonly Line[], goods: readonly GradedGoods[]): Line[] {
  const byLine = Map.groupBy(goods, ({ lineNumber }) => lineNumber);
  return lines.map((line) => {
    const lineItems = byLine.get(line.lineNumber) ?? [];
    return lineItems.length === 0
      ? line
      : { ...line, received: lineItems.reduce((sum, { qty }) => sum + qty, line.received) };
  });
}

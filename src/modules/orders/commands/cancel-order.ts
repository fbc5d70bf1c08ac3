import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { formatQuantity, isWhole, quantityToNumber } from "#/kernel/values/quantity.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { type Books, type Release, releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { type OrderKey, throwIfMoved, unknownLine, unknownOrder } from "#/modules/orders/commands/open-order.ts";
import { orphansOf, partsOf, rowsByKit, shownLines } from "#/modules/orders/kits.ts";
import { type Buckets, moved, type Order, type OrderLine, totalsOf } from "#/modules/orders/order.ts";
import { findFacilities, lockOrders } from "#/modules/orders/order-repository.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

export interface CancelRequest extends OrderKey {
  readonly reason: string;
  /** Omitted: the whole order, or the part that has not left. */
  readonly lines?: readonly CancelLine[] | undefined;
  /** The revision of a feed document; it is stored with the order. */
  readonly revision?: number | undefined;
}

export interface CancelLine {
  readonly lineNumber: number;
  /** Integer thousandths. Omitted: all that has not left. */
  readonly qty?: number | undefined;
}

/** CANCELLED: the cancellation is complete. REQUESTED: the warehouse has taken the order and answers line by line. */
export type CancelOutcome = "CANCELLED" | "REQUESTED";

export interface Cancellation {
  readonly orderId: string;
  readonly result: Result<CancelOutcome, Refusal>;
}

export interface Cancellations {
  readonly results: readonly Cancellation[];
  readonly drafts: EventDraft[];
}

/** The result of a cancellation before any write. */
export interface CancelPlan {
  readonly order: Order;
  readonly outcome: CancelOutcome;
  /** Allocated quantity that is released, by line. */
  readonly releases: readonly Release[];
}

/** After the acceptance of the task or the first pick the warehouse has taken the order. */
export function isTaken(order: Order): boolean {
  const { picked, packed } = totalsOf(order.lines);
  return order.takenAt !== undefined || picked + packed > 0;
}

/**
 * Plans a cancellation (lifecycle.md §1). Quantity that the warehouse has not taken is cancelled at once. For quantity
 * that it has taken, the reserved, picked or packed part becomes a cancel request. Despatched quantity can only come
 * back as a return. Refused as 404 (line), 409, or 422 (a fraction of a piece).
 */
export function planCancel(order: Order, request: CancelRequest, at: string): Result<CancelPlan, Refusal> {
  const expanded = rowsOfRequest(order, request);
  if (!expanded.ok) return expanded;
  const requestedLines = expanded.value;
  const hasTaken = isTaken(order);
  const byNumber = new Map(order.lines.map((line) => [line.lineNumber, line]));
  const changed = new Map<number, OrderLine>();
  const releases: Release[] = [];
  let isRequested = false;
  let isPending = false;
  for (const { lineNumber, qty } of requestedLines) {
    const line = changed.get(lineNumber) ?? byNumber.get(lineNumber);
    if (!line) return refused(unknownLine(order.orderId, lineNumber));
    const left = leftOf(line.buckets);
    if (qty !== undefined && qty > left) return refused(conflict(tooMuch(order, line, qty)));
    const part = qty === undefined ? undefined : refusalOfPart(order.orderId, line, qty);
    if (part) return refused(part);
    const { line: after, released } = cancelLine(line, Math.min(qty ?? left, left), hasTaken);
    if (after !== line) changed.set(lineNumber, after);
    if (released > 0) releases.push({ orderId: order.orderId, lineNumber, qty: released });
    isRequested ||= after.cancelRequested > line.cancelRequested;
    isPending ||= after.cancelRequested > 0;
  }
  if (changed.size === 0 && !isPending) return refused(conflict(nothingLeft(order, request.lines)));
  const outcome = isPending ? "REQUESTED" : "CANCELLED";
  const requested = isRequested
    ? { cancelRequestedAt: order.cancelRequestedAt ?? at, cancelReason: request.reason }
    : {};
  return ok({
    outcome,
    releases,
    order: {
      ...order,
      ...requested,
      revision: request.revision ?? order.revision,
      lines: order.lines.map((line) => changed.get(line.lineNumber) ?? line),
    },
  });
}

/** The rows of the requested lines: of a kit those that make up as many kits, or all that is left of them. */
function rowsOfRequest(order: Order, { lines }: CancelRequest): Result<readonly CancelLine[], Refusal> {
  if (lines === undefined) return ok(order.lines.map(({ lineNumber }) => ({ lineNumber })));
  if (order.kits.length === 0) return ok(lines);
  const rows: CancelLine[] = [];
  const kitRows = rowsByKit(order.lines);
  const shown = new Map(shownLines(order).map((line) => [line.lineNumber, line]));
  for (const { lineNumber, qty } of lines) {
    const kit = shown.get(lineNumber);
    if (kit?.components === undefined) {
      rows.push({ lineNumber, qty });
      continue;
    }
    const ofKit = kitRows(lineNumber);
    const part = qty === undefined ? undefined : refusalOfPart(order.orderId, kit, qty);
    if (part) return refused(part);
    const parts = qty === undefined ? [ofKit.built, ...ofKit.components] : partsOf(ofKit, qty);
    if (!parts) return refused(conflict(tooMuch(order, kit, qty as number)));
    rows.push(...parts.map((row) => ("qty" in row ? row : { lineNumber: row.lineNumber })));
  }
  return ok(rows);
}

/**
 * The order without components of kits that lost another one: what waits or is allocated is cancelled at once, and the
 * warehouse is asked to keep what it has taken.
 */
export function withoutOrphans(order: Order): { readonly order: Order; readonly releases: readonly Release[] } {
  const orphans = new Map(orphansOf(order).map(({ lineNumber, qty }) => [lineNumber, qty]));
  if (orphans.size === 0) return { order, releases: [] };
  const hasTaken = isTaken(order);
  const releases: Release[] = [];
  const lines = order.lines.map((line) => {
    const { line: after, released } = cancelLine(line, orphans.get(line.lineNumber) ?? 0, hasTaken);
    if (released > 0) releases.push({ orderId: order.orderId, lineNumber: line.lineNumber, qty: released });
    return after;
  });
  const isRequested = sumRequested({ ...order, lines }) > sumRequested(order);
  const requested = isRequested
    ? {
        cancelRequestedAt: order.cancelRequestedAt ?? order.updatedAt,
        cancelReason: order.cancelReason ?? "a component of the kit is not in stock",
      }
    : {};
  return { order: { ...order, ...requested, lines }, releases };
}

/** Pieces cannot be divided. */
export function refusalOfPart(orderId: string, { lineNumber, uom }: OrderLine, qty: number): Refusal | undefined {
  if (uom !== "EA" || isWhole(qty)) return undefined;
  const detail = `Order ${orderId}, line ${lineNumber}: qty ${formatQuantity(qty)} is not whole, and the stock unit is EA.`;
  return unprocessable(detail, [{ pointer: "#/qty", message: "is not whole, and the stock unit is EA" }]);
}

const leftOf = ({ ordered, despatched, cancelled }: Buckets) => ordered - despatched - cancelled;

/**
 * Cancels waiting quantity first, then allocated quantity. For quantity that the warehouse has taken it requests the
 * cancellation.
 */
function cancelLine(line: OrderLine, qty: number, hasTaken: boolean): { line: OrderLine; released: number } {
  if (qty === 0) return { line, released: 0 };
  const { backordered, open, allocated } = line.buckets;
  const ofBackordered = Math.min(qty, backordered);
  const ofOpen = Math.min(qty - ofBackordered, open);
  const rest = qty - ofBackordered - ofOpen;
  const waiting = moved(moved(line, "backordered", "cancelled", ofBackordered), "open", "cancelled", ofOpen);
  if (rest === 0) return { line: waiting, released: 0 };
  if (!hasTaken) {
    const released = Math.min(rest, allocated);
    return { line: moved(waiting, "allocated", "cancelled", released), released };
  }
  // The same quantity again is the same request; a larger quantity raises it.
  const cancelRequested = Math.max(line.cancelRequested, rest);
  return { line: cancelRequested === line.cancelRequested ? waiting : { ...waiting, cancelRequested }, released: 0 };
}

function tooMuch({ orderId }: Order, { lineNumber, buckets }: OrderLine, qty: number): string {
  const refusal = `Order ${orderId}, line ${lineNumber}: ${formatQuantity(qty)} cannot be cancelled`;
  const { despatched } = buckets;
  const hint = despatched > 0 ? `; ${formatQuantity(despatched)} have left: send an RMA for what comes back` : "";
  return `${refusal}, ${formatQuantity(leftOf(buckets))} are left${hint}.`;
}

function nothingLeft(order: Order, requestedLines: CancelRequest["lines"]): string {
  const lines = shownLines(order);
  const numbers = new Set((requestedLines ?? lines).map(({ lineNumber }) => lineNumber));
  const hasLeft = lines.some((line) => numbers.has(line.lineNumber) && line.buckets.despatched > 0);
  const what = numbers.size === lines.length ? "" : `, line ${[...numbers].join(", ")}`;
  const why = hasLeft ? "it has left the warehouse; send an RMA for what comes back" : "all of it is cancelled already";
  return `Order ${order.orderId}${what} cannot be cancelled in state ${order.status}: ${why}.`;
}

/**
 * Cancels orders or parts of them, each independently: a refused request changes nothing. Allocated stock is free again
 * in the same transaction.
 * @param books of the orders' facilities, opened before.
 */
export async function cancelOrders(
  tx: UnitOfWork,
  books: Books,
  requests: readonly CancelRequest[],
): Promise<Cancellations> {
  const orders = await lockOrders(
    tx,
    requests.map(({ orderId }) => orderId),
  );
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  const results: Cancellation[] = [];
  const releases: Release[] = [];
  const changes: OrderChange[] = [];
  for (const request of requests) {
    const { orderId, reason } = request;
    const before = byId.get(orderId);
    if (before) throwIfMoved(before, books);
    const plan = before ? planOf(before, request, tx.change.at) : refused(unknownOrder(orderId));
    results.push({ orderId, result: plan.ok ? ok(plan.value.outcome) : plan });
    if (!plan.ok || !before) continue;
    const { order } = plan.value;
    releases.push(...plan.value.releases);
    if (order.lines.every((line, i) => line === before.lines[i]) && order.revision === before.revision) continue;
    const wasRequested = sumRequested(order) > sumRequested(before);
    changes.push({
      order,
      before,
      action: wasRequested ? "requestCancel" : "cancel",
      topics: wasRequested ? ["order:cancelRequested"] : [],
      detail: detailOf(request),
      // If a part of the order is still despatched or pending, the status of the order gets no reason. The audit log
      // has it.
      statusReason: isAllCancelled(order) ? reason : undefined,
    });
  }
  await releaseStock(tx, books, releases);
  return { results, drafts: await settleOrders(tx, changes) };
}

function planOf(order: Order, request: CancelRequest, at: string): Result<CancelPlan, Refusal> {
  const shown = request.lines === undefined ? [] : shownLines(order);
  const missing = request.lines?.find(({ lineNumber }) => !shown.some((line) => line.lineNumber === lineNumber));
  if (missing) return refused(unknownLine(order.orderId, missing.lineNumber));
  const stale = refusalOfVersion(request.ifMatch, order.version);
  return stale ? refused(stale) : planCancel(order, request, at);
}

/** The request for the audit log. If only a part of an order is cancelled, no other record keeps the reason. */
function detailOf({ reason, lines }: CancelRequest) {
  const named = lines?.map(({ lineNumber, qty }) =>
    qty === undefined ? { lineNumber } : { lineNumber, qty: quantityToNumber(qty) },
  );
  return { reason, ...(named ? { lines: named } : {}) };
}

const sumRequested = ({ lines }: Order) => lines.reduce((sum, { cancelRequested }) => sum + cancelRequested, 0);

function isAllCancelled(order: Order): boolean {
  const { ordered, cancelled } = totalsOf(order.lines);
  return ordered === cancelled;
}

/** Opens the order's book and cancels the order or lines of it. Refused as 404, 412, 409 or 422. */
export async function cancelOrder(
  tx: UnitOfWork,
  request: CancelRequest,
): Promise<Result<CommandResult<CancelOutcome>, Refusal>> {
  const facilities = await findFacilities(tx, [request.orderId]);
  const books = await openBooks(tx, [...facilities], tx.change.at);
  const { results, drafts: events } = await cancelOrders(tx, books, [request]);
  const result = results[0]?.result ?? refused(unknownOrder(request.orderId));
  return result.ok ? ok({ answer: result.value, events }) : result;
}

/** Cancels one line, or a quantity of it (integer thousandths). */
export function cancelOrderLine(
  tx: UnitOfWork,
  { orderId, ifMatch, reason, ...line }: OrderKey & CancelLine & { readonly reason: string },
) {
  return cancelOrder(tx, { orderId, ifMatch, reason, lines: [line] });
}

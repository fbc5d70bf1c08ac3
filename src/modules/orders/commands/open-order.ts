import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import type { Books } from "#/modules/orders/allocation/deallocation.ts";
import { shownLines } from "#/modules/orders/kits.ts";
import { facilitiesOf, type Order, type OrderLine } from "#/modules/orders/order.ts";
import { findFacilities, lockOrders } from "#/modules/orders/order-repository.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import { OvertakenError } from "#/store/db/errors.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

export interface OrderKey {
  readonly orderId: string;
  /** The version that the caller has read, in the format of `If-Match`. */
  readonly ifMatch?: string | undefined;
}

/** One line of an order. */
export interface LineKey extends OrderKey {
  readonly lineNumber: number;
}

export interface OpenedOrder {
  readonly before: Order;
  readonly books: Books;
}

/** The result of a change of an order: the changed order and the events to publish, or the refusal. */
export type OrderAnswer = Result<CommandResult<Order>, Refusal>;

export const unknownOrder = (orderId: string): Refusal => notFound(`The client has no order ${orderId}.`);

export const unknownLine = (orderId: string, lineNumber: number): Refusal =>
  notFound(`Order ${orderId} has no line ${lineNumber}.`);

/**
 * Another change may move an order to another facility after its facility was read and before its row is locked. Then
 * the opened book is not the book of its stock, and the transaction must run again.
 */
export function throwIfMoved(order: Order, books: Books): void {
  const other = facilitiesOf(order).find((facilityCode) => !books.has(facilityCode));
  if (other !== undefined) throw new OvertakenError(`order ${order.orderId} has moved to ${other}`);
}

/**
 * Locks the order and checks its version. It opens the books of its facilities before it locks the row, because allocation
 * must not allocate to an order that is being changed. Refused as 404 or 412.
 */
export async function openOrder(tx: UnitOfWork, { orderId, ifMatch }: OrderKey): Promise<Result<OpenedOrder, Refusal>> {
  const facilities = await findFacilities(tx, [orderId]);
  const books = await openBooks(tx, [...facilities], tx.change.at);
  const [before] = await lockOrders(tx, [orderId]);
  if (!before) return refused(unknownOrder(orderId));
  throwIfMoved(before, books);
  const stale = refusalOfVersion(ifMatch, before.version);
  return stale ? refused(stale) : ok({ before, books });
}

/** `openOrder` with one of the order's lines. Refused as 404 (order, line) or 412. */
export async function openOrderLine(
  tx: UnitOfWork,
  { orderId, ifMatch, lineNumber }: LineKey,
): Promise<Result<OpenedOrder & { readonly line: OrderLine }, Refusal>> {
  const opened = await openOrder(tx, { orderId });
  if (!opened.ok) return opened;
  const { before } = opened.value;
  const line = shownLines(before).find((candidate) => candidate.lineNumber === lineNumber);
  if (!line) return refused(unknownLine(orderId, lineNumber));
  const stale = refusalOfVersion(ifMatch, before.version);
  return stale ? refused(stale) : ok({ ...opened.value, line });
}

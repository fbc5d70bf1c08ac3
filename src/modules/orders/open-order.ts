import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { refusalOfVersion } from "#/http/if-match.ts";
import { type Problem, problem } from "#/http/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import type { Order } from "#/modules/orders/aggregate.ts";
import { findFacilities, lockOrders } from "#/modules/orders/aggregate-repository.ts";
import type { Books } from "#/modules/orders/deallocation.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface OrderKey {
  readonly orderId: string;
  /** The version that the caller has seen, as `If-Match` says it. */
  readonly ifMatch?: string | undefined;
}

export interface OpenedOrder {
  readonly before: Order;
  readonly books: Books;
}

/** What a change of an order leads to: the order as it now is, and what is to be told; or why it is refused. */
export type OrderAnswer = Result<{ readonly order: Order; readonly drafts: EventDraft[] }, Problem>;

export const conflict = (detail: string): Problem => problem("conflict", detail);

export const unknownOrder = (orderId: string): Problem => problem("not-found", `The client has no order ${orderId}.`);

/**
 * The order, locked, and the version that is meant. The book of its facility first, then the row: allocation must not give to
 * an order that is being changed. Refused as 404 or 412.
 */
export async function openOrder(
  tx: Transaction,
  change: Change,
  clientId: string,
  { orderId, ifMatch }: OrderKey,
): Promise<Result<OpenedOrder, Problem>> {
  const facilities = await findFacilities(tx, clientId, [orderId]);
  const books = await openBooks(tx, clientId, [...facilities.values()], change.at);
  const [before] = await lockOrders(tx, clientId, [orderId]);
  if (!before) return refused(unknownOrder(orderId));
  const stale = refusalOfVersion(ifMatch, before.version);
  return stale ? refused(stale) : ok({ before, books });
}

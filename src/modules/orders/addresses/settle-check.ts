import { resolveSettings } from "#/modules/clients/index.ts";
import { holdsOfCheck } from "#/modules/orders/addresses/address-check.ts";
import { type DueCheck, endCheck, type StoredCheck } from "#/modules/orders/addresses/repository.ts";
import { findStoredSettings } from "#/modules/orders/allocation/backorder-repository.ts";
import { refusalOfHolds, withHold } from "#/modules/orders/commands/hold-order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/**
 * Applies what the verifier said: the order goes on, or it is held for its address. An order that does not wait any more,
 * because an operator has released it or its client only wants to be warned, is not held.
 */
export async function settleCheck(
  tx: UnitOfWork,
  check: DueCheck,
  result: StoredCheck,
): Promise<readonly EventDraft[]> {
  const [before] = await lockOrders(tx, [check.orderId]);
  if (!before || !(await endCheck(tx, check, result))) return [];
  const waiting = { ...before, holds: before.holds.filter(({ type }) => type !== "ADDRESS_CHECK") };
  if (waiting.holds.length === before.holds.length || refusalOfHolds(before, "released") !== undefined) return [];
  const { addressCheck: handling } = resolveSettings(await findStoredSettings(tx));
  const order = holdsOfCheck({ handling, answer: result }, tx.change.at).reduce(withHold, waiting);
  const isReleased = order.holds.length === 0;
  return settleOrders(tx, [
    {
      order,
      before,
      action: isReleased ? "release" : "hold",
      topics: [isReleased ? "order:released" : "order:updated"],
      detail: { address: result.verdict },
    },
  ]);
}

import { type Change, recordAudits } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { afterSteps, isComplete, stepsOfReceiving } from "#/modules/purchasing/receiving/receiving-domain.ts";
import { auditsOfSteps, eventsOfSteps, purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import * as repository from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** Orders of one call, at most; the next call takes the rest. */
const ordersMax = 500;

/**
 * Closes the client's purchase orders that were complete before the moment (lifecycle.md §2: 7 days after complete).
 *
 * @param before ISO 8601 UTC
 * @returns the events to append; none if no more are due.
 */
export async function closeFinishedPurchaseOrders(
  tx: Transaction,
  change: Change,
  clientId: string,
  before: string,
): Promise<EventDraft[]> {
  const headers = await repository.lockFinishedHeaders(tx, clientId, before, ordersMax);
  if (headers.length === 0) return [];
  const poNumbers = [...new Set(headers.map(({ poNumber }) => poNumber))];
  const lines = Map.groupBy(await repository.listReceivingLines(tx, clientId, poNumbers), purchaseOrderId);
  const closed = headers.map((header) => {
    const orderLines = lines.get(purchaseOrderId(header)) ?? [];
    const facts = { hasGoods: false, isComplete: isComplete(orderLines), isClosing: true };
    const steps = stepsOfReceiving(header.status, facts);
    return { header, own: orderLines, steps, after: afterSteps(header, steps, change.at) };
  });
  repository.writeReceivingHeaders(
    tx,
    clientId,
    change.at,
    closed.map(({ after }) => after),
  );
  recordAudits(
    tx,
    clientId,
    change,
    closed.flatMap(({ header, steps }) => auditsOfSteps(header, header.status, steps)),
  );
  return closed.flatMap(({ after, steps, own: orderLines }) => eventsOfSteps(after, steps, orderLines));
}

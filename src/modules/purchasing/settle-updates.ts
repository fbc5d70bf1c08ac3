import { recordAudits } from "#/db/audit.ts";
import type { UnitOfWork } from "#/db/database.ts";
import {
  afterSteps,
  discrepancyOf,
  isComplete,
  stepsOfReceiving,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import { auditsOfSteps, eventsOfSteps, purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import {
  listReceivingLines,
  lockReceivingHeaders,
  writeReceivingHeaders,
  writeReceivingLines,
} from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import type { EventDraft } from "#/outbox/append.ts";

/**
 * Settles an UPDATE of orders that are being received: a complete order with a higher quantity is no longer complete;
 * an order whose quantities are all received is complete. Called after the lines are written.
 */
export async function settleUpdates(
  tx: UnitOfWork,
  updates: readonly { readonly key: PurchaseOrderKey }[],
): Promise<EventDraft[]> {
  const poNumbers = [...new Set(updates.map(({ key }) => key.poNumber))];
  const isUpdated = new Set(updates.map(({ key }) => purchaseOrderId(key)));
  const [headers, lines] = await Promise.all([lockReceivingHeaders(tx, poNumbers), listReceivingLines(tx, poNumbers)]);
  const linesByOrder = Map.groupBy(lines, purchaseOrderId);
  const settled = headers
    .filter((header) => isUpdated.has(purchaseOrderId(header)) && header.status !== "OPEN")
    .map((header) => {
      const before = linesByOrder.get(purchaseOrderId(header)) ?? [];
      const updatedLines = before.map((line) => ({
        ...line,
        discrepancy: discrepancyOf(line, header.status === "CLOSED"),
      }));
      const changed = updatedLines.filter((line, i) => line.discrepancy !== before[i]?.discrepancy);
      const facts = { hasGoods: false, isComplete: isComplete(updatedLines), isClosing: false };
      const steps = stepsOfReceiving(header.status, facts);
      return { header, after: afterSteps(header, steps, tx.change.at), own: updatedLines, changed, steps };
    });
  const moved = settled.filter(({ steps }) => steps.length > 0);
  writeReceivingHeaders(
    tx,
    tx.change.at,
    moved.map(({ after }) => after),
  );
  writeReceivingLines(
    tx,
    settled.flatMap(({ changed }) => changed),
  );
  recordAudits(
    tx,
    moved.flatMap(({ header, steps }) => auditsOfSteps(header, header.status, steps)),
  );
  return moved.flatMap(({ after, own: updatedLines, steps }) => eventsOfSteps(after, steps, updatedLines));
}

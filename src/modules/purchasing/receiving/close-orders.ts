/** Ends purchase orders without a report of the warehouse: by an operator, by the client, by tolerance or by date. */

import { assert } from "#/kernel/assert.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  afterSteps,
  discrepancyOf,
  isComplete,
  purchaseOrderSteps,
  stepsOfReceiving,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import {
  auditsOfSteps,
  eventsOfClose,
  purchaseOrderId,
  receiptsOfTransfers,
} from "#/modules/purchasing/receiving/receiving-events.ts";
import * as repository from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import { settleReceipts } from "#/modules/transfers/index.ts";
import { type AuditEntry, recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** Orders of one call, at most; the next call takes the rest. */
const ordersMax = 500;

/**
 * Closes the client's purchase orders that were complete before the moment (lifecycle.md §2: 7 days after complete).
 *
 * @param before ISO 8601 UTC
 * @returns the events to append; none if no more are due.
 */
export async function closeFinishedPurchaseOrders(tx: UnitOfWork, before: string): Promise<EventDraft[]> {
  const headers = await repository.lockFinishedHeaders(tx, before, ordersMax);
  return closeAll(tx, headers, {});
}

/** The terms by which purchase orders end without a report; moments in ISO 8601 UTC. */
export interface UnfinishedTerms {
  /** An order in receipt whose last change is before this moment is closed within the tolerance. */
  readonly quietBefore: string;
  /** Per cent of the ordered quantity of each line (client setting underReceiptTolerance). */
  readonly tolerance: number;
  /** An order whose last change is before this moment is closed, whatever is missing (client setting purchaseOrderDays). */
  readonly staleBefore: string;
}

/**
 * Closes the client's purchase orders that are not complete and that nothing has changed for long (lifecycle.md §2).
 *
 * @returns the events to append; none if no more are due.
 */
export async function closeUnfinishedPurchaseOrders(tx: UnitOfWork, terms: UnfinishedTerms): Promise<EventDraft[]> {
  const stale = await repository.lockStaleHeaders(tx, terms.staleBefore, ordersMax);
  const closed = await closeAll(tx, stale, { cause: "DATE" });
  if (terms.tolerance === 0) return closed;
  const within = await repository.lockHeadersWithin(tx, terms.quietBefore, terms.tolerance, ordersMax);
  return [...closed, ...(await closeAll(tx, within, { cause: "TOLERANCE" }))];
}

export interface PurchaseOrderClose {
  readonly poNumber: string;
  /** Undefined: the only purchase order of the number. */
  readonly vendorOrderId: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Closes a purchase order for an operator or the client: nothing more is expected. Refused as 404 or 409 (state, or
 * several shipping notices).
 */
export async function closePurchaseOrder(
  tx: UnitOfWork,
  { poNumber, vendorOrderId, reason }: PurchaseOrderClose,
): Promise<Result<CommandResult<PurchaseOrderKey>, Refusal>> {
  const notices = await repository.lockReceivingHeaders(tx, [poNumber]);
  const named = notices.filter((notice) => vendorOrderId === undefined || notice.vendorOrderId === vendorOrderId);
  const refusal = refusalOfNotices(poNumber, named);
  if (refusal) return refused(refusal);
  const [header] = named;
  assert(header, "a purchase order is not refused and does not exist");
  if (!purchaseOrderSteps[header.status].includes("CLOSED")) {
    return refused(conflict(`Purchase order ${purchaseOrderId(header)} is ${header.status}; it has ended already.`));
  }
  const events = await closeAll(tx, [header], reason === undefined ? {} : { reason });
  return ok({ answer: { poNumber, vendorOrderId: header.vendorOrderId }, events });
}

/** Why an id does not name one purchase order; undefined if it does. */
export function refusalOfNotices(poNumber: string, named: readonly PurchaseOrderKey[]): Refusal | undefined {
  if (named.length === 0) return notFound(`The client has no such purchase order ${poNumber}.`);
  if (named.length === 1) return undefined;
  const ids = named.map(({ vendorOrderId }) => vendorOrderId || "(none)").join(", ");
  return conflict(`Purchase order ${poNumber} has several vendorOrderIds; name one of them: ${ids}.`);
}

async function closeAll(
  tx: UnitOfWork,
  headers: readonly repository.ReceivingHeader[],
  detail: Readonly<Record<string, string>>,
): Promise<EventDraft[]> {
  if (headers.length === 0) return [];
  const poNumbers = [...new Set(headers.map(({ poNumber }) => poNumber))];
  const lines = Map.groupBy(await repository.listReceivingLines(tx, poNumbers), purchaseOrderId);
  const closed = headers.map((header) => {
    const before = lines.get(purchaseOrderId(header)) ?? [];
    const facts = { hasGoods: false, isComplete: isComplete(before), isClosing: true };
    const steps = stepsOfReceiving(header.status, facts);
    const orderLines = before.map((line) => ({ ...line, discrepancy: discrepancyOf(line, true) }));
    const changed = orderLines.filter(({ discrepancy }, i) => discrepancy !== before[i]?.discrepancy);
    return { header, orderLines, changed, steps, after: afterSteps(header, steps, tx.change.at) };
  });
  repository.writeReceivingHeaders(
    tx,
    tx.change.at,
    closed.map(({ after }) => after),
  );
  repository.writeReceivingLines(
    tx,
    closed.flatMap(({ changed }) => changed),
  );
  const audits = closed.flatMap(({ header, steps }) => auditsOfSteps(header, header.status, steps));
  recordAudits(
    tx,
    audits.map((entry): AuditEntry => ({ ...entry, detail: { ...entry.detail, ...detail } })),
  );
  const ofTransfers = receiptsOfTransfers(
    closed.map(({ after, orderLines }) => ({ header: after, lines: orderLines })),
  );
  const settled = await settleReceipts(tx, ofTransfers);
  const ended = closed.flatMap(({ after, steps, orderLines }) => {
    const closeId = tx.change.ids.next(Date.parse(tx.change.at));
    return eventsOfClose(after, steps, orderLines, closeId);
  });
  return [...ended, ...settled];
}

import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { composeAdjustment } from "#/modules/inventory/adjustments/adjusted-event.ts";
import { eventLinesOf } from "#/modules/inventory/adjustments/count.ts";
import type { FreeAllocations } from "#/modules/inventory/adjustments/reports.ts";
import { decided, type StockCount } from "#/modules/inventory/counts/domain.ts";
import * as repository from "#/modules/inventory/counts/repository.ts";
import { lockCount, requestRecount } from "#/modules/inventory/counts/request.ts";
import { bookChanges, checkChanges, takesAllocated } from "#/modules/inventory/ledger/stock-change.ts";
import { describeLot, lotKey } from "#/modules/inventory/lot.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

export interface Approval {
  readonly reason?: string | undefined;
  /** Missing units may be taken from orders and work orders that have them allocated. */
  readonly freesAllocations: boolean;
}

/**
 * An operator approves the differences that wait: they are booked now, as of the count. Refused where the lot was
 * adjusted since, because the same difference may be booked already; and where the loss takes units that are allocated,
 * unless the approval allows it.
 */
export async function approveCount(
  tx: UnitOfWork,
  countId: string,
  { reason, freesAllocations }: Approval,
  free: FreeAllocations,
): Promise<Result<CommandResult<StockCount>, Refusal>> {
  const locked = await lockCount(tx, countId);
  if (!locked.ok) return locked;
  const { book, count } = locked.value;
  if (count.status !== "WAITING") return refused(nothingWaits(count));
  if (count.cause === "ADJUSTMENT" && count.requestedBy === tx.change.actor) {
    const text = `Adjustment ${countId} is yours and above the tolerance; another user approves it. You may reject it.`;
    return refused(conflict(text));
  }
  const waiting = count.lines.filter(({ state }) => state === "WAITING");
  const skus = [...new Set(waiting.map(({ sku }) => sku))];
  const since = count.reportedPosition ?? 0;
  const adjusted = await repository.findAdjustedSince(tx, book.facilityCode, skus, since);
  const outdated = waiting.filter((line) => adjusted.has(lotKey(line)));
  if (outdated.length > 0) {
    const lots = outdated.map(describeLot).join("; ");
    const text = `${lots}: adjusted since the count, so that the difference may be booked already; reject it, and ask for a recount.`;
    return refused(conflict(text));
  }
  const changes = waiting.flatMap((line) => line.changes ?? []);
  const checked = await checkChanges(tx, book, changes);
  if (checked.faults.length > 0) {
    return refused(conflict(`${checked.faults.join("; ")}; or reject the difference, and ask for a recount`));
  }
  if (checked.shortages.length > 0 && !freesAllocations) return refused(takesAllocated(checked.shortages));
  const reasonCode = count.cause === "ADJUSTMENT" ? (changes[0]?.reason ?? "OTHER") : "COUNT";
  const freed = await bookChanges(tx, book, changes, {
    shortages: checked.shortages,
    free,
    cause: { referenceType: "count", referenceId: countId, reasonCode, occurredAt: count.countedAt, action: "count" },
  });
  // The lines within the tolerance have an ADJ under the id of the count.
  const adjustment = { adjustmentId: `${countId}-APPROVED`, reasonCode, lines: eventLinesOf(changes) };
  const { drafts } = await composeAdjustment(tx, book, adjustment);
  const approved = decided(count, "APPROVED", { at: tx.change.at, actor: tx.change.actor, reason });
  repository.updateCounts(tx, [approved]);
  recordAudit(tx, {
    action: "approve",
    objectType: "count",
    objectId: countId,
    detail: { facilityCode: book.facilityCode, reason, freesAllocations },
  });
  return ok({ answer: approved, events: [...freed, ...drafts] });
}

/** An operator rejects the differences that wait: nothing is booked. A recount asks for the same lots again. */
export async function rejectCount(
  tx: UnitOfWork,
  countId: string,
  { reason, isRecounted }: { readonly reason?: string | undefined; readonly isRecounted: boolean },
): Promise<Result<{ readonly rejected: StockCount; readonly recount: StockCount | undefined }, Refusal>> {
  const locked = await lockCount(tx, countId);
  if (!locked.ok) return locked;
  const { count } = locked.value;
  if (count.status !== "WAITING") return refused(nothingWaits(count));
  const rejected = decided(count, "REJECTED", { at: tx.change.at, actor: tx.change.actor, reason });
  repository.updateCounts(tx, [rejected]);
  const recount = isRecounted ? await requestRecount(tx, rejected) : undefined;
  recordAudit(tx, {
    action: "reject",
    objectType: "count",
    objectId: countId,
    detail: { facilityCode: count.facilityCode, reason, recountId: recount?.countId },
  });
  return ok({ rejected, recount });
}

const nothingWaits = ({ countId, status }: StockCount): Refusal =>
  conflict(`Count ${countId} is ${status}; it has no difference that waits for approval.`);

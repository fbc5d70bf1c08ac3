/**
 * Ends returns without a report of the warehouse: unused ones by a cancellation or by expiry, those in receipt by an
 * operator, by the client or by date.
 */

import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { discrepancyOf, returnSteps } from "#/modules/returns/reports/grading-domain.ts";
import * as repository from "#/modules/returns/reports/grading-repository.ts";
import { auditsOfSteps, recordsOf, returnEvent, withStatusFeed } from "#/modules/returns/reports/return-events.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

export interface ReturnKey {
  readonly rmaNumber: string;
  /** The version that the caller has read, in the format of `If-Match`. */
  readonly ifMatch?: string | undefined;
  readonly reason?: string | undefined;
}

/** Locks the return until the transaction ends. Refused as 404, or as 412 if it has another version. */
async function lockReturn(
  tx: ClientTransaction,
  { rmaNumber, ifMatch }: ReturnKey,
): Promise<Result<repository.ReturnHeader, Refusal>> {
  const [header] = await repository.lockReturns(tx, [rmaNumber]);
  if (!header) return refused(notFound(`The client has no return ${rmaNumber}.`));
  const stale = refusalOfVersion(ifMatch, header.version);
  return stale ? refused(stale) : ok(header);
}

/**
 * Cancels a return (REST) while it is AUTHORISED. Refused as 404, 412 or 409 (state).
 *
 * @returns the events to append, or the refusal.
 */
export async function cancelReturn(tx: UnitOfWork, key: ReturnKey): Promise<Result<EventDraft[], Refusal>> {
  const found = await lockReturn(tx, key);
  if (!found.ok) return found;
  const { rmaNumber, reason } = key;
  const header = found.value;
  if (!returnSteps[header.status].includes("CANCELLED")) {
    const remedy = "it can only be cancelled while it is AUTHORISED";
    return refused(conflict(`Return ${rmaNumber} is ${header.status}: ${remedy}.`));
  }
  return ok(await endReturns(tx, [header], "CANCELLED", reason));
}

/** Returns of one call, at most; the next call takes the rest. */
const returnsMax = 500;

/**
 * Expires the client's returns that were authorised before the moment and never used (client setting rmaDays).
 *
 * @param before ISO 8601 UTC
 * @returns the events to append; none if no more are due.
 */
export async function expireReturns(tx: UnitOfWork, before: string): Promise<EventDraft[]> {
  const headers = await repository.lockUnusedReturns(tx, before, returnsMax);
  return endReturns(tx, headers, "EXPIRED");
}

/**
 * Closes a return in receipt for an operator or the client: nothing more is expected. Refused as 404, 412 or 409
 * (state).
 *
 * @returns the events to append, or the refusal.
 */
export async function closeReturn(tx: UnitOfWork, key: ReturnKey): Promise<Result<EventDraft[], Refusal>> {
  const found = await lockReturn(tx, key);
  if (!found.ok) return found;
  const { rmaNumber, reason } = key;
  const header = found.value;
  if (!returnSteps[header.status].includes("CLOSED")) {
    const remedy =
      header.status === "AUTHORISED"
        ? "nothing has arrived; cancel it instead"
        : "only a return in receipt can be closed";
    return refused(conflict(`Return ${rmaNumber} is ${header.status}: ${remedy}.`));
  }
  return ok(await closeReturns(tx, [header], reason === undefined ? {} : { reason }));
}

/** The moments, in ISO 8601 UTC, before which the last change of a return lies that is closed by date. */
export interface QuietTerms {
  /** Of a return that is complete. */
  readonly completeBefore: string;
  /** Of a return that lacks goods (client setting rmaDays). */
  readonly shortBefore: string;
}

/**
 * Closes the client's returns in receipt that nothing has changed for long (lifecycle.md §3).
 *
 * @returns the events to append; none if no more are due.
 */
export async function closeQuietReturns(tx: UnitOfWork, terms: QuietTerms): Promise<EventDraft[]> {
  const headers = await repository.lockQuietReturns(tx, terms, returnsMax);
  return closeReturns(tx, headers, { cause: "DATE" });
}

async function closeReturns(
  tx: UnitOfWork,
  headers: readonly repository.ReturnHeader[],
  detail: Readonly<Record<string, string>>,
): Promise<EventDraft[]> {
  if (headers.length === 0) return [];
  const rmaNumbers = headers.map(({ rmaNumber }) => rmaNumber);
  const [lines, graded] = await Promise.all([
    repository.listReturnLines(tx, rmaNumbers),
    repository.listGradedOfReturns(tx, rmaNumbers),
  ]);
  const linesByReturn = Map.groupBy(lines, ({ rmaNumber }) => rmaNumber);
  const closed = headers.map((header) => ({
    header: { ...header, status: "CLOSED" as const, closedAt: tx.change.at },
    lines: (linesByReturn.get(header.rmaNumber) ?? []).map((line) => ({
      ...line,
      discrepancy: discrepancyOf(line, true),
    })),
  }));
  repository.writeReturnHeaders(
    tx,
    tx.change.at,
    closed.map(({ header }) => header),
  );
  repository.writeReturnLines(
    tx,
    closed.flatMap(({ lines: after }) => after.filter(({ discrepancy }) => discrepancy === "SHORT")),
  );
  const steps = headers.flatMap((header) => auditsOfSteps(header.rmaNumber, header.status, ["CLOSED"]));
  recordAudits(
    tx,
    steps.map((step) => ({ ...step, detail: { ...step.detail, ...detail } })),
  );
  return closed.map(({ header, lines: after }) => {
    const { rmaNumber, distributionCentre, orderReference, orderId, status } = header;
    const order = { orderReference, orderId };
    const lines = recordsOf(after, graded.get(rmaNumber) ?? []);
    const facts = { objectId: rmaNumber, rmaNumber, ...order, facilityCode: distributionCentre, status, lines };
    return withStatusFeed("return:closed", facts);
  });
}

async function endReturns(
  tx: UnitOfWork,
  headers: readonly repository.ReturnHeader[],
  status: "CANCELLED" | "EXPIRED",
  reason?: string,
): Promise<EventDraft[]> {
  if (headers.length === 0) return [];
  const rmaNumbers = headers.map(({ rmaNumber }) => rmaNumber);
  const lines = await repository.listReturnLines(tx, rmaNumbers);
  const linesByReturn = Map.groupBy(lines, ({ rmaNumber }) => rmaNumber);
  const ended = headers.map((header) => ({ ...header, status }));
  repository.writeReturnHeaders(tx, tx.change.at, ended);
  const steps = headers.flatMap((header) => auditsOfSteps(header.rmaNumber, header.status, [status]));
  const detail = reason === undefined ? {} : { reason };
  recordAudits(
    tx,
    steps.map((step) => ({ ...step, detail: { ...step.detail, ...detail } })),
  );
  const topic = status === "CANCELLED" ? "return:cancelled" : "return:expired";
  return ended.map((header) =>
    returnEvent(topic, {
      objectId: header.rmaNumber,
      rmaNumber: header.rmaNumber,
      facilityCode: header.distributionCentre,
      status,
      lines: recordsOf(linesByReturn.get(header.rmaNumber) ?? [], []),
    }),
  );
}

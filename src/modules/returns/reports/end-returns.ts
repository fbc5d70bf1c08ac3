/** Ends unused returns: by a cancellation of the client, or by expiry. */
import { type Change, recordAudits } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { returnSteps } from "#/modules/returns/reports/grading-domain.ts";
import * as repository from "#/modules/returns/reports/grading-repository.ts";
import { auditsOfSteps, recordsOf, returnEvent } from "#/modules/returns/reports/return-events.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface ReturnKey {
  readonly rmaNumber: string;
  /** The version that the caller has read, in the format of `If-Match`. */
  readonly ifMatch?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Cancels a return (REST) while it is AUTHORISED. Refused as 404, 412 or 409 (state).
 *
 * @returns the events to append, or the refusal.
 */
export async function cancelReturn(
  tx: Transaction,
  change: Change,
  clientId: string,
  { rmaNumber, ifMatch, reason }: ReturnKey,
): Promise<Result<EventDraft[], Refusal>> {
  const [header] = await repository.lockReturns(tx, clientId, [rmaNumber]);
  if (!header) return refused(notFound(`The client has no return ${rmaNumber}.`));
  const stale = refusalOfVersion(ifMatch, header.version);
  if (stale) return refused(stale);
  if (!returnSteps[header.status].includes("CANCELLED")) {
    const remedy = "it can only be cancelled while it is AUTHORISED";
    return refused(conflict(`Return ${rmaNumber} is ${header.status}: ${remedy}.`));
  }
  return ok(await endReturns(tx, change, clientId, [header], "CANCELLED", reason));
}

/** Returns of one call, at most; the next call takes the rest. */
const returnsMax = 500;

/**
 * Expires the client's returns that were authorised before the moment and never used (client setting rmaDays).
 *
 * @param before ISO 8601 UTC
 * @returns the events to append; none if no more are due.
 */
export async function expireReturns(
  tx: Transaction,
  change: Change,
  clientId: string,
  before: string,
): Promise<EventDraft[]> {
  const headers = await repository.lockUnusedReturns(tx, clientId, before, returnsMax);
  return endReturns(tx, change, clientId, headers, "EXPIRED");
}

async function endReturns(
  tx: Transaction,
  change: Change,
  clientId: string,
  headers: readonly repository.ReturnHeader[],
  status: "CANCELLED" | "EXPIRED",
  reason?: string,
): Promise<EventDraft[]> {
  if (headers.length === 0) return [];
  const rmaNumbers = headers.map(({ rmaNumber }) => rmaNumber);
  const lines = await repository.listReturnLines(tx, clientId, rmaNumbers);
  const linesByReturn = Map.groupBy(lines, ({ rmaNumber }) => rmaNumber);
  const ended = headers.map((header) => ({ ...header, status }));
  repository.writeReturnHeaders(tx, clientId, change.at, ended);
  const steps = headers.flatMap((header) => auditsOfSteps(header.rmaNumber, header.status, [status]));
  const detail = reason === undefined ? {} : { reason };
  recordAudits(
    tx,
    clientId,
    change,
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

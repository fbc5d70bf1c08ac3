import { recordAudit } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import type { Submission } from "#/feeds/intake/submission.ts";
import type { NewDocument } from "#/feeds/repository.ts";

/** A document that a person sent by the console stands in the audit log beside it (contract operations.md §5). */
export function recordSent(tx: Transaction, submission: Submission, { state, objectId }: NewDocument): void {
  const { change, client, type, token } = submission;
  if (!change) return;
  recordAudit(tx, client.clientId, change, {
    ...{ action: "send", objectType: "feed", objectId: token },
    detail: { feedType: type, state, objectId: objectId ?? null },
  });
}

/** So does a judgement that a person asked for, with what it led to. */
export function recordJudgedAgain(tx: Transaction, submission: Submission, { state, objectId }: NewDocument): void {
  const { change, client, type, token, again } = submission;
  if (!change) return;
  recordAudit(tx, client.clientId, change, {
    ...{ action: "judge-again", objectType: "feed", objectId: token },
    detail: { feedType: type, from: again?.from ?? null, state, objectId: objectId ?? null },
  });
}

import { recordAudit } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import type { Submission } from "#/feeds/intake/submission.ts";
import type { NewDocument } from "#/feeds/repository.ts";

/** Records a document that an operator sent through the console in the audit log (contract operations.md §5). */
export function recordSent(tx: Transaction, submission: Submission, { state, objectId }: NewDocument): void {
  const { change, client, type, token } = submission;
  if (!change) return;
  recordAudit(tx.of(client.clientId, change), {
    action: "send",
    objectType: "feed",
    objectId: token,
    detail: { feedType: type, state, objectId: objectId ?? null },
  });
}

/** Records a reprocessing that an operator requested in the audit log, with its outcome. */
export function recordReprocessed(tx: Transaction, submission: Submission, { state, objectId }: NewDocument): void {
  const { change, client, type, token, reprocessed } = submission;
  if (!change) return;
  recordAudit(tx.of(client.clientId, change), {
    action: "reprocess",
    objectType: "feed",
    objectId: token,
    detail: { feedType: type, from: reprocessed?.from ?? null, state, objectId: objectId ?? null },
  });
}

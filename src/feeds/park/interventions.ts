import { randomUUID } from "node:crypto";
import { recordAudit } from "#/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/db/database.ts";
import { lockDocuments, moveDocument } from "#/feeds/park/reprocess-repository.ts";
import { hasPayload } from "#/feeds/repository.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { reviveFailed } from "#/outbox/repository.ts";

/**
 * Undefined: there is no such document. Otherwise a sentence for the operator: why the action is refused, and what to
 * do.
 */
export type InterventionRefusal = string | undefined;

/** Finds which of these SKUs are known through CAT. */
export type FindKnownSkus = (tx: ClientTx, skus: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Parks a document that was rejected for unknown SKUs only: when a catalogue provides them, it is reprocessed, as if
 * the client had the setting `parkUnknownSkus` (feeds.md §1). A parked document stays parked.
 */
export async function parkDocument(
  tx: UnitOfWork,
  token: string,
  findKnownSkus: FindKnownSkus,
): Promise<Result<void, InterventionRefusal>> {
  const [document] = await lockDocuments(tx, [token]);
  if (!document) return refused(undefined);
  const { state, findings, feed_type: feedType } = document;
  if (state === "PARKED") return ok(undefined);
  if (state !== "REJECTED") return refused(`The document is ${state}: only a rejected one can be parked.`);
  const { errors = [], missingSkus = [] } = findings ?? {};
  if (errors.length === 0 || !errors.every((error) => error.startsWith("[UNKNOWN_SKU] "))) {
    return refused(
      "The document was rejected for other reasons than unknown SKUs, which no catalogue can change: its sender must correct it, or you reprocess it when the cause is gone.",
    );
  }
  if (!(await hasPayload(tx, token))) {
    return refused("The content of the document is not stored, so it cannot be processed later.");
  }
  const known = await findKnownSkus(tx, missingSkus);
  if (missingSkus.every((sku) => known.has(sku))) {
    return refused("All SKUs of the document are known now: reprocess it instead.");
  }
  const parked = { ...findings, parkKey: findings?.parkKey ?? document.object_id ?? undefined };
  const isMoved = await moveDocument(tx, { token, from: "REJECTED", state: "PARKED", findings: parked });
  assert(isMoved, "a locked document keeps its state");
  recordAudit(tx, {
    action: "park",
    objectType: "feed",
    objectId: token,
    detail: { feedType, objectId: document.object_id, missingSkus: missingSkus.slice(0, 20) },
  });
  return ok(undefined);
}

/**
 * Retries the asynchronous work of a FAILED document: the document becomes ACCEPTED, and its given-up work waits for
 * the relay (lifecycle.md §6). A document that waits already, or that was processed meanwhile, is left unchanged.
 */
export async function retryDocument(tx: UnitOfWork, token: string): Promise<Result<void, InterventionRefusal>> {
  const [document] = await lockDocuments(tx, [token]);
  if (!document) return refused(undefined);
  const { state, findings, feed_type: feedType } = document;
  if (state === "ACCEPTED" || state === "PROCESSED") return ok(undefined);
  if (state !== "FAILED") return refused(`The document is ${state}: there is no processing to retry. Reprocess it.`);
  if ((await reviveFailed(tx, token, randomUUID())) === 0) {
    return refused("No unfinished processing of the document is left: it was removed manually.");
  }
  const isMoved = await moveDocument(tx, { token, from: "FAILED", state: "ACCEPTED", findings });
  assert(isMoved, "a locked document keeps its state");
  recordAudit(tx, {
    action: "retry",
    objectType: "feed",
    objectId: token,
    detail: { feedType, objectId: document.object_id },
  });
  return ok(undefined);
}

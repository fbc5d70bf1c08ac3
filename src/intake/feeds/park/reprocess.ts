import { randomUUID } from "node:crypto";
import { charsetOf } from "#/intake/feeds/http/body.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { findDocumentWithPayload, lockDocuments, moveDocument } from "#/intake/feeds/park/reprocess-repository.ts";
import { bytesOf } from "#/intake/feeds/payload.ts";
import { findDocument, hasPayload } from "#/intake/feeds/repository.ts";
import { type FeedState, isUnsettled, type UnsettledState } from "#/intake/feeds/states.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type Change, recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, Database, UnitOfWork } from "#/store/db/database.ts";
import { reviveFailed } from "#/store/outbox/repository.ts";

/** Why a document cannot be reprocessed. */
export type ReprocessRefusal =
  | { readonly kind: "unknown" }
  /** Its payload is not stored: it contained a card number, or was blanked with the personal data of its order. */
  | { readonly kind: "withheld" }
  /** It was accepted on receipt, and never had another state. */
  | { readonly kind: "accepted"; readonly state: FeedState };

export interface Reprocessed {
  /** The new verdict. */
  readonly verdict: "ACCEPTED" | UnsettledState;
  /** The document had been reprocessed before, and accepted: nothing was done. */
  readonly isRepeat: boolean;
}

/**
 * Reprocesses a stored document by the current rules and data, through the very transaction of a new one (lifecycle.md
 * §6). The operation is idempotent: a caller that repeats it after a lost answer causes one run.
 *
 * @param change of the operator who requests it; undefined where a catalogue healed it.
 */
export async function reprocess(
  { database, receiver }: { readonly database: Database; readonly receiver: Receiver },
  client: FeedClient,
  token: string,
  change?: Change,
): Promise<Result<Reprocessed, ReprocessRefusal>> {
  const view = database.of(client.clientId);
  const stored = await findDocumentWithPayload(view, token);
  if (!stored) return refused({ kind: "unknown" });
  const { state } = stored;
  if (!isUnsettled(state)) {
    return stored.unparked_at === null
      ? refused({ kind: "accepted", state })
      : ok({ verdict: "ACCEPTED", isRepeat: true });
  }
  const { payload, encoding, content_type: contentType } = stored;
  if (payload === null || encoding === null || contentType === null) return refused({ kind: "withheld" });
  const receipt = await receiver.reprocess(
    {
      client,
      type: stored.feed_type,
      channel: stored.channel,
      token,
      change,
      contentType,
      bytes: bytesOf(payload, encoding),
      charset: charsetOf(contentType),
      idempotencyKey: undefined,
    },
    { receivedAt: stored.received_at, state },
  );
  if (receipt.kind === "validated" && receipt.isAccepted) return ok({ verdict: "ACCEPTED", isRepeat: false });
  const now = state === "PARKED" ? await findDocument(view, token) : undefined;
  return ok({ verdict: now?.state === "PARKED" ? "PARKED" : "REJECTED", isRepeat: false });
}

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

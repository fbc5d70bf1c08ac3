import { zstdDecompressSync } from "node:zlib";
import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { charsetOf } from "#/feeds/http/body.ts";
import type { FeedClient } from "#/feeds/intake/definition.ts";
import type { Receiver } from "#/feeds/intake/receiver.ts";
import { findDocumentWithPayload } from "#/feeds/park/reprocess-repository.ts";
import { findDocument, type PayloadEncoding } from "#/feeds/repository.ts";
import { type FeedState, isUnsettled, type UnsettledState } from "#/feeds/states.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

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

export function bytesOf(payload: Buffer, encoding: PayloadEncoding): Buffer {
  return encoding === "zstd" ? zstdDecompressSync(payload) : payload;
}

import { zstdDecompressSync } from "node:zlib";
import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { charsetOf } from "#/feeds/http/charset.ts";
import type { FeedClient } from "#/feeds/intake/definition.ts";
import type { Receiver } from "#/feeds/intake/receiver.ts";
import type { UnsettledState } from "#/feeds/intake/submission.ts";
import { isUnsettled } from "#/feeds/park/again.ts";
import { findDocumentWithPayload } from "#/feeds/park/again-repository.ts";
import { type FeedState, findDocument, type PayloadEncoding } from "#/feeds/repository.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

/** Why a document cannot be judged again. */
export type AgainRefusal =
  | { readonly kind: "unknown" }
  /** Its payload is not kept: it held a card number, or was blanked with the personal data of its order. */
  | { readonly kind: "withheld" }
  /** It was accepted when it came, and was never anything else. */
  | { readonly kind: "accepted"; readonly state: FeedState };

export interface JudgedAgain {
  /** What it was judged to. */
  readonly verdict: "ACCEPTED" | UnsettledState;
  /** It had been judged again before, and accepted: nothing was done. */
  readonly isRepeat: boolean;
}

/**
 * Judges a stored document again, by today's rules and data, through the very transaction of a new one (lifecycle.md §6).
 * Whoever asks twice, because an answer was lost, has it done once.
 *
 * @param change of the operator who asks for it; undefined where a catalogue healed it.
 */
export async function judgeAgain(
  { database, receiver }: { readonly database: Database; readonly receiver: Receiver },
  client: FeedClient,
  token: string,
  change?: Change,
): Promise<Result<JudgedAgain, AgainRefusal>> {
  const stored = await findDocumentWithPayload(database, client.clientId, token);
  if (!stored) return refused({ kind: "unknown" });
  const { state } = stored;
  if (!isUnsettled(state)) {
    return stored.healed_at === null
      ? refused({ kind: "accepted", state })
      : ok({ verdict: "ACCEPTED", isRepeat: true });
  }
  const { payload, encoding, content_type: contentType } = stored;
  if (payload === null || encoding === null || contentType === null) return refused({ kind: "withheld" });
  const receipt = await receiver.judgeAgain(
    {
      ...{ client, type: stored.feed_type, channel: stored.channel, token, change, contentType },
      bytes: bytesOf(payload, encoding),
      charset: charsetOf(contentType),
      idempotencyKey: undefined,
    },
    { receivedAt: stored.received_at, state },
  );
  if (receipt.kind === "judged" && receipt.isAccepted) return ok({ verdict: "ACCEPTED", isRepeat: false });
  const now = state === "PARKED" ? await findDocument(database, client.clientId, token) : undefined;
  return ok({ verdict: now?.state === "PARKED" ? "PARKED" : "REJECTED", isRepeat: false });
}

export function bytesOf(payload: Buffer, encoding: PayloadEncoding): Buffer {
  return encoding === "zstd" ? zstdDecompressSync(payload) : payload;
}

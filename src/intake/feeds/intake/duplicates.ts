import { type Batch, type Entry, RaceError } from "#/intake/feeds/intake/definition.ts";
import { findOrigins } from "#/intake/feeds/repository.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { repeatKnownMs } from "#/store/db/answer-once.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** An object that exists already, and the token of the document that created it. */
export interface Duplicate {
  readonly entry: Entry;
  /** A description of the object, such as `Order 1001`. */
  readonly object: string;
  readonly originToken: string;
}

/**
 * Refuses duplicates with the facts by which the sender can distinguish a repeat from a mistake. It answers the
 * original ACK instead in two cases. Either the client's setting requests it (`canReplay`: NO and PO), or the first
 * document was parked and has been healed meanwhile. In the second case the resend that its ACK requested is not an error.
 */
export async function resolveDuplicates<Message>(
  tx: ClientTx,
  batch: Batch<Message>,
  duplicates: readonly Duplicate[],
  canReplay: boolean,
): Promise<void> {
  if (duplicates.length === 0) return;
  if (duplicates.some(({ originToken }) => batch.inProgress.has(originToken))) {
    throw new RaceError("both documents of one object are in this transaction: the second needs the row of the first");
  }
  const { settings } = batch.client;
  const origins = await findOrigins(tx, [...new Set(duplicates.map(({ originToken }) => originToken))]);
  for (const { entry, object, originToken } of duplicates) {
    const origin = origins.find(({ token }) => token === originToken);
    if (!origin) {
      entry.faults.push(
        finding("DUPLICATE", `${object} exists already: received as document ${originToken}, which is no longer kept`),
      );
      continue;
    }
    const isIdentical = origin.bodySha256.equals(entry.bodySha256);
    const isRecent = Date.parse(batch.at) - Date.parse(origin.receivedAt) < repeatKnownMs;
    const isReplayed = (canReplay && settings.identicalResend === "REPLAY" && isRecent) || origin.unparkedAt !== null;
    if (isIdentical && isReplayed && !entry.isReprocessed) entry.replayOf = originToken;
    else {
      const bytes = `its bytes are ${isIdentical ? "identical" : "different"}`;
      const text = `${object} exists already: received as document ${originToken} at ${origin.receivedAt}; ${bytes}`;
      entry.faults.push(finding("DUPLICATE", text));
    }
  }
}

import type { FeedClient, FeedType } from "#/feeds/definition.ts";
import type { Reading } from "#/feeds/judge.ts";
import type { PayloadEncoding } from "#/feeds/repository.ts";

/** A document on its way into the store. */
export interface Submission {
  readonly client: FeedClient;
  readonly type: FeedType;
  /** The ACK's token, a UUIDv7; for a document that was parked, the one it had. */
  readonly token: string;
  readonly receivedAt: string;
  readonly channel: "HTTP" | "SFTP" | "CLI";
  readonly contentType: string;
  /** Size as received. */
  readonly bodyBytes: number;
  /** What is kept of it. */
  readonly payload: { readonly encoding: PayloadEncoding; readonly bytes: Uint8Array };
  readonly bodySha256: Buffer;
  readonly idempotencyKey: string | undefined;
  /** Of a document that came as a file, which is judged with it (sftp.md). */
  readonly fileName?: string | undefined;
  readonly reading: Reading;
  /** Judged again after a catalogue brought what was missing: the stored document is settled, none is added. */
  readonly isHealing?: boolean;
}

export type Outcome =
  | { readonly kind: "judged"; readonly token: string; readonly isAccepted: boolean; readonly ack: Buffer }
  /** The original ACK, byte for byte, of a document that this one repeats. */
  | { readonly kind: "replayed"; readonly token: string; readonly ack: Buffer }
  /** The Idempotency-Key was bound by an accepted document with another body. */
  | { readonly kind: "keyConflict" };

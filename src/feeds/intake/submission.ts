import type { Change } from "#/db/audit.ts";
import type { FeedClient, FeedType } from "#/feeds/intake/definition.ts";
import type { Reading } from "#/feeds/intake/judge.ts";
import type { PayloadEncoding } from "#/feeds/repository.ts";
import type { Finding } from "#/kernel/feed-codes.ts";

/** How a document reached us. CONSOLE: an operator sent it for the client. */
export type Channel = "HTTP" | "SFTP" | "CLI" | "CONSOLE";

/** A document on its way into the store. */
export interface Submission {
  readonly client: FeedClient;
  readonly type: FeedType;
  /** The ACK's token, a UUIDv7; for a document that is judged again, the one it has. */
  readonly token: string;
  readonly receivedAt: string;
  readonly channel: Channel;
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
  /** Judged again, by today's rules and data: the stored document is settled, none is added. */
  readonly again?: { readonly from: UnsettledState } | undefined;
  /** Where a person does it by the console: written to the audit log in its transaction. */
  readonly change?: Change | undefined;
}

/** States in which a document may be judged again (lifecycle.md §6). */
export type UnsettledState = "REJECTED" | "PARKED";

export type Outcome = Verdict & {
  /** Of the object that the document is about, where it could be read. */
  readonly objectId?: string | undefined;
  /** How much was wrong with it, listed or not, as far as that needs no database. */
  readonly faultCount?: number;
};

type Verdict =
  | {
      readonly kind: "judged";
      readonly token: string;
      readonly isAccepted: boolean;
      /** Whether it waits for the SKUs that it names: kept, although its ACK says no. */
      readonly isParked: boolean;
      /** What was found, each code once. */
      readonly codes: readonly Finding["code"][];
      readonly ack: Buffer;
    }
  /** The original ACK, byte for byte, of a document that this one repeats. */
  | { readonly kind: "replayed"; readonly token: string; readonly ack: Buffer }
  /** The Idempotency-Key was bound by an accepted document with another body. */
  | { readonly kind: "keyConflict" };

import type { Entry, FeedClient, FeedDefinition, Piece } from "#/intake/feeds/intake/definition.ts";
import type { Reading } from "#/intake/feeds/intake/validator.ts";
import type { StoredPayload } from "#/intake/feeds/payload.ts";
import type { UnsettledState } from "#/intake/feeds/states.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { Change } from "#/store/db/audit.ts";

/** The channel of a document. CONSOLE: an operator sent it for the client. */
export const channels = ["HTTP", "SFTP", "CLI", "CONSOLE"] as const;
export type Channel = (typeof channels)[number];

/** A document on its way into the store. */
export interface Submission {
  readonly client: FeedClient;
  readonly type: FeedType;
  /** The ACK's token, a UUIDv7; a reprocessed document keeps its token. */
  readonly token: string;
  readonly receivedAt: string;
  readonly channel: Channel;
  readonly contentType: string;
  /** Size as received. */
  readonly bodyBytes: number;
  /** The stored payload. */
  payload: StoredPayload;
  readonly bodySha256: Buffer;
  readonly idempotencyKey: string | undefined;
  /** Of a document that arrived as a file; the file is settled together with it (sftp.md). */
  readonly fileName?: string | undefined;
  reading: Reading;
  /** Set for a list that is still read; its reading and its payload are empty until then. */
  arriving?: Arriving | undefined;
  /**
   * Set for a document that is reprocessed by the current rules and data: the stored document is settled, and none is
   * added.
   */
  readonly reprocessed?: { readonly from: UnsettledState } | undefined;
  /** Set where an operator does it through the console: written to the audit log in its transaction. */
  readonly change?: Change | undefined;
  /** Where traces are on, the end of its processing by `performance.now()`, until its first transaction begins. */
  waitsSinceMs?: number | undefined;
}

/** A list whose pieces a transaction may write while the rest of it is read. */
interface Arriving {
  readonly pieces: AsyncIterable<Piece>;
  /** Resolves when the submission has its reading and its payload. */
  readonly whole: Promise<void>;
}

export interface DocumentFindings {
  readonly faults: readonly Finding[];
  /** Number of faults beyond the listed ones. */
  readonly omitted: number;
  readonly warnings: readonly Finding[];
  readonly missingSkus: readonly string[];
}

export type Outcome = Verdict & {
  /** Id of the object that the document concerns, where it could be read. */
  readonly objectId?: string | undefined;
  /** Number of faults, listed or not, as far as they can be found without the database. */
  readonly faultCount?: number;
};

type Verdict =
  | {
      readonly kind: "validated";
      readonly token: string;
      readonly isAccepted: boolean;
      /** Whether the document waits for the SKUs that it names: it is stored, although its ACK reports a failure. */
      readonly isParked: boolean;
      /** The codes of the findings, each once. */
      readonly codes: readonly Finding["code"][];
      readonly findings: DocumentFindings;
      readonly ack: Buffer;
    }
  /** The original ACK, byte for byte, of a document that this one repeats. */
  | { readonly kind: "replayed"; readonly token: string; readonly ack: Buffer }
  /** The Idempotency-Key was bound by an accepted document with another body. */
  | { readonly kind: "keyConflict" };

/** The outcomes of documents, as far as they are known. */
export type Outcomes = ReadonlyMap<Submission, Outcome>;

/** The document as its feed validates it; undefined where nothing of it could be parsed. */
export function entryOf(submission: Submission, definition: FeedDefinition | undefined): Entry | undefined {
  const { token, receivedAt, bodySha256, reading, reprocessed } = submission;
  if (!reading.checked) return undefined;
  const { message, warnings, pieces } = reading.checked;
  return {
    token,
    receivedAt,
    bodySha256,
    message,
    pieces,
    faults: [...reading.faults],
    warnings: [...warnings],
    parkKey: definition?.parkKeyOf?.(message) ?? reading.objectId,
    isWithdrawal: definition?.isWithdrawal?.(message) === true,
    missingSkus: [],
    isReprocessed: reprocessed !== undefined,
    replayOf: undefined,
  };
}

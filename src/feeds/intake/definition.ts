import type { Transaction } from "#/db/database.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { PoolSettings } from "#/kernel/values/stock-pools.ts";
import type { WorkingCalendar } from "#/kernel/values/working-calendar.ts";
import type { EventDraft } from "#/outbox/append.ts";
import type { Shape } from "#/xml/index.ts";

export const feedTypes = ["CAT", "PO", "RMA", "NO"] as const;
export type FeedType = (typeof feedTypes)[number];

export function isFeedType(text: string): text is FeedType {
  return (feedTypes as readonly string[]).includes(text);
}

/** What the feeds need to know of a client; its settings by the names of operations.md §2. */
export interface FeedClient {
  readonly clientId: string;
  readonly status: "ACTIVE" | "SUSPENDED";
  /** Facility codes open to the client, in routing order. */
  readonly facilities: readonly string[];
  /** When these facilities work, by their codes; of one that is not there nothing is known. */
  readonly calendars?: Readonly<Record<string, WorkingCalendar>>;
  readonly settings: FeedSettings;
}

export interface FeedSettings extends PoolSettings {
  readonly rejectedFeedStatus: 200 | 422;
  readonly parkUnknownSkus: boolean;
  readonly identicalResend: "REJECT" | "REPLAY";
  readonly feedDeadlineMinutes: number;
  readonly catMode: "REPLACE" | "MERGE";
  /** What becomes of an order to nobody. */
  readonly namelessAddress: "REFUSE" | "HOLD" | "WARN";
  /** What becomes of an order whose state, e-mail address or telephone number is missing or cannot be. */
  readonly doubtfulAddress: "REFUSE" | "HOLD" | "WARN";
}

/** One document on its way: what was read of it, and what was found about it so far. */
export interface Entry<Message = unknown> {
  readonly token: string;
  /** Moment of receipt, ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly bodySha256: Buffer;
  readonly message: Message;
  /** Any fault refuses the whole document. */
  readonly faults: Finding[];
  readonly warnings: Finding[];
  /** What the document is about, as `parkKeyOf` tells it. */
  readonly parkKey: string | undefined;
  readonly isWithdrawal?: boolean;
  /** SKUs not known through CAT, in document order, each once. */
  readonly missingSkus: string[];
  /** Judged again: nobody waits for its ACK, and that of another document would be no answer. */
  readonly isAgain?: boolean;
  /** Set by `judge` when the document is a repeat whose original ACK is the answer. */
  replayOf: string | undefined;
}

export interface Checked<Message> {
  readonly message: Message;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The payload holds what may not be kept (a card number): the document is stored without it. */
  readonly isWithheld?: boolean;
  /** Memory in the message that a reading thread hands over instead of copying it. */
  readonly transfer?: readonly ArrayBuffer[];
}

export interface Batch<Message> {
  readonly client: FeedClient;
  readonly entries: readonly Entry<Message>[];
  /** Moment of judgement, ISO 8601 UTC. */
  readonly at: string;
  /** Tokens of all documents of this transaction: their rows are not written yet. */
  readonly underWay: ReadonlySet<string>;
}

/** The entries of a batch that take effect. */
export function effective<Message>({ entries }: Batch<Message>): Entry<Message>[] {
  return entries.filter(({ faults, replayOf }) => faults.length === 0 && replayOf === undefined);
}

/**
 * A feed, seen whole: everything the receiver needs to know about one type. The receiver reads and checks a document
 * without the database, then judges and writes it with its neighbours, set-wise, in one transaction.
 */
export interface FeedDefinition<Raw = unknown, Message = unknown> {
  readonly type: FeedType;
  readonly xsd: string;
  readonly shape: Shape<Raw>;
  /** The payload's clientId; must also read what failed its XSD. */
  clientIdOf(raw: Partial<Raw>): string | undefined;
  /** The ACK's objectId (specification §2.6); must also read what failed its XSD. */
  objectIdOf(raw: Partial<Raw>): string | undefined;
  /** Pure checks and the message in the platform's own terms; a message is made whatever the faults. */
  check(raw: Raw, client: FeedClient): Checked<Message>;
  /** Documents that share a key are judged one after the other; undefined: alone among its type. */
  keyOf(message: Message): string | undefined;
  /** What a document is about, for a resend that takes the place of a parked one; left out where the objectId tells. */
  parkKeyOf?(message: Message): string;
  /** A document that takes back what another asked for: it ends a parked one too, of which the store knows nothing yet. */
  isWithdrawal?(message: Message): boolean;
  /** Adds to the entries what the store says about them. Reads and locks, never writes what a document says. */
  judge(tx: Transaction, batch: Batch<Message>): Promise<void>;
  /** Writes the entries that have no fault; answers the events they cause. */
  write(tx: Transaction, batch: Batch<Message>): Promise<readonly EventDraft[]>;
}

/** Keeps the types of a definition together, then hides them from the receiver, which treats all feeds alike. */
export function defineFeed<Raw, Message>(definition: FeedDefinition<Raw, Message>): FeedDefinition {
  return definition as unknown as FeedDefinition;
}

/** A race with another node for a key: run the document again, alone; it will then see the other one. */
export class RaceError extends Error {
  override readonly name = "RaceError";
}

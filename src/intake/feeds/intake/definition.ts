import type { Shape } from "#/intake/xml/index.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { CustomsDestination } from "#/kernel/values/customs-rules.ts";
import type { HoldRule } from "#/kernel/values/hold-rules.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { PoolSettings } from "#/kernel/values/stock-pools.ts";
import type { WorkingCalendar } from "#/kernel/values/working-calendar.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** The data of a client that the feeds need; its settings have the names of operations.md §2. */
export interface FeedClient {
  readonly clientId: string;
  readonly status: "ACTIVE" | "SUSPENDED";
  /** Facility codes open to the client, in routing order. */
  readonly facilities: readonly string[];
  /** The working calendars and places of these facilities, by code; for a missing facility nothing is known. */
  readonly calendars?: Readonly<Record<string, FacilityCalendar>>;
  readonly settings: FeedSettings;
}

export interface FacilityCalendar extends WorkingCalendar {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly zip?: string | null;
}

/** How a facility is chosen for an order without distributionCentre, among those that can fill all of its lines. */
export const routingRules = ["ORDER", "FEWEST_PARCELS", "NEAREST", "CHEAPEST", "SOONEST"] as const;
export type RoutingRule = (typeof routingRules)[number];

/** Handlings of an order whose address has a fault, from the strictest to the most lenient. */
export const addressHandlings = ["REFUSE", "HOLD", "WARN"] as const;
export type AddressHandling = (typeof addressHandlings)[number];

/** The handling of an order by the answer of a verifier; OFF: its address is not verified. */
export const addressChecks = ["OFF", "WARN", "HOLD", "REFUSE"] as const;

export interface FeedSettings extends PoolSettings {
  readonly rejectedFeedStatus: 200 | 422;
  readonly parkUnknownSkus: boolean;
  readonly identicalResend: "REJECT" | "REPLAY";
  readonly feedDeadlineMinutes: number;
  readonly catMode: "REPLACE" | "MERGE";
  /** The handling of an order without a recipient name. */
  readonly namelessAddress: AddressHandling;
  /** The handling of an order whose state, e-mail address or telephone number is missing or impossible. */
  readonly doubtfulAddress: AddressHandling;
  readonly addressCheck: (typeof addressChecks)[number];
  /** Destinations for which a CAT warns of missing customs data. */
  readonly customsDestinations: readonly CustomsDestination[];
  /** The rules that place an order on hold when it is accepted. */
  readonly holdRules: readonly HoldRule[];
  readonly routingRule: RoutingRule;
  /** Several facilities may fulfil an order. */
  readonly splitOrders: boolean;
  /** The handling of an order that stock fills only in part. */
  readonly backorder: (typeof backorderPolicies)[number];
}

export const backorderPolicies = ["WAIT", "SHIP_AND_WAIT", "SHIP_AND_CANCEL"] as const;

/** One document in processing: its parsed content, and the findings so far. */
export interface Entry<Message = unknown> {
  readonly token: string;
  /** Moment of receipt, ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly bodySha256: Buffer;
  readonly message: Message;
  /** The parts of a long message. */
  readonly pieces?: readonly Piece[] | undefined;
  /** Any fault refuses the whole document. */
  readonly faults: Finding[];
  readonly warnings: Finding[];
  /** The object of the document, as `parkKeyOf` returns it. */
  readonly parkKey: string | undefined;
  readonly isWithdrawal?: boolean;
  /** SKUs not known through CAT, in document order, each once. */
  readonly missingSkus: string[];
  /** The document is reprocessed: no sender waits for its ACK, and the ACK of another document is not an answer. */
  readonly isReprocessed?: boolean;
  /** Set by `validate` when the document is a repeat whose original ACK is the answer. */
  replayOf: string | undefined;
}

export interface Checked<Message> {
  readonly message: Message;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The payload contains data that must not be stored (a card number): the document is stored without it. */
  readonly isWithheld?: boolean;
  /** The parts of a long message, which follow each other. */
  readonly pieces?: readonly Piece[];
}

/** A part of a long message. */
export interface Piece {
  readonly content: unknown;
  /** Memory of the content that a reading thread transfers instead of copying. */
  readonly transfer: readonly ArrayBuffer[];
}

/** How a document that is a long list is read piece by piece. */
interface ListReading<Raw, Message> {
  /** The element that repeats at the end of the root. The XSD has no rule over all of them. */
  readonly item: string;
  begin(client: FeedClient): ListCheck<Raw, Message>;
}

/** The checks of one list: what is in its parts, and what is over all of them. */
export interface ListCheck<Raw, Message> {
  /** @param raw the root with the next items. @param isWhole these are all items of the document */
  take(raw: Raw, isWhole: boolean): readonly Piece[];
  hasFaults(): boolean;
  /** The message without its pieces. */
  end(): Omit<Checked<Message>, "pieces">;
}

export interface Batch<Message> {
  readonly client: FeedClient;
  readonly entries: readonly Entry<Message>[];
  /** Moment of validation, ISO 8601 UTC. */
  readonly at: string;
  /** The ids of the process, which follow the clock of the store. */
  readonly ids: Ids;
  /** Tokens of all documents of this transaction: their rows are not written yet. */
  readonly inProgress: ReadonlySet<string>;
}

/** The entries of a batch that take effect. */
export function effective<Message>({ entries }: Batch<Message>): Entry<Message>[] {
  return entries.filter(({ faults, replayOf }) => faults.length === 0 && replayOf === undefined);
}

/** The parts of a feed type that need no database. */
interface FeedReading<Raw, Message> {
  readonly type: FeedType;
  readonly xsd: string;
  readonly shape: Shape<Raw>;
  /** The payload's clientId; must also read a document that failed its XSD. */
  clientIdOf(raw: Partial<Raw>): string | undefined;
  /** The ACK's objectId (specification §2.6); must also read a document that failed its XSD. */
  objectIdOf(raw: Partial<Raw>): string | undefined;
  /** Pure checks, and the message in the platform's own terms; a message is built despite any faults. */
  check(raw: Raw, client: FeedClient): Checked<Message>;
  readonly list?: ListReading<Raw, Message>;
  /** Documents that share a key are validated one after the other; undefined: the key is unique within the type. */
  keyOf(message: Message): string | undefined;
  /** The object of a document, for a resend that replaces a parked one; omitted where the objectId identifies it. */
  parkKeyOf?(message: Message): string;
  /**
   * A document that withdraws what another requested. It also ends a parked one, of which the store has no object yet.
   */
  isWithdrawal?(message: Message): boolean;
}

/** A list in a transaction that writes its pieces while the rest of the document is read. */
export interface ArrivingList {
  readonly client: FeedClient;
  readonly token: string;
  /** Moment of validation, ISO 8601 UTC. */
  readonly at: string;
  /** Ends with the last piece of a document without faults; throws WholeNeededError for any other. */
  readonly pieces: AsyncIterable<Piece>;
}

/**
 * A transaction that has written pieces holds locks: it waits this long for the next one. A thread reads a piece in some
 * 20 ms, or 200 ms on a busy machine. The server ends a transaction that is idle for 5 s.
 */
export const pieceMsMax = 2_000;

/** A list must be known to its end before its transaction may begin. Its pieces were not written, or are rolled back. */
export class WholeNeededError extends Error {
  override readonly name = "WholeNeededError";
}

/** Adds the findings that depend on the whole list to its entry, and writes what depends on them. */
export type ListEnd<Message = unknown> = (entry: Entry<Message>) => Promise<void>;

/** A feed type as its module defines it. */
export interface FeedParts<Raw, Message, Plan> extends FeedReading<Raw, Message> {
  /**
   * Adds findings from the store to the entries. Reads and locks, never writes content of a document.
   *
   * @returns what it has read for the write.
   */
  validate(tx: ClientTransaction, batch: Batch<Message>): Promise<Plan>;
  /** Writes the entries that have no fault; returns the events that they cause. */
  write(tx: ClientTransaction, batch: Batch<Message>, plan: Plan): Promise<readonly EventDraft[]>;
  /**
   * Validates and writes the pieces of a list one after the other, as they arrive. The transaction is rolled back if a
   * fault is found later.
   *
   * @returns the rest of the work, for the moment when the whole document is read.
   * @throws WholeNeededError where `validate` has to decide with the whole list.
   */
  writePieces?(tx: ClientTransaction, list: ArrivingList): Promise<ListEnd<Message>>;
}

/**
 * Everything that the receiver needs to know about one feed type. The receiver reads and checks a document without the
 * database. It then validates and writes it together with the other documents of its batch, set-wise, in one
 * transaction.
 */
export interface FeedDefinition<Raw = unknown, Message = unknown> extends FeedReading<Raw, Message> {
  /** Adds findings from the store to the entries. @returns the write of the entries that have no fault. */
  validate(tx: ClientTransaction, batch: Batch<Message>): Promise<() => Promise<readonly EventDraft[]>>;
  /** Writes a list while the rest of it is read. */
  writePieces?(tx: ClientTransaction, list: ArrivingList): Promise<ListEnd<Message>>;
}

/** Checks the types of a definition together, then hides them from the receiver, which treats all feeds alike. */
export function defineFeed<Raw, Message, Plan>(parts: FeedParts<Raw, Message, Plan>): FeedDefinition {
  const definition: FeedDefinition<Raw, Message> = {
    ...parts,
    async validate(tx, batch) {
      const plan = await parts.validate(tx, batch);
      return () => parts.write(tx, batch, plan);
    },
  };
  return definition as unknown as FeedDefinition;
}

/** A race with another node for a key: the document is retried alone, and then sees the other one. */
export class RaceError extends Error {
  override readonly name = "RaceError";
}

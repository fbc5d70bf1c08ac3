import { randomUUID } from "node:crypto";
import type { EventDocumentType } from "#/kernel/feed-types.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { combined } from "#/store/db/row-set.ts";
import { insertInto, table } from "#/store/db/table.ts";
import { Bundle, bundleIdOf, joinBundles, ofBundle } from "#/store/outbox/bundle.ts";

/** An event, in the form that a webhook topic (webhooks.md §3) publishes. */
export interface EventDraft {
  readonly topic: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly facilityCode?: string | undefined;
  /** The document whose outcome depends on this event. */
  readonly feedToken?: string | undefined;
  readonly data: unknown;
  /** The event's content for an outbound feed (outbound.md), as at this moment. */
  readonly outbound?: OutboundDraft | undefined;
}

/** The result of a command: its answer, and the events that the caller appends in the same transaction. */
export interface CommandResult<Answer = object> {
  readonly answer: Answer;
  readonly events: readonly EventDraft[];
}

/** The content of one outbound document; its envelope and its XML are made when the event is published. */
export interface OutboundDraft {
  readonly type: EventDocumentType;
  readonly objectId: string;
  readonly content: object;
}

/**
 * One for each connection that writes at a time. It marks its own slot in `outbox_due`, so that two writers of one
 * client never wait for each other there. A service with many concurrent requests rotates among several slots.
 */
export interface OutboxWriter {
  append(tx: ClientTransaction, at: string, drafts: readonly EventDraft[]): void;
}

/** A row of the outbox: an event, or the bundle of a transaction's events. */
interface NewRow {
  readonly outbox_id: string;
  readonly topic: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly facility_code?: string | undefined;
  readonly feed_token?: string | undefined;
  readonly occurred_at: string;
  readonly data: unknown;
  readonly outbound?: OutboundDraft | undefined;
  readonly weight: number;
  readonly events: number;
}

type BundleRow = NewRow & { readonly data: Bundle };

const insertRows = insertInto(
  table("outbox", ["outbox_id"], {
    outbox_id: "uuid",
    topic: "text",
    object_type: "text",
    object_id: "text",
    facility_code: "text?",
    feed_token: "uuid?",
    occurred_at: "timestamptz",
    data: "json",
    outbound: "json?",
    weight: "integer",
    events: "smallint",
  }),
  { combine: (rows: readonly NewRow[]) => (rows.every(isBundle) ? joinBundles(rows) : rows) },
);

const isBundle = (row: NewRow): row is BundleRow => row.data instanceof Bundle;

const markSlots = insertInto(table("outbox_due", ["slot"], { slot: "uuid", marked: "bigint" }), {
  onConflict: { set: ["marked"] },
  returning: ["marked"],
  combine: (rows: readonly { readonly slot: string; readonly marked: number }[]) =>
    combined(
      rows,
      ({ slot }) => slot,
      (left, right) => (left.marked > right.marked ? left : right),
    ),
});

/** One, plus one for each line of the object. An event with omitted lines states their number (`truncateLines`). */
export function weightOf({ data, outbound }: Pick<EventDraft, "data" | "outbound">): number {
  const { lines, linesTotal } = (data ?? {}) as { readonly lines?: unknown; readonly linesTotal?: unknown };
  const counted = typeof linesTotal === "number" ? linesTotal : Array.isArray(lines) ? lines.length : 0;
  const { lines: written } = (outbound?.content ?? {}) as { readonly lines?: unknown };
  return 1 + Math.max(counted, Array.isArray(written) ? written.length : 0);
}

/** An event with the id and the moment that it has in the event log. */
export interface AppendedEvent extends EventDraft {
  readonly outboxId: string;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
}

/** The row of one event: 0.2.0 reads no other, and the relay counts the attempts of one that fails. */
export function eventRowOf(event: AppendedEvent): NewRow {
  return {
    outbox_id: event.outboxId,
    topic: event.topic,
    object_type: event.objectType,
    object_id: event.objectId,
    facility_code: event.facilityCode,
    feed_token: event.feedToken,
    occurred_at: event.occurredAt,
    data: event.data,
    outbound: event.outbound,
    weight: weightOf(event),
    events: 1,
  };
}

function bundleRowOf(event: AppendedEvent): BundleRow {
  return {
    outbox_id: bundleIdOf(event.outboxId),
    topic: ofBundle,
    object_type: ofBundle,
    object_id: ofBundle,
    occurred_at: event.occurredAt,
    data: Bundle.of(event),
    weight: weightOf(event),
    events: 1,
  };
}

export function appendRows(tx: ClientTransaction, rows: readonly NewRow[]): void {
  insertRows.send(tx, rows);
}

interface OutboxWriterOptions {
  readonly slotCount?: number;
  /** A transaction that appended events of the client was committed: a hint for the relay. */
  readonly onCommit?: ((clientId: string) => void) | undefined;
}

export function createOutboxWriter(ids: Ids, { slotCount = 1, onCommit }: OutboxWriterOptions = {}): OutboxWriter {
  const slots = Array.from({ length: slotCount }, () => randomUUID());
  let marked = 0;
  return {
    /**
     * Appends events in the transaction that causes them: they exist exactly if it commits. The mark shows the relay
     * which client has work. Its row lock, held until the commit, prevents the relay from clearing it too early.
     */
    append(tx, at, drafts) {
      if (drafts.length === 0) return;
      const atMs = Date.parse(at);
      const events = drafts.map((draft) => ({ ...draft, outboxId: ids.next(atMs), occurredAt: at }));
      appendRows(tx, tx.writesPacked ? joinBundles(events.map(bundleRowOf)) : events.map(eventRowOf));
      markSlots.send(tx, [{ slot: slots[++marked % slotCount] as string, marked }]);
      if (onCommit) tx.afterCommit(() => onCommit(tx.clientId));
    },
  };
}

/** The lines of an object in an event, where an object has many lines (webhooks.md §2). */
export interface EventLines<Line> {
  readonly lines: readonly Line[];
  /** Present where lines were omitted: the number of the object's lines. */
  readonly linesTotal?: number;
  readonly linesTruncated?: true;
  /** Path of the REST record that contains all lines. */
  readonly href?: string;
}

const linesMax = 200;
/** A body has at most 256 KiB; its other fields need only a small part of the remainder. */
const linesBytesMax = 192 * 1024;

/**
 * Omits lines after the 200th, and those with which the body is too large.
 *
 * @param options.href path of the REST record of the object, where it has one.
 * @param options.hasLongLines the lines contain lists or free text, so that fewer than 200 may be too large: they are
 *   measured.
 */
export function truncateLines<Line>(
  lines: readonly Line[],
  options: { readonly href?: string | undefined; readonly hasLongLines?: boolean } = {},
): EventLines<Line> {
  const first = lines.slice(0, linesMax);
  const kept = options.hasLongLines === true ? fitting(first) : first;
  if (kept.length === lines.length) return { lines: kept };
  const { href } = options;
  return { lines: kept, linesTotal: lines.length, linesTruncated: true, ...(href === undefined ? {} : { href }) };
}

function fitting<Line>(lines: readonly Line[]): readonly Line[] {
  let bytes = 0;
  const tooMany = lines.findIndex((line) => {
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    return bytes > linesBytesMax;
  });
  return tooMany === -1 ? lines : lines.slice(0, tooMany);
}

import Type from "typebox";
import { type FeedSummary, feedSummary } from "#/console-api/feeds/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { FeedState } from "#/intake/feeds/states.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

/** The requested documents; an undefined field matches any value. */
export interface DocumentFilter {
  readonly feedTypes: readonly FeedType[] | undefined;
  readonly channels: readonly string[] | undefined;
  readonly states: readonly FeedState[] | undefined;
  readonly isOverdue: boolean;
  /** Code of an error, such as `UNKNOWN_SKU`. */
  readonly errorCode: string | undefined;
  /** Prefix of the object's name. */
  readonly objectPrefix: string | undefined;
  /** Bounds of the token, both included. */
  readonly tokenFrom: string | undefined;
  readonly tokenTo: string | undefined;
  /** ISO 8601 UTC; the first included. */
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
}

/**
 * Where documents are searched, each source with its own index (migrations/0002_feeds.sql): all documents by receipt, or those of
 * one state that few documents have.
 */
export type Source = "receipt" | "REJECTED" | "FAILED" | "PARKED" | "ACCEPTED" | "overdue" | readonly string[];

const sourceConditions: Readonly<Record<Exclude<Source, readonly string[]>, Statement>> = {
  receipt: sql`true`,
  REJECTED: sql`d.state = 'REJECTED'`,
  FAILED: sql`d.state = 'FAILED'`,
  PARKED: sql`d.state = 'PARKED'`,
  ACCEPTED: sql`d.state = 'ACCEPTED'`,
  overdue: sql`d.state = 'ACCEPTED' and d.overdue_at is not null`,
};

/** Condition on one client's documents. @param source where it is tokens, these documents */
function ofSource(source: Source): Statement {
  return typeof source === "string" ? sourceConditions[source] : sql`d.token = any(${source}::uuid[])`;
}

/** The same condition for all clients. It names the column of the index by receipt where no other index fits. */
export function ofSourceOfAll(source: Source): Statement {
  const isByState = typeof source === "string" && source !== "receipt";
  return isByState ? ofSource(source) : sql`d.received_at < 'infinity' and ${ofSource(source)}`;
}

/** The part of the list that is scanned: from after one token up to and including another. */
export interface Stretch {
  readonly isNewestFirst: boolean;
  readonly after: string | undefined;
  readonly reach: string | undefined;
}

const lowest = "00000000-0000-0000-0000-000000000000";
const highest = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Both bounds are always present, so that the plan uses the token whatever the filter is. */
export function ofStretch({ tokenFrom, tokenTo }: DocumentFilter, { isNewestFirst, after, reach }: Stretch): Statement {
  const low = isNewestFirst ? reach : undefined;
  const high = isNewestFirst ? undefined : reach;
  return allOf([
    sql`d.token >= ${largest(tokenFrom, low) ?? lowest}::uuid and d.token <= ${smallest(tokenTo, high) ?? highest}::uuid`,
    after === undefined ? undefined : isNewestFirst ? sql`d.token < ${after}::uuid` : sql`d.token > ${after}::uuid`,
  ]);
}

const largest = (a: string | undefined, b: string | undefined) => (b === undefined || (a ?? "") > b ? a : b);
const smallest = (a: string | undefined, b: string | undefined) => (b === undefined || (a ?? b) < b ? a : b);

export const inOrder = (isNewestFirst: boolean): Statement => (isNewestFirst ? sql`d.token desc` : sql`d.token`);

/** The conditions that remain to be checked on a document that its source has found. */
export function remaining(filter: DocumentFilter, source: Source): Statement {
  const { feedTypes, channels, states, isOverdue, errorCode, objectPrefix, receivedFrom, receivedTo } = filter;
  const isFoundByState = typeof source === "string" && source !== "receipt";
  return allOf([
    feedTypes === undefined ? undefined : sql`d.feed_type = any(${feedTypes}::text[])`,
    channels === undefined ? undefined : sql`d.channel = any(${channels}::text[])`,
    states === undefined || isFoundByState ? undefined : sql`d.state = any(${states}::text[])`,
    !isOverdue || source === "overdue" ? undefined : sql`(d.state = 'ACCEPTED' and d.overdue_at is not null)`,
    errorCode === undefined ? undefined : hasError(errorCode),
    objectPrefix === undefined ? undefined : sql`starts_with(d.object_id, ${objectPrefix})`,
    receivedFrom === undefined ? undefined : sql`d.received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`d.received_at < ${receivedTo}::timestamptz`,
  ]);
}

/** Whether any condition remains: a page may then have to scan many documents. */
export function hasRemaining(filter: DocumentFilter, source: Source): boolean {
  return remaining(filter, source).values.length > 0 || (filter.isOverdue && source !== "overdue");
}

function hasError(code: string): Statement {
  return sql`exists (
    select from jsonb_array_elements_text(case when jsonb_typeof(d.findings -> 'errors') = 'array' then d.findings -> 'errors' end) e
    where starts_with(e, ${`[${code}] `}))`;
}

/** A range condition on the object's name: from the prefix to the end of everything that begins with it. */
export function named(prefix: string): Statement {
  return sql`d.object_id > '' and d.object_id ~>=~ ${prefix} and d.object_id ~<=~ ${`${prefix}\u{10FFFF}`}`;
}

export const byName = sql`d.object_id using ~<~`;

/** Where the fields come from that every view of a document has. */
export const feedSources = {
  type: sql`d.feed_type`,
  size: sql`d.body_bytes`,
  settledAt: sql`d.completed_at`,
  overdueSince: sql`case when d.state = 'ACCEPTED' then d.overdue_at end`,
};

const countOf = (kind: Statement) =>
  sql`coalesce(jsonb_array_length(case when jsonb_typeof(d.findings -> ${kind}) = 'array' then d.findings -> ${kind} end), 0)`;

export const listColumns = columnsOf(Type.Omit(feedSummary, ["fileName"]), "d", {
  ...feedSources,
  errors: sql`${countOf(sql`'errors'`)} + coalesce((d.findings ->> 'errorsOmitted')::integer, 0)`,
  warnings: countOf(sql`'warnings'`),
  firstError: sql`d.findings -> 'errors' ->> 0`,
});

/** A document in a list. Its first error is a sentence. */
export type ListedFeed = Omit<FeedSummary, "fileName" | "firstError"> & { readonly firstError: string | null };

/** Documents of one client: an index finds its part of the list, whatever other clients send. */
export function listDocumentsOf(
  tx: ClientTx,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  limit: number,
): Promise<ListedFeed[]> {
  return tx.query(sql`select ${listColumns} from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)} and ${remaining(filter, source)}
      order by ${inOrder(stretch.isNewestFirst)} limit ${limit}`);
}

/** The last of the first `looked` documents in the order of the list; undefined where there are fewer. */
export async function findReachOf(
  tx: ClientTx,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ token: string }>(sql`select d.token from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)}
      order by ${inOrder(stretch.isNewestFirst)} limit 1 offset ${looked - 1}`);
  return rows[0]?.token;
}

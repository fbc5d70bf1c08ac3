/**
 * The list of exceptions over all clients: a page of each source, the marks that operators have set on each row, and
 * the number of rows.
 */

import Type, { type Static } from "typebox";
import { exception } from "#/console-api/exceptions/contract.ts";
import { instantOf } from "#/console-api/exceptions/instant.ts";
import type { Source } from "#/console-api/exceptions/sources/sources.cross-client.ts";
import type { ExceptionKey } from "#/console-api/exceptions/types.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

const storedFields = Type.Omit(exception, ["exceptionId", "type", "objectName", "summary", "cure"]);

/** An exception as its source finds it, with its annotation. */
export type StoredException = Static<typeof storedFields> &
  ExceptionKey & { readonly facts: Readonly<Record<string, unknown>> };

const columns = columnsOf(storedFields, "e", { owner: "k", note: "k", snoozedUntil: "k", snoozedBy: "k" });

export interface ExceptionFilter extends Scope {
  /** Null: exceptions without an owner; undefined: exceptions of any owner, or of none. */
  readonly owner?: string | null | undefined;
  /** Only snoozed exceptions, or only the others; undefined: both. */
  readonly isSnoozed?: boolean | undefined;
  /** Microseconds: the exception has existed since then, or longer. */
  readonly untilUs?: number | undefined;
  /** Occurs in the object's name, or in the known facts; letters of any case. */
  readonly text?: string | undefined;
  /** Only these keys, all of the source's type. */
  readonly keys?: readonly ExceptionKey[] | undefined;
}

/** Where a page begins: after this moment, and for rows of this very moment after the given row. */
export interface Place {
  readonly us: number;
  /** Undefined: also the rows of this very moment, or none of them where `isPast`. */
  readonly row?: { readonly clientId: string; readonly objectKey: string } | undefined;
  readonly isPast: boolean;
}

/** The rows of one source in the order of their age. @param at ISO 8601 */
export async function listOfSource(
  tx: Tx,
  source: Source,
  filter: ExceptionFilter,
  page: {
    readonly at: string;
    readonly isOldestFirst: boolean;
    readonly after: Place | undefined;
    readonly limit: number;
  },
): Promise<StoredException[]> {
  const { at, isOldestFirst, after, limit } = page;
  if (isOutside(source, filter)) return [];
  const selected = await source.select(at, tx);
  const afterCursor = after && (isOldestFirst ? placeAfter(source, after) : placeBefore(source, after));
  const order = isOldestFirst
    ? sql`e.ordered, e.client_id, e.object_key`
    : sql`e.ordered desc, e.client_id desc, e.object_key desc`;
  return tx.query(
    sql`select ${source.type}::text as type, ${columns}, e.object_key as "objectKey",
        (extract(epoch from e.since) * 1000000)::bigint as "sinceUs", e.facts
      from (${selected}) e ${annotationsOf(source, filter, at)}
      where ${conditionsOf(source, filter, at)} and ${afterCursor ?? sql`e.client_id is not null`}
      order by ${order} limit ${limit}`,
  );
}

export interface SourceCounts {
  readonly count: number;
  /** Of these: the user's, those without an owner, and those that have existed for a day. */
  readonly mine: number;
  readonly unassigned: number;
  readonly olderThanDay: number;
  /** ISO 8601 UTC; null where there is none. */
  readonly oldest: string | null;
  /** Null without a client, or where they are not counted by client. */
  readonly clientId: string | null;
}

/** @param at ISO 8601 */
export interface CountRequest {
  readonly at: string;
  readonly limit: number;
  readonly userName?: string;
  readonly isByClient?: boolean;
}

/**
 * The number of exceptions, counted up to the limit, and the time since when the oldest of them has existed: one row, or
 * one for each client that has any.
 */
export async function countOfSource(
  tx: Tx,
  source: Source,
  filter: ExceptionFilter,
  { at, limit, userName = "", isByClient = false }: CountRequest,
): Promise<SourceCounts[]> {
  if (isOutside(source, filter)) return [];
  const selected = await source.select(at, tx);
  const clientId = isByClient ? sql`c.client_id` : sql`null::text`;
  const groups = isByClient ? sql`group by c.client_id limit ${limit}` : sql`limit 1`;
  return tx.query<SourceCounts>(
    sql`select ${clientId} as "clientId", count(*)::integer as count, min(c.since) as oldest,
        (count(*) filter (where c.owner = ${userName}))::integer as mine,
        (count(*) filter (where c.owner is null))::integer as unassigned,
        (count(*) filter (where c.since <= ${at}::timestamptz - interval '1 day'))::integer as "olderThanDay"
      from (
        select e.since, e.client_id, k.owner from (${selected}) e ${annotationsOf(source, filter, at)}
        where ${conditionsOf(source, filter, at)} order by e.ordered limit ${limit}
      ) c ${groups}`,
  );
}

/** Citus refuses a condition without a column beside an outer join, such as one on a facility that is always null. */
const isOutside = ({ isOfNoFacility }: Source, { facilityCodes }: ExceptionFilter) =>
  isOfNoFacility === true && facilityCodes !== null;

/**
 * Joins each row's mark by its key; where the filter names an owner, or selects what is snoozed, starts from all such
 * marks.
 */
function annotationsOf(source: Source, { owner, isSnoozed }: ExceptionFilter, at: string): Statement {
  const same = sql`k.client_id = e.client_id and k.type = ${source.type} and k.object_key = e.object_key and k.since = e.since`;
  const selected = allOf([
    typeof owner === "string" ? sql`k.owner is not null and k.owner = ${owner}` : undefined,
    isSnoozed === true ? sql`k.snoozed_until is not null and k.snoozed_until > ${at}::timestamptz` : undefined,
  ]);
  return typeof owner === "string" || isSnoozed === true
    ? sql`join exception_annotation k on ${same} and k.resolved_at is null and ${selected}`
    : sql`left join lateral (
        select k.owner, k.note, k.resolved_at, k.snoozed_until, k.snoozed_by
        from exception_annotation k where ${same} limit 1
      ) k on true`;
}

function conditionsOf(source: Source, filter: ExceptionFilter, at: string): Statement {
  const { clientIds, facilityCodes, owner, isSnoozed, untilUs, text, keys } = filter;
  const until = untilUs === undefined ? undefined : boundOf(source, untilUs);
  return allOf([
    sql`k.resolved_at is null`,
    clientIds === null ? undefined : sql`e.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`e.facility_code = any(${facilityCodes}::text[])`,
    owner === null ? sql`k.owner is null` : undefined,
    isSnoozed === false ? sql`(k.snoozed_until is null or k.snoozed_until <= ${at}::timestamptz)` : undefined,
    until && sql`e.ordered <= ${until}`,
    text === undefined ? undefined : sql`position(lower(${text}) in lower(concat(e.object_id, ' ', e.facts))) > 0`,
    keys && ofKeys(source, keys),
  ]);
}

/** Finds rows by their moments, which the index of the source covers, and among those by their objects, if they differ. */
function ofKeys(source: Source, keys: readonly ExceptionKey[]): Statement {
  const moments = [...new Set(keys.map(({ sinceUs }) => instantOf(sinceUs + (source.aheadUs ?? 0), source.order)))];
  const names = keys.map(({ objectKey }) => objectKey);
  return allOf([
    source.order === "text"
      ? sql`e.ordered = any(${moments}::text[])`
      : sql`e.ordered = any(${moments}::timestamptz[])`,
    source.isOfOneKey ? undefined : sql`e.object_key = any(${names}::text[])`,
  ]);
}

function boundOf(source: Source, us: number): Statement {
  const instant = instantOf(us + (source.aheadUs ?? 0), source.order);
  return source.order === "text" ? sql`${instant}::text` : sql`${instant}::timestamptz`;
}

function placeAfter(source: Source, { us, row, isPast }: Place): Statement {
  const bound = boundOf(source, us);
  if (row === undefined) return isPast ? sql`e.ordered > ${bound}` : sql`e.ordered >= ${bound}`;
  return sql`e.ordered >= ${bound}
    and (e.ordered > ${bound} or (e.client_id, e.object_key) > (${row.clientId}, ${row.objectKey}))`;
}

function placeBefore(source: Source, { us, row, isPast }: Place): Statement {
  const bound = boundOf(source, us);
  if (row === undefined) return isPast ? sql`e.ordered < ${bound}` : sql`e.ordered <= ${bound}`;
  return sql`e.ordered <= ${bound}
    and (e.ordered < ${bound} or (e.client_id, e.object_key) < (${row.clientId}, ${row.objectKey}))`;
}

import { type Cause, causeOf, readCauseId } from "#/console-api/exceptions/causes.ts";
import { type Cure, cureOf } from "#/console-api/exceptions/cures.ts";
import {
  countOfSource,
  type ExceptionFilter,
  type ExceptionRow,
  listOfSource,
  type Place,
} from "#/console-api/exceptions/exceptions.cross-client.ts";
import { objectNameOf, sentenceOf } from "#/console-api/exceptions/sentences.ts";
import { type Source, sources } from "#/console-api/exceptions/sources/sources.cross-client.ts";
import {
  type ExceptionKey,
  type ExceptionObject,
  type ExceptionType,
  exceptionIdOf,
  exceptionTypes,
} from "#/console-api/exceptions/types.ts";
import type { Tx } from "#/db/database.ts";

/** An exception: an object that waits for an operator. */
export interface Exception extends ExceptionKey {
  readonly exceptionId: string;
  readonly facilityCode: string | null;
  readonly objectType: ExceptionObject;
  readonly objectId: string;
  /** What people call the object. */
  readonly objectName: string;
  readonly summary: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly owner: string | null;
  readonly note: string | null;
  /** The end of the last snooze, ISO 8601 UTC; in the past where the exception has come back. */
  readonly snoozedUntil: string | null;
  readonly snoozedBy: string | null;
  readonly cure: Cure;
  /** Undefined for an exception whose cause no other shares. */
  readonly causeId: string | undefined;
}

/** Position of the last row of a page: the next page starts after it. */
export interface PagePlace {
  readonly us: number;
  /** Index of the source in `sources`. */
  readonly source: number;
  readonly clientId: string;
  readonly objectKey: string;
}

export interface ExceptionPage {
  readonly items: readonly Exception[];
  readonly next: PagePlace | undefined;
}

/**
 * A page of all sources of the types, by age: each source reads its next rows by its index, and the page is merged from
 * them. Rows of the same moment come in the order of the sources.
 */
export async function listExceptions(
  tx: Tx,
  filter: ExceptionFilter & { readonly types: readonly ExceptionType[] },
  page: {
    readonly at: string;
    readonly isOldestFirst: boolean;
    readonly after: PagePlace | undefined;
    readonly limit: number;
  },
): Promise<ExceptionPage> {
  const { isOldestFirst, after, limit } = page;
  const requestedSources = [...sources.entries()].filter(([, { type }]) => filter.types.includes(type));
  const found = await Promise.all(
    requestedSources.map(async ([index, source]) => {
      const place = after && placeIn(index, after, isOldestFirst);
      const rows = await listOfSource(tx, source, filter, { ...page, after: place, limit: limit + 1 });
      return rows.map((row) => ({ index, source, row }));
    }),
  );
  const direction = isOldestFirst ? 1 : -1;
  const merged = found
    .flat()
    .toSorted((left, right) => direction * (left.row.since_us - right.row.since_us || left.index - right.index));
  const items = merged.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ source, row }) => exceptionOf(source.type, row)),
    next:
      last === undefined || merged.length <= limit
        ? undefined
        : { us: last.row.since_us, source: last.index, clientId: last.row.client_id, objectKey: last.row.object_key },
  };
}

/** Rows of each source that are grouped or searched at once: as many as the largest page of the list has. */
export const examinedMax = 500;
/** The maximum number of causes in an answer. */
export const causesMax = 500;

/** Exceptions of one client with one cause, or one exception whose cause no other shares. */
export interface CauseGroup {
  /** Undefined for an exception whose cause no other shares. */
  readonly cause: Cause | undefined;
  readonly count: number;
  /** More exceptions of the type exist than were examined, so that the cause may have more. */
  readonly isMore: boolean;
  /** ISO 8601 UTC: the start of the oldest exception. */
  readonly oldest: string;
  /** The owner of all of them; null where they differ, or where none has one. */
  readonly owner: string | null;
  readonly unassigned: number;
  /** ISO 8601 UTC: the end of the snooze that ends first; null where none was snoozed. */
  readonly snoozedUntil: string | null;
  readonly newest: Exception;
}

/** The newest exceptions of each source, grouped by their causes; the cause with the newest exception is first. */
export async function listCauses(
  tx: Tx,
  filter: ExceptionFilter & { readonly types: readonly ExceptionType[] },
  at: string,
): Promise<{ readonly groups: readonly CauseGroup[]; readonly isCut: boolean }> {
  const page = { at, isOldestFirst: false, after: undefined, limit: examinedMax + 1 };
  const examined = await Promise.all(
    sources
      .filter(({ type }) => filter.types.includes(type))
      .map(async (source) => {
        const rows = await listOfSource(tx, source, filter, page);
        return { type: source.type, rows: rows.slice(0, examinedMax), isMore: rows.length > examinedMax };
      }),
  );
  const groups = examined.flatMap(({ type, rows, isMore }) => groupsOf(type, rows, isMore));
  const newestFirst = groups.toSorted((left, right) => right.newest.sinceUs - left.newest.sinceUs);
  return {
    groups: newestFirst.slice(0, causesMax),
    isCut: newestFirst.length > causesMax || examined.some(({ isMore }) => isMore),
  };
}

/** @param rows newest first */
function groupsOf(type: ExceptionType, rows: readonly ExceptionRow[], isMore: boolean): CauseGroup[] {
  const caused = rows.map((row) => ({ row, cause: causeOf(type, row) }));
  const byCause = Map.groupBy(caused, ({ row, cause }) => cause?.causeId ?? row);
  return [...byCause.values()].flatMap((members) => {
    const [first] = members;
    const last = members.at(-1);
    if (first === undefined || last === undefined) return [];
    const owners = new Set(members.map(({ row }) => row.owner));
    return {
      cause: first.cause,
      count: members.length,
      isMore: isMore && first.cause !== undefined,
      oldest: last.row.since,
      owner: owners.size === 1 ? first.row.owner : null,
      unassigned: members.filter(({ row }) => row.owner === null).length,
      snoozedUntil: members.flatMap(({ row }) => row.snoozed_until ?? []).toSorted()[0] ?? null,
      newest: exceptionOf(type, first.row),
    };
  });
}

/**
 * A page of the exceptions with one cause. A page examines a bounded number of rows of the type and client, so it may
 * have fewer rows than the limit, and none, before the end.
 */
export async function listOfCause(
  tx: Tx,
  filter: ExceptionFilter & { readonly types: readonly ExceptionType[] },
  page: Omit<Parameters<typeof listExceptions>[2], "limit">,
  causeId: string,
): Promise<ExceptionPage> {
  const cause = readCauseId(causeId);
  const isInScope = cause !== undefined && (filter.clientIds === null || filter.clientIds.includes(cause.clientId));
  if (!isInScope || !filter.types.includes(cause.type)) return { items: [], next: undefined };
  const narrowed = { ...filter, types: [cause.type], clientIds: [cause.clientId] };
  const { items, next } = await listExceptions(tx, narrowed, { ...page, limit: examinedMax });
  return { items: items.filter((exception) => exception.causeId === causeId), next };
}

function placeIn(index: number, { us, source, clientId, objectKey }: PagePlace, isOldestFirst: boolean): Place {
  if (index === source) return { us, row: { clientId, objectKey }, isPast: false };
  // Sources of the same moment follow each other: those before the last row's source are past that moment.
  return { us, isPast: isOldestFirst ? index < source : index > source };
}

export interface TypeCount {
  readonly type: ExceptionType;
  /** At most `limit`. */
  readonly count: number;
  /** ISO 8601 UTC; null where there is none. */
  readonly oldest: string | null;
}

/** The number of exceptions of each type, each counted up to a limit. @param at ISO 8601 */
export async function countExceptions(
  tx: Tx,
  filter: ExceptionFilter,
  page: { readonly at: string; readonly limit: number },
): Promise<TypeCount[]> {
  const counted = await Promise.all(
    sources.map(async (source) => ({ type: source.type, ...(await countOfSource(tx, source, filter, page)) })),
  );
  return exceptionTypes.map((type) => {
    const countsOfType = counted.filter((typeCount) => typeCount.type === type);
    const oldest = countsOfType.flatMap((typeCount) => typeCount.oldest ?? []).toSorted()[0];
    const count = countsOfType.reduce((sum, typeCount) => sum + typeCount.count, 0);
    return { type, count: Math.min(count, page.limit), oldest: oldest ?? null };
  });
}

/** Those of the given exceptions that still exist, within what the user may see. @param at ISO 8601 */
export async function findExceptions(
  tx: Tx,
  scope: ExceptionFilter,
  keys: readonly ExceptionKey[],
  at: string,
): Promise<ReadonlyMap<string, Exception>> {
  const wanted = new Set(keys.map(exceptionIdOf));
  const found = await Promise.all(
    [...Map.groupBy(keys, ({ type }) => type)].flatMap(([type, keysOfType]) =>
      sources
        .filter((source: Source) => source.type === type)
        .map(async (source) => {
          const page = { at, isOldestFirst: true, after: undefined, limit: foundMax };
          const rows = await listOfSource(tx, source, { ...scope, keys: keysOfType }, page);
          return rows.map((row) => exceptionOf(type, row));
        }),
    ),
  );
  const exceptions = found.flat().filter(({ exceptionId }) => wanted.has(exceptionId));
  return new Map(exceptions.map((exception) => [exception.exceptionId, exception]));
}

/** Several clients may have an exception with the same moment and name. */
const foundMax = 10_000;

function exceptionOf(type: ExceptionType, row: ExceptionRow): Exception {
  const key = { type, clientId: row.client_id, objectKey: row.object_key, sinceUs: row.since_us };
  const exceptionId = exceptionIdOf(key);
  return {
    ...key,
    exceptionId,
    facilityCode: row.facility_code,
    objectType: row.object_type,
    objectId: row.object_id,
    objectName: objectNameOf(row),
    summary: sentenceOf(type, row),
    since: row.since,
    owner: row.owner,
    note: row.note,
    snoozedUntil: row.snoozed_until,
    snoozedBy: row.snoozed_by,
    cure: cureOf(type, exceptionId, row),
    causeId: causeOf(type, row)?.causeId,
  };
}

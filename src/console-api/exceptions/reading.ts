import { causeOf, readCauseId } from "#/console-api/exceptions/causes.ts";
import {
  type CauseSort,
  cursors,
  type ExceptionRecord,
  type ListQuery,
  type PagePlace,
} from "#/console-api/exceptions/contract.ts";
import { cureOf } from "#/console-api/exceptions/cures.ts";
import {
  type CountRequest,
  countOfSource,
  type ExceptionFilter,
  listOfSource,
  type Place,
  type StoredException,
} from "#/console-api/exceptions/exceptions.cross-client.ts";
import { objectNameOf, sentenceOf } from "#/console-api/exceptions/sentences.ts";
import { type Source, sources } from "#/console-api/exceptions/sources/sources.cross-client.ts";
import {
  type ExceptionKey,
  type ExceptionType,
  exceptionIdOf,
  exceptionTypes,
  severeTypes,
} from "#/console-api/exceptions/types.ts";
import { placeOf, readPage } from "#/http/requests/paging.ts";
import { ok } from "#/kernel/result.ts";
import type { Tx } from "#/store/db/database.ts";

/** An exception: an object that waits for an operator. */
export type Exception = ExceptionRecord &
  ExceptionKey & {
    /** Undefined for an exception whose cause no other shares. */
    readonly causeId: string | undefined;
  };

interface ExceptionPageRequest extends Pick<ListQuery, "cursor" | "limit"> {
  /** ISO 8601 */
  readonly at: string;
  readonly sort: keyof typeof cursors;
}

/**
 * A page of all sources of the types, by age: each source reads its next rows by its index, and the page is merged from
 * them. Rows of the same moment come in the order of the sources.
 */
export function listExceptions(
  tx: Tx,
  filter: ExceptionFilter & { readonly types: readonly ExceptionType[] },
  page: ExceptionPageRequest,
) {
  const { at, sort } = page;
  const isOldestFirst = sort === "since";
  const direction = isOldestFirst ? 1 : -1;
  const requestedSources = [...sources.entries()].filter(([, { type }]) => filter.types.includes(type));
  return readPage(page, {
    cursors: cursors[sort],
    async read(after, limit) {
      const found = await Promise.all(
        requestedSources.map(async ([index, source]) => {
          const place = after && placeIn(index, after, isOldestFirst);
          const rows = await listOfSource(tx, source, filter, { at, isOldestFirst, after: place, limit });
          return rows.map((row) => ({ ...row, source: index }));
        }),
      );
      return found
        .flat()
        .toSorted((left, right) => direction * (left.sinceUs - right.sinceUs || left.source - right.source));
    },
    placeOf: ({ sinceUs, source, clientId, objectKey }) => ({ us: sinceUs, source, clientId, objectKey }),
    itemOf: (row) => exceptionOf(row),
  });
}

/** Rows of each source that are grouped or searched at once: as many as the largest page of the list has. */
export const examinedMax = 500;
/** The maximum number of causes in an answer. */
export const causesMax = 500;

/** The newest exceptions of each source, grouped by their causes. @param page.at ISO 8601 */
export async function listCauses(
  tx: Tx,
  filter: ExceptionFilter & { readonly types: readonly ExceptionType[] },
  { at, sort }: { readonly at: string; readonly sort: CauseSort },
) {
  const page = { at, isOldestFirst: false, after: undefined, limit: examinedMax + 1 };
  const examined = await Promise.all(
    sources
      .filter(({ type }) => filter.types.includes(type))
      .map(async (source) => {
        const rows = await listOfSource(tx, source, filter, page);
        return { rows: rows.slice(0, examinedMax), isMore: rows.length > examinedMax };
      }),
  );
  const groups = examined.flatMap(({ rows, isMore }) => groupsOf(rows, isMore));
  const newestFirst = groups.toSorted((left, right) => right.newest.sinceUs - left.newest.sinceUs);
  return {
    items: newestFirst.slice(0, causesMax).toSorted(causeOrders[sort]),
    isCut: newestFirst.length > causesMax || examined.some(({ isMore }) => isMore),
  };
}

type CauseGroup = ReturnType<typeof groupsOf>[number];
type CauseOrder = (left: CauseGroup, right: CauseGroup) => number;

const rankOf = ({ newest }: CauseGroup) => (severeTypes.has(newest.type) ? 0 : 1);
const bySeverity: CauseOrder = (left, right) => rankOf(left) - rankOf(right);
const byCount: CauseOrder = (left, right) => left.count - right.count;
const byAge: CauseOrder = (left, right) => Date.parse(left.oldest) - Date.parse(right.oldest);
const reversed =
  (order: CauseOrder): CauseOrder =>
  (left, right) =>
    order(right, left);
const inTurn =
  (...orders: readonly CauseOrder[]): CauseOrder =>
  (left, right) =>
    orders.reduce((found, order) => found || order(left, right), 0);

const causeOrders: Readonly<Record<CauseSort, CauseOrder>> = {
  severity: inTurn(bySeverity, reversed(byCount), byAge),
  "-severity": inTurn(reversed(bySeverity), reversed(byCount), byAge),
  count: inTurn(byCount, byAge),
  "-count": inTurn(reversed(byCount), byAge),
  since: byAge,
  "-since": reversed(byAge),
};

/** @param rows newest first */
function groupsOf(rows: readonly StoredException[], isTypeCut: boolean) {
  const caused = rows.map((row) => ({ row, cause: causeOf(row) }));
  const byCause = Map.groupBy(caused, ({ row, cause }) => cause?.causeId ?? row);
  return [...byCause.values()].flatMap((members) => {
    const [first] = members;
    const last = members.at(-1);
    if (first === undefined || last === undefined) return [];
    const { cause } = first;
    const count = members.length;
    const isMore = isTypeCut && cause !== undefined;
    const owners = new Set(members.map(({ row }) => row.owner));
    const newest = exceptionOf(first.row);
    const { objectType, objectId, objectName, summary } =
      cause === undefined || (count === 1 && !isMore)
        ? newest
        : { ...cause, summary: cause.sentence(`${count}${isMore ? " or more" : ""}`) };
    return {
      causeId: cause?.causeId ?? null,
      count,
      isMore,
      objectType,
      objectId,
      objectName,
      summary,
      oldest: last.row.since,
      owner: owners.size === 1 ? first.row.owner : null,
      unassigned: members.filter(({ row }) => row.owner === null).length,
      snoozedUntil: members.flatMap(({ row }) => row.snoozedUntil ?? []).toSorted()[0] ?? null,
      newest,
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
  page: ExceptionPageRequest,
  causeId: string,
): ReturnType<typeof listExceptions> {
  const cause = readCauseId(causeId);
  const isInScope = cause !== undefined && (filter.clientIds === null || filter.clientIds.includes(cause.clientId));
  const place = placeOf(cursors[page.sort], page.cursor);
  if (!place.ok) return place;
  if (!isInScope || !filter.types.includes(cause.type)) return ok({ items: [], nextCursor: null });
  const narrowed = { ...filter, types: [cause.type], clientIds: [cause.clientId] };
  const examined = await listExceptions(tx, narrowed, { ...page, limit: examinedMax });
  if (!examined.ok) return examined;
  const { items, nextCursor } = examined.value;
  return ok({ items: items.filter((exception) => exception.causeId === causeId), nextCursor });
}

function placeIn(index: number, { us, source, clientId, objectKey }: PagePlace, isOldestFirst: boolean): Place {
  if (index === source) return { us, row: { clientId, objectKey }, isPast: false };
  // Sources of the same moment follow each other: those before the last row's source are past that moment.
  return { us, isPast: isOldestFirst ? index < source : index > source };
}

/** The counts of a type, each at most `limit`. */
export type CountKey = "count" | "mine" | "unassigned" | "olderThanDay";

export interface TypeCount extends Readonly<Record<CountKey, number>> {
  readonly type: ExceptionType;
  /** ISO 8601 UTC; null where there is none. */
  readonly oldest: string | null;
}

export interface ExceptionCounts {
  readonly types: readonly TypeCount[];
  /** Of each client that has any; none unless they are counted by client. */
  readonly clients: ReadonlyMap<string, number>;
}

/** The number of exceptions of each type, each counted up to a limit. */
export async function countExceptions(tx: Tx, filter: ExceptionFilter, page: CountRequest): Promise<ExceptionCounts> {
  const found = await Promise.all(
    sources.map(async (source) =>
      (await countOfSource(tx, source, filter, page)).map((counts) => ({ type: source.type, ...counts })),
    ),
  );
  const counted = found.flat();
  const types = exceptionTypes.map((type): TypeCount => {
    const countsOfType = counted.filter((counts) => counts.type === type);
    const oldest = countsOfType.flatMap((counts) => counts.oldest ?? []).toSorted()[0];
    const sumOf = (key: CountKey) =>
      Math.min(
        page.limit,
        countsOfType.reduce((sum, counts) => sum + counts[key], 0),
      );
    return {
      type,
      count: sumOf("count"),
      mine: sumOf("mine"),
      unassigned: sumOf("unassigned"),
      olderThanDay: sumOf("olderThanDay"),
      oldest: oldest ?? null,
    };
  });
  const clients = new Map<string, number>();
  for (const { clientId, count } of counted) {
    if (clientId !== null) clients.set(clientId, (clients.get(clientId) ?? 0) + count);
  }
  return { types, clients };
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
          return rows.map(exceptionOf);
        }),
    ),
  );
  const exceptions = found.flat().filter(({ exceptionId }) => wanted.has(exceptionId));
  return new Map(exceptions.map((exception) => [exception.exceptionId, exception]));
}

/** Several clients may have an exception with the same moment and name. */
const foundMax = 10_000;

function exceptionOf(row: StoredException): Exception {
  const exceptionId = exceptionIdOf(row);
  return {
    ...row,
    exceptionId,
    objectName: objectNameOf(row),
    summary: sentenceOf(row),
    cure: cureOf(row, exceptionId),
    causeId: causeOf(row)?.causeId,
  };
}

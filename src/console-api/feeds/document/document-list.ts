import {
  type DocumentFilter,
  findReachOf,
  hasRemaining,
  type ListedFeed,
  listDocumentsOf,
  type Source,
  type Stretch,
} from "#/console-api/feeds/conditions-repository.ts";
import { findReachOfAll, listDocumentsOfAll, listTokensAbout } from "#/console-api/feeds/feeds.cross-client.ts";
import { type LookedThrough, type Looking, lookThroughParts, partsOf } from "#/http/requests/looked-through.ts";
import type { FeedState } from "#/intake/feeds/states.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";

export interface ListRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly filter: DocumentFilter;
  readonly isNewestFirst: boolean;
  /** The page starts after this token. */
  readonly after: string | undefined;
  readonly limit: number;
}

export type ListedDocuments = LookedThrough<ListedFeed, string>;

/**
 * Documents whose object names share a prefix: up to this number, they are found by their names; beyond it, the list is
 * scanned.
 */
const namesakesMax = 1_000;

/**
 * A page of the feed log. It is merged from parts that indexes find: clients separately from each other, and the few
 * rejected documents separately from the many processed ones.
 */
export async function listDocuments(tx: Tx, request: ListRequest): Promise<ListedDocuments> {
  const { clientIds, filter, isNewestFirst } = request;
  if (clientIds?.length === 0) return { rows: [], reach: undefined };
  const namesakes = await findNamesakes(tx, request);
  const sources = namesakes ? [namesakes] : sourcesOf(filter);
  const isBefore = (left: string, right: string) => (isNewestFirst ? left > right : left < right);
  const parts = partsOf(clientIds).flatMap((some) =>
    sources.map((source) => {
      const [clientId] = some ?? [];
      const isOfOne = some?.length === 1 && clientId !== undefined;
      const reader = isOfOne ? ofClient(tx.of(clientId), filter, source) : ofAll(tx, some, filter, source);
      return partOf(request, source, reader, isOfOne);
    }),
  );
  return lookThroughParts(parts, isBefore);
}

/** The few documents whose objects have such names; undefined where the filter has no name, or many documents match. */
async function findNamesakes(tx: Tx, { clientIds, filter }: ListRequest): Promise<readonly string[] | undefined> {
  if (filter.objectPrefix === undefined) return undefined;
  const tokens = await listTokensAbout(tx, clientIds, filter.objectPrefix, namesakesMax + 1);
  return tokens.length > namesakesMax ? undefined : tokens;
}

const withErrors: readonly FeedState[] = ["REJECTED", "PARKED"];
/** States that few documents enter, or stay in. */
const rare: readonly FeedState[] = ["REJECTED", "PARKED", "FAILED", "ACCEPTED"];

function sourcesOf({ states: requestedStates, isOverdue, errorCode }: DocumentFilter): readonly Source[] {
  if (isOverdue) return ["overdue"];
  const states = requestedStates ?? (errorCode === undefined ? undefined : withErrors);
  if (states?.every((state) => rare.includes(state))) return states as readonly Source[];
  return ["receipt"];
}

interface Reader {
  list(stretch: Stretch, limit: number): Promise<ListedFeed[]>;
  findReach(stretch: Stretch, looked: number): Promise<string | undefined>;
}

const ofClient = (tx: ClientTx, filter: DocumentFilter, source: Source): Reader => ({
  list: (stretch, limit) => listDocumentsOf(tx, filter, source, stretch, limit),
  findReach: (stretch, looked) => findReachOf(tx, filter, source, stretch, looked),
});

const ofAll = (tx: Tx, clientIds: readonly string[] | null, filter: DocumentFilter, source: Source): Reader => ({
  list: (stretch, limit) => listDocumentsOfAll(tx, clientIds, filter, source, stretch, limit),
  findReach: (stretch, looked) => findReachOfAll(tx, filter, source, stretch, looked),
});

function partOf(
  { filter, isNewestFirst, after, limit, clientIds }: ListRequest,
  source: Source,
  reader: Reader,
  isOfOne: boolean,
): Looking<ListedFeed, string> {
  // Documents that were found by their names are few. Each source has an index for all clients, and one for each client.
  const isIndexed = typeof source !== "string" || (!hasRemaining(filter, source) && (clientIds === null || isOfOne));
  return {
    after,
    limit,
    placeOf: ({ token }) => token,
    list: (from, reach, rows) => reader.list({ isNewestFirst, after: from, reach }, rows),
    findReach: isIndexed
      ? undefined
      : (from, looked) => reader.findReach({ isNewestFirst, after: from, reach: undefined }, looked),
  };
}

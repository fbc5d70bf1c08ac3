/**
 * Pages of a list whose filter no index serves: the number of scanned rows is limited, and a page may end before it is
 * full.
 */
import type { Problem } from "#/http/problems/problem.ts";
import { type Cursor, type Page, type PageQuery, pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import { ok, type Result } from "#/kernel/result.ts";

/** Rows per step, and steps per page. */
export const lookedAtOnce = 20_000;
const looksMax = 12;

export interface Looking<Row, Place> {
  /** The list is read from after this position. */
  readonly after: Place | undefined;
  readonly limit: number;
  /** Matching rows, from after one position up to and including another; to the end without one. */
  list(after: Place | undefined, reach: Place | undefined, limit: number): Promise<readonly Row[]>;
  /**
   * The last of the next `looked` rows after the position, matching or not; undefined where there are fewer. Omitted
   * where an index finds the matching rows.
   */
  readonly findReach?: ((after: Place | undefined, looked: number) => Promise<Place | undefined>) | undefined;
  placeOf(row: Row): Place;
}

export interface LookedThrough<Row, Place> {
  readonly rows: readonly Row[];
  /** The list continues after this position; undefined at its end. */
  readonly reach: Place | undefined;
}

/** Scans a list, step by step, until the page is full or the scan limit is reached. */
export async function lookThrough<Row, Place>(
  looking: Looking<Row, Place>,
  stepsMax = looksMax,
): Promise<LookedThrough<Row, Place>> {
  const { limit, findReach } = looking;
  const rows: Row[] = [];
  let from = looking.after;
  for (let steps = 0; steps < stepsMax; steps++) {
    const reach = await findReach?.(from, lookedAtOnce);
    rows.push(...(await looking.list(from, reach, limit + 1 - rows.length)));
    const last = rows[limit - 1];
    if (rows.length > limit && last) return { rows: rows.slice(0, limit), reach: looking.placeOf(last) };
    if (reach === undefined) return { rows, reach: undefined };
    from = reach;
  }
  return { rows, reach: from };
}

/** A list that is looked through, as its route reads it, page by page. */
export interface SearchedList<Row, Position, Place, Item> {
  readonly cursors: Cursor<Position>;
  search(after: Position | undefined, limit: number): Promise<LookedThrough<Row, Place>>;
  /** Left out where the place is the position of the cursor. */
  positionOf?(reach: Place): Position;
  /** Left out where the row is the item. */
  itemOf?(row: Row): Item;
  /** Instead of `itemOf`, where items need further reads. */
  itemsOf?(rows: readonly Row[]): Promise<Item[]>;
}

/** The page that a request asks for; refused where its cursor is of another list. */
export async function readSearchedPage<Row, Position, Place, Item = Row>(
  { cursor, limit = pageLimitDefault }: PageQuery,
  list: SearchedList<Row, Position, Place, Item>,
): Promise<Result<Page<Item>, Problem>> {
  const {
    cursors,
    itemOf = (row) => row as unknown as Item,
    positionOf = (reach) => reach as unknown as Position,
  } = list;
  const after = placeOf(cursors, cursor);
  if (!after.ok) return after;
  const { rows, reach } = await list.search(after.value, limit);
  const items = list.itemsOf === undefined ? rows.map(itemOf) : await list.itemsOf(rows);
  return ok({ items, nextCursor: reach === undefined ? null : cursors.encode(positionOf(reach)) });
}

/** Up to this number of clients, a list is read client by client; beyond it, all are read together. */
const clientsApartMax = 20;

/**
 * The parts in which a list is read, as filters on clients. An index that begins with the client finds the rows of one
 * client, whatever the number of rows of the others. @param clientIds null: all.
 */
export function partsOf(clientIds: readonly string[] | null): readonly (readonly string[] | null)[] {
  return clientIds !== null && clientIds.length <= clientsApartMax
    ? clientIds.map((clientId) => [clientId])
    : [clientIds];
}

/**
 * Scans the parts of a list and merges them. The parts share the scan limit, and each has at least one step.
 * @param isBefore the order of the list
 */
export async function lookThroughParts<Row, Place>(
  parts: readonly Looking<Row, Place>[],
  isBefore: (left: Place, right: Place) => boolean,
): Promise<LookedThrough<Row, Place>> {
  const [first, ...others] = parts;
  if (!first) return { rows: [], reach: undefined };
  if (others.length === 0) return lookThrough(first);
  const { limit, placeOf } = first;
  const stepsMax = Math.max(1, Math.floor(looksMax / parts.length));
  const read = await Promise.all(parts.map((part) => lookThrough(part, stepsMax)));
  const inOrder = (left: Place, right: Place) => (isBefore(left, right) ? -1 : isBefore(right, left) ? 1 : 0);
  // Beyond the end of any part the order of the whole is unknown.
  const end = read.flatMap(({ reach }) => (reach === undefined ? [] : [reach])).sort(inOrder)[0];
  const rows = read
    .flatMap((part) => part.rows)
    .filter((row) => end === undefined || !isBefore(end, placeOf(row)))
    .sort((left, right) => inOrder(placeOf(left), placeOf(right)));
  const last = rows[limit - 1];
  if (rows.length > limit && last) return { rows: rows.slice(0, limit), reach: placeOf(last) };
  return { rows, reach: end };
}

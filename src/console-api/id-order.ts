// Lists in the order of their ids, which contain the time: oldest first, or newest first.
import Type from "typebox";
import { type Looking, lookThroughParts, readSearchedPage } from "#/http/requests/looked-through.ts";
import { defineCursor, type PageQuery, placeIdV7 } from "#/http/requests/paging.ts";
import { idAfter, idBoundary } from "#/kernel/values/ids.ts";

const firstId = idBoundary(0);
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A range of ids: from the first one, before the second one. */
export interface IdRange {
  readonly from: string;
  readonly before: string;
  readonly isNewestFirst: boolean;
}

/**
 * By the time that the ids contain, with a minus the newest first.
 *
 * @param title of the schema: generators create one type for it
 * @param field of the record that has this time
 */
export function idSort<const Field extends string>(title: string, field: Field) {
  const sorts = [field, `-${field}`] as const;
  return Type.Optional(
    Type.Unsafe<Field | `-${Field}`>({
      type: "string",
      title,
      enum: [...sorts],
      default: sorts[1],
      description: "By time: oldest first, or with a minus newest first.",
      examples: [sorts[0]],
    }),
  );
}

const place = Type.Object({ id: placeIdV7 });

/** The cursors of a list. That of the newest first is the older one, and has the name of the list. */
export const idCursors = (name: string) => ({
  newestFirst: defineCursor(name, place),
  oldestFirst: defineCursor(`${name}:oldestFirst`, place),
});

interface IdSearch<Row> {
  /** The ids of the list: from the first one, before the second one. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  idOf(row: Row): string;
  list(range: IdRange, limit: number): Promise<readonly Row[]>;
  /** The last of the first `looked` ids of the range in its order. Omitted where an index finds the matching rows. */
  readonly findReach?: ((range: IdRange, looked: number) => Promise<string | undefined>) | undefined;
}

interface IdList<Part, Row, Item> {
  readonly parts: readonly Part[];
  searchOf(part: Part): IdSearch<Row>;
  /** As those of other lists that are looked through. */
  itemOf?(row: Row): Item;
  itemsOf?(rows: readonly Row[]): Promise<Item[]>;
}

/** A page of a list that is sorted newest first, unless another sort is named. */
export function readPageById<Part, Row, Item = Row>(
  query: PageQuery & { readonly sort?: string },
  cursors: ReturnType<typeof idCursors>,
  { parts, searchOf, ...list }: IdList<Part, Row, Item>,
) {
  const isNewestFirst = query.sort?.startsWith("-") ?? true;
  return readSearchedPage(query, {
    ...list,
    cursors: isNewestFirst ? cursors.newestFirst : cursors.oldestFirst,
    search: (after, limit) =>
      lookThroughParts(
        parts.map((part) => lookingById(searchOf(part), { isNewestFirst, after: after?.id, limit })),
        (left, right) => (isNewestFirst ? left > right : left < right),
      ),
    positionOf: (id) => ({ id }),
  });
}

function lookingById<Row>(
  { start = firstId, end = lastId, idOf, list, findReach }: IdSearch<Row>,
  page: { readonly isNewestFirst: boolean; readonly after: string | undefined; readonly limit: number },
): Looking<Row, string> {
  const { isNewestFirst, after: first, limit } = page;
  const rangeOf = (after: string | undefined, reach: string | undefined): IdRange => {
    if (isNewestFirst) {
      return { isNewestFirst, from: reach ?? start, before: after !== undefined && after < end ? after : end };
    }
    const next = after === undefined ? start : idAfter(after);
    return { isNewestFirst, from: next > start ? next : start, before: reach === undefined ? end : idAfter(reach) };
  };
  return {
    after: first,
    limit,
    placeOf: idOf,
    list: (after, reach, most) => list(rangeOf(after, reach), most),
    findReach: findReach && ((after, looked) => findReach(rangeOf(after, undefined), looked)),
  };
}

// Lists in the order of their ids, which contain the time: oldest first, or newest first.
import Type from "typebox";
import type { Looking } from "#/http/requests/looked-through.ts";
import { type Cursor, defineCursor, placeIdV7 } from "#/http/requests/paging.ts";
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

/** The cursor of a list that is sorted newest first, unless another sort is named. */
export function idCursorOf<Place>(
  cursors: { readonly newestFirst: Cursor<Place>; readonly oldestFirst: Cursor<Place> },
  sort: string | undefined,
) {
  const isNewestFirst = sort?.startsWith("-") ?? true;
  return { isNewestFirst, cursor: isNewestFirst ? cursors.newestFirst : cursors.oldestFirst };
}

interface IdSearch<Row> {
  readonly isNewestFirst: boolean;
  /** The ids of the list: from the first one, before the second one. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
  idOf(row: Row): string;
  list(range: IdRange, limit: number): Promise<readonly Row[]>;
  /** The last of the first `looked` ids of the range in its order. Omitted where an index finds the matching rows. */
  readonly findReach?: ((range: IdRange, looked: number) => Promise<string | undefined>) | undefined;
}

/** A list by id to look through. */
export function lookingById<Row>(search: IdSearch<Row>): Looking<Row, string> {
  const { isNewestFirst, start = firstId, end = lastId, after, limit, idOf, list, findReach } = search;
  const rangeOf = (after: string | undefined, reach: string | undefined): IdRange => {
    if (isNewestFirst) {
      return { isNewestFirst, from: reach ?? start, before: after !== undefined && after < end ? after : end };
    }
    const next = after === undefined ? start : idAfter(after);
    return { isNewestFirst, from: next > start ? next : start, before: reach === undefined ? end : idAfter(reach) };
  };
  return {
    after,
    limit,
    placeOf: idOf,
    list: (after, reach, most) => list(rangeOf(after, reach), most),
    findReach: findReach && ((after, looked) => findReach(rangeOf(after, undefined), looked)),
  };
}

export const isBeforeById = (isNewestFirst: boolean) => (left: string, right: string) =>
  isNewestFirst ? left > right : left < right;

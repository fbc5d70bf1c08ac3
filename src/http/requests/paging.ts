import Type, { type Static, type TSchema } from "typebox";
import { invalidRequest, type Problem } from "#/http/problems/problem.ts";
import { closed, maybeText } from "#/http/routes/schema.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkOf } from "#/kernel/values/schema-check.ts";

const version = 1;

/**
 * The start of every list. It is the example of every cursor in the documents, so that a request built from the
 * examples succeeds. A real cursor belongs to one list, one sort and sometimes one client: no fixed example of one is
 * valid everywhere.
 */
export const startCursor = Buffer.from(JSON.stringify({ v: version, k: "start" })).toString("base64url");

/** Parameters of every list (contract rest.md §2). */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description:
        "Maximum number of records. A page may have fewer, because its size is limited too: only nextCursor says whether another page follows.",
      examples: [50],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "The nextCursor of the previous page. The example is the start of every list.",
      examples: [startCursor],
    }),
  ),
};

export const pageLimitDefault = 50;

/** The answer of every list; its name derives from its records. */
export function pageOf<Item extends TSchema>(item: Item, description: string) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      items: Type.Array(item, { description: "The records of this page." }),
      nextCursor: maybeText("Sent as `cursor`, it answers the next page; null at the end.", startCursor),
    },
    { ...closed, description, ...(title === undefined ? {} : { title: `${title}Page` }) },
  );
}

export interface Cursor<Position> {
  encode(position: Position): string;
  /** The position, or undefined when the text is not a cursor of this kind. */
  decode(text: string): Position | undefined;
}

/**
 * Cursors of one list. They are opaque to clients, and contain their purpose: a cursor of another list or another sort
 * is refused instead of being misread.
 *
 * @param kind names list and sort, such as `orders:receivedAt`.
 * @param position schema of the sort key of the last record that was answered.
 */
export function defineCursor<Position extends TSchema>(kind: string, position: Position): Cursor<Static<Position>> {
  assertPlaces(position, kind);
  const check = checkOf(position);
  return {
    encode: (at) => Buffer.from(JSON.stringify({ v: version, k: kind, p: at })).toString("base64url"),
    decode(text) {
      if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
      const decoded = parse(Buffer.from(text, "base64url").toString());
      if (decoded?.v !== version || decoded.k !== kind || !check().Check(decoded.p)) return undefined;
      return decoded.p as Static<Position>;
    },
  };
}

const textPattern = "^[^\\u0000]*$";
const idPattern = "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
const idV7Pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
const dayPattern = "^\\d{4,6}-\\d{2}-\\d{2}$";
const momentPattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?Z$";

// The texts of positions. A cursor can be forged, and the store answers a text that is not of the column's type with an
// error.
export const placeText = (lengthMax = 64) => Type.String({ maxLength: lengthMax, pattern: textPattern });
export const placeId = Type.String({ pattern: idPattern });
/** An id that contains its time. */
export const placeIdV7 = Type.String({ pattern: idV7Pattern });
export const placeDay = Type.Refine(Type.String({ pattern: dayPattern }), isDay, () => "must be a day");
export const placeMoment = Type.Refine(
  Type.String({ pattern: momentPattern }),
  (text) => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  () => "must be a moment",
);

/** A day that PostgreSQL and the program know: 30 February is none. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  const at = new Date(Date.UTC(year, month - 1, day));
  return year >= 1_000 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/** Fails for a position with a text of which it is unknown what the store accepts. */
function assertPlaces(schema: TSchema, kind: string): void {
  const {
    type,
    pattern,
    properties = {},
  } = schema as {
    readonly type?: string;
    readonly pattern?: string;
    readonly properties?: Readonly<Record<string, TSchema>>;
  };
  const isKnown = [textPattern, idPattern, idV7Pattern, dayPattern, momentPattern].includes(pattern ?? "");
  assert(
    type !== "string" || isKnown,
    `a text of the cursor ${kind} is none of placeText, placeId, placeIdV7, placeDay, placeMoment`,
  );
  for (const property of Object.values(properties)) assertPlaces(property, kind);
}

/** The position that a cursor of the request contains; undefined where the list begins at its start. */
export function placeOf<Position>(
  cursors: Cursor<Position>,
  text: string | undefined,
): Result<Position | undefined, Problem> {
  if (text === undefined || text === startCursor) return ok(undefined);
  const place = cursors.decode(text);
  if (place !== undefined) return ok(place);
  return refused(invalidRequest([{ pointer: "/query/cursor", message: "is not a nextCursor of this list and sort" }]));
}

/** A list as its route reads it, page by page. */
export interface PagedList<Row, Position, Item> {
  readonly cursors: Cursor<Position>;
  /** The rows after a position; more than `limit` of them are of no use. */
  read(after: Position | undefined, limit: number): Promise<readonly Row[]>;
  placeOf(row: Row): Position;
  /** Left out where the row is the item; the answer has the fields of its schema only. */
  itemOf?(row: Row): Item;
  /** Instead of `itemOf`, where a page of items needs further reads; the page ends early where it returns fewer items. */
  itemsOf?(rows: readonly Row[]): Promise<Item[]>;
}

export interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page as it is answered. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** The page that a request asks for; refused where its cursor is of another list. */
export async function readPage<Row, Position, Item = Row>(
  { cursor, limit = pageLimitDefault }: PageQuery,
  list: PagedList<Row, Position, Item>,
): Promise<Result<Page<Item>, Problem>> {
  const { cursors, itemOf = (row) => row as unknown as Item } = list;
  const after = placeOf(cursors, cursor);
  if (!after.ok) return after;
  // One row more than requested shows whether another page follows.
  const rows = await list.read(after.value, limit + 1);
  const page = rows.slice(0, limit);
  const items = list.itemsOf === undefined ? page.map(itemOf) : await list.itemsOf(page);
  const last = rows.length > items.length ? page[items.length - 1] : undefined;
  return ok({ items, nextCursor: last === undefined ? null : cursors.encode(list.placeOf(last)) });
}

/**
 * The rows of a page that have all their parts, for `itemsOf`. The parts come row by row, at most `max` plus one; the
 * incomplete row and all after it go to the next page. The page has at least one row, otherwise no page would get past
 * it.
 */
export function wholeRows<Key extends string, Row extends Readonly<Record<Key, string>>>(
  rows: readonly Row[],
  parts: readonly Readonly<Record<Key, string>>[],
  { key, max }: { readonly key: Key; readonly max: number },
): readonly Row[] {
  const cut = parts.length > max ? rows.findIndex((row) => row[key] === parts.at(-1)?.[key]) : -1;
  return cut === -1 ? rows : rows.slice(0, Math.max(1, cut));
}

function parse(text: string): { v?: unknown; k?: unknown; p?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Lists are sorted by receipt, oldest first, or with a minus newest first (contract rest.md §2). */
const receiptSorts = ["receivedAt", "-receivedAt"] as const;
export type ReceiptSort = (typeof receiptSorts)[number];

export const receiptSortParameter = Type.Optional(
  Type.Enum([...receiptSorts], {
    type: "string",
    title: "ReceiptSort",
    default: "receivedAt",
    description: "By receipt: oldest first, or with a minus newest first.",
    examples: ["receivedAt"],
  }),
);

/**
 * Position in such a list: microseconds since 1970 of the receipt, with the precision of the store, and the record's
 * id.
 */
const receiptPlace = Type.Object({
  us: Type.Integer({ minimum: 0, maximum: 8_000_000_000_000_000 }),
  // Two identifiers and a line break between them.
  id: placeText(129),
});
export type ReceiptPlace = Static<typeof receiptPlace>;

/** @param kind names the list, such as `orders`. */
export function defineReceiptCursors(kind: string): Readonly<Record<ReceiptSort, Cursor<ReceiptPlace>>> {
  return {
    receivedAt: defineCursor(`${kind}:receivedAt`, receiptPlace),
    "-receivedAt": defineCursor(`${kind}:-receivedAt`, receiptPlace),
  };
}

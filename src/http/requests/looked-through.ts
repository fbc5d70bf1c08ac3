/** Pages of a list whose filter no index knows: so many rows are looked at, and the page may end before it is full. */

/** With one statement, and so often for one page. */
export const lookedAtOnce = 20_000;
const looksMax = 12;

export interface Looking<Row, Place> {
  /** The list is read from behind this place. */
  readonly after: Place | undefined;
  readonly limit: number;
  /** Rows that fit, from behind one place to another, which is included; to the end without one. */
  list(after: Place | undefined, reach: Place | undefined, limit: number): Promise<readonly Row[]>;
  /**
   * The last of so many rows behind the place, whether they fit or not; undefined where there are fewer. Without this an
   * index leads to the rows that fit.
   */
  readonly findReach?: ((after: Place | undefined, looked: number) => Promise<Place | undefined>) | undefined;
  placeOf(row: Row): Place;
}

export interface LookedThrough<Row, Place> {
  readonly rows: readonly Row[];
  /** The list goes on behind this place; undefined at its end. */
  readonly reach: Place | undefined;
}

/** Looks through a list, stretch by stretch, until the page is full or enough was looked at. */
export async function lookThrough<Row, Place>(looking: Looking<Row, Place>): Promise<LookedThrough<Row, Place>> {
  const { limit, findReach } = looking;
  const rows: Row[] = [];
  let from = looking.after;
  for (let looks = 0; looks < looksMax; looks++) {
    const reach = await findReach?.(from, lookedAtOnce);
    rows.push(...(await looking.list(from, reach, limit + 1 - rows.length)));
    const last = rows[limit - 1];
    if (rows.length > limit && last) return { rows: rows.slice(0, limit), reach: looking.placeOf(last) };
    if (reach === undefined) return { rows, reach: undefined };
    from = reach;
  }
  return { rows, reach: from };
}

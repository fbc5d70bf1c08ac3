/**
 * Pages of a list whose filter no index serves: the number of scanned rows is limited, and a page may end before it is
 * full.
 */

/** Rows per statement, and statements per page. */
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

/** Scans a list, part by part, until the page is full or the scan limit is reached. */
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

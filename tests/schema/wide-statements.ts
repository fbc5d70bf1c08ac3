/** Statements that exceed the limit of `cost-rules.ts`. Each names its actual limit. The list must only shrink. */
import type { Executed } from "./executed.ts";

interface WideStatement {
  /** Pattern of the text with single spaces. */
  readonly pattern: RegExp;
  /**
   * Maximum number of rows examined by a node of its plan; if absent, `why` names the limit, which does not grow with
   * the history.
   */
  readonly rowsMax?: number;
  readonly why: string;
}

/** Maximum number of pages read for a step of the list of stock levels (`src/console-api/stock/stock.cross-client.ts`). */
const pagesOfLevels = 20_000;

/** Maximum number of events examined for a page with a filter (`src/delivery/webhooks/events/event-list.ts`). */
const eventsLookedAt = 20_000;

export const wideStatements: readonly WideStatement[] = [
  {
    pattern: /from event e where e\.client_id = \$1 and true and e\.position > 0/,
    rowsMax: eventsLookedAt,
    why: "a page with a filter looks at so many events",
  },
  {
    pattern: /from \(select distinct t\.client_id, s\.status from tenant t /,
    why: "orders of a client in one state that are held against the day of each facility",
  },
  {
    pattern: /group by b\.sku, b\.client_id, b\.facility_code having /,
    rowsMax: pagesOfLevels,
    why: "a page with a filter looks at so many pages of lots with their items",
  },
  { pattern: /interval '24 hours' as since/, why: "a look-up for each client, type of document and month" },
  { pattern: /min\(p\.despatched_at\) as at/, why: "parcels that were despatched within 30 days" },
  { pattern: /from webhook_attempt n where n\.client_id = c\.client_id/, why: "tries of the last hour" },
  { pattern: /select distinct f\.client_id from client_facility f join item/, why: "items that were not listed yet" },
  {
    pattern: /where client_id = \$1 and true and updated_at >= '-infinity'/,
    why: "what has changed since that moment",
  },
  { pattern: /s\.kind = 'MIDNIGHT' and s\.snapshot_date >/, why: "movements between two midnights" },
  { pattern: /and affects_on_hand and \(sku, position\) >/, why: "movements of the period of one statement" },
  { pattern: /event_id < \$3::uuid and object_id = \$4/, why: "events of a client between two moments" },
  {
    pattern: /from sftp_upload u where .* limit \$\d \) (?:counted|waiting)/,
    why: "uploads of all clients that were not taken yet",
  },
  {
    pattern: /^insert into sales_order as target/,
    rowsMax: 152,
    why: "at most 40 pages for each of 12 orders: its row, and up to three levels of each index that it enters (at least 12)",
  },
  {
    pattern: /jsonb_array_length\(i\.components\) and min/,
    why: "the kits of a client, each with its components in one snapshot",
  },
  { pattern: /from activity_day a where a\.day >= /, why: "the figures of the days of a report, which it adds up" },
  { pattern: /^with balance as materialized/, why: "the nightly proof that all stock of a client agrees" },
];

const normal = (text: string) => text.replace(/\s+/g, " ").trim();

/** Whether the statement stays within its declared limit. */
export function isWide({ statement, examined, buffers, bound }: Executed): boolean {
  const wide = wideStatements.find(({ pattern }) => pattern.test(normal(statement.text)));
  if (wide === undefined) return false;
  const { rowsMax = Number.POSITIVE_INFINITY } = wide;
  return examined <= rowsMax && buffers <= bound + rowsMax;
}

/** Declarations without a matching statement. */
export const unused = (executed: readonly Executed[]) =>
  wideStatements.filter(({ pattern }) => !executed.some(({ statement }) => pattern.test(normal(statement.text))));

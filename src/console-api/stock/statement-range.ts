import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { facilityToday, findDayEnd, readSkusOfDay } from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

export interface StatementRange {
  /** Entries after this position. */
  readonly since: number;
  /** Entries before this position, and the balance there in thousandths; undefined: up to now. */
  readonly end: { readonly position: number; readonly onHand: number } | undefined;
}

/**
 * The positions between which the entries of some days of a facility are.
 * @param of `from` and `to`: `YYYY-MM-DD`, inclusive; undefined: no limit
 */
export async function findStatementRange(
  database: Database,
  change: Change,
  clientId: string,
  of: {
    readonly facilityCode: string;
    readonly sku: string;
    readonly from: string | undefined;
    readonly to: string | undefined;
  },
): Promise<Result<StatementRange, Refusal>> {
  const { facilityCode, sku, from, to } = of;
  let since = 0;
  if (from !== undefined) {
    const date = new Date(Date.parse(from) - dayMs).toISOString().slice(0, 10);
    const end = await findDayEnd(database, change, clientId, { facilityCode, date });
    if (!end.ok) return end;
    since = end.value.position;
  }
  const isPast = to !== undefined && to < (await facilityToday(database, facilityCode, change.at));
  if (!isPast) return ok({ since, end: undefined });
  const end = await findDayEnd(database, change, clientId, { facilityCode, date: to });
  if (!end.ok) return end;
  const [past] = await readSkusOfDay(database.of(clientId), facilityCode, end.value, [sku]);
  const onHand = (past?.pools ?? []).reduce((sum, pool) => sum + pool.onHand, 0);
  return ok({ since, end: { position: end.value.position + 1, onHand } });
}

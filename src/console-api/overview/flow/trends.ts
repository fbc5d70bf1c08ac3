import type { Trends } from "#/console-api/overview/flow/contract.ts";
import * as queries from "#/console-api/overview/flow/flow.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { orderStates } from "#/modules/orders/index.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const days = 30;

/** Figures of each of the last 30 days, today up to now. A day is the local day of each order's own facility. */
export async function readTrends(across: Database, scope: Scope, nowMs: number): Promise<Trends> {
  // One more day, because the first day began earlier in some zones.
  const since = new Date(nowMs - (days + 1) * dayMs).toISOString();
  const [received, despatched, delivered] = await readSnapshot(across, (tx) =>
    Promise.all([
      queries.countReceivedByDay(tx, scope, orderStates, since),
      queries.countDespatchedByDay(tx, scope, since),
      queries.countDeliveredByDay(tx, scope, since),
    ]),
  );
  // East of Greenwich tomorrow may have begun, and is then the last day.
  const newest = [received, despatched, delivered].flat().reduce((last, row) => (row.day > last ? row.day : last), "");
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const lastMs = Date.parse(newest > today ? newest : today);
  const countOf = (rows: readonly queries.DayCount[], day: string) => rows.find((row) => row.day === day)?.count ?? 0;
  const items = Array.from({ length: days }, (_, i) => {
    const day = new Date(lastMs - (days - 1 - i) * dayMs).toISOString().slice(0, 10);
    const leadTime = delivered.find((row) => row.day === day)?.lead_time;
    return {
      day,
      received: countOf(received, day),
      despatched: countOf(despatched, day),
      delivered: countOf(delivered, day),
      leadTimeSeconds: leadTime === undefined ? null : Math.max(0, Math.round(leadTime)),
    };
  });
  return { asOf: new Date(nowMs).toISOString(), items };
}

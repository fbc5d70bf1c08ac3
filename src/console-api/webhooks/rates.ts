import type { AttemptRates } from "#/console-api/webhooks/contract.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The bound of the cost: with an index look-up for each, some 40 ms. */
export const examinedMax = 1_000;

/** By hour for a day, by six hours for a week, by day for a month. */
const periodOf = (days: number): number => (days <= 1 ? 3_600 : days <= 7 ? 21_600 : 86_400);

/**
 * Attempts of the newest deliveries of a webhook by period: their number, the successful ones, and how long the receiver
 * took. Probes count as well: they are what the receiver was sent.
 *
 * @param days back from now; attempts are kept for 30 days
 */
export async function readAttemptRates(
  tx: ClientTx,
  webhookId: string,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<AttemptRates> {
  const periodSeconds = periodOf(days);
  const first = idBoundary(nowMs - days * dayMs);
  const rows = await tx.query<
    AttemptRates["items"][number] & { readonly deliveries: number }
  >(sql`with newest as materialized (
        select delivery_id from webhook_delivery
        where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and attempts >= 0 and delivery_id > ${first}::uuid
        order by delivery_id desc limit ${examinedMax + 1})
      select to_timestamp(floor(extract(epoch from a.started_at) / ${periodSeconds})::float8 * ${periodSeconds}) as at,
        count(*)::int as attempts, count(*) filter (where a.status between 200 and 299)::int as succeeded,
        round(percentile_cont(0.5) within group (order by extract(epoch from a.ended_at - a.started_at)::float8) * 1000)
          as "medianMs",
        round(percentile_cont(0.95) within group (order by extract(epoch from a.ended_at - a.started_at)::float8) * 1000)
          as "p95Ms",
        (select count(*)::int from newest) as deliveries
      from newest n join webhook_attempt a on a.client_id = ${tenant} and a.delivery_id = n.delivery_id and a.state > ''
        and a.attempt_id > ${first}::uuid and a.ended_at is not null
      group by 1 order by 1`);
  return { periodSeconds, isCut: (rows[0]?.deliveries ?? 0) > examinedMax, items: rows };
}

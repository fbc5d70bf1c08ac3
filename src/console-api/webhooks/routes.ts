import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  type AttemptRates,
  attemptRates,
  ratesPath,
  ratesQuery,
  receiverPage,
  receiversQuery,
  type StoredReceiver,
  type StoredSubscription,
  type SubscriptionRecord,
  subscriptionCursor,
  subscriptionListQuery,
  subscriptionPage,
  undeliveredCursor,
  undeliveredPage,
  undeliveredQuery,
} from "#/console-api/webhooks/contract.ts";
import {
  listAddressesOfAll,
  listReceiversOfAll,
  listSubscriptionsOfAll,
  listUndeliveredOfAll,
} from "#/console-api/webhooks/webhooks.cross-client.ts";
import { findSubscription, listDeliveryTotals, readHealth } from "#/delivery/webhooks/index.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf, type Scope, scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** Before all ids, and after them. */
const firstId = "00000000-0000-0000-0000-000000000000";
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Webhooks over clients, and undelivered events; operations on a single webhook are the clients' own (webhooks.md). */
export function addWebhookListRoutes(service: HttpServer, { across, database, clock }: OperatorContext): void {
  service.get(
    "/webhook/attemptRates/:webhookId",
    {
      schema: {
        operationId: "readAttemptRates",
        summary: "Success and latency of a webhook's attempts over time",
        params: ratesPath,
        querystring: ratesQuery,
        response: { 200: attemptRates },
      } as const,
      config: { ...answers(404), takesFacility: true },
    },
    async (request) => {
      const { webhookId } = request.params;
      const { days = 7 } = request.query;
      const clientId = clientIdOf(request);
      const view = database.of(clientId);
      const found = isUuidV7(webhookId) ? await findSubscription(view, webhookId) : undefined;
      if (found === undefined) return refused(problem("not-found", "There is no such webhook."));
      return readAttemptRates(view, webhookId, { days, nowMs: clock.now() });
    },
  );

  service.get(
    "/webhook/list",
    {
      schema: {
        operationId: "listWebhookHealth",
        summary: "Webhooks and pushed feeds with their states, by client",
        querystring: subscriptionListQuery,
        response: { 200: subscriptionPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { status, kind } = request.query;
      const filter = { ...subscribedScopeOf(request), status, kind };
      const page = await readPage(request.query, {
        cursors: subscriptionCursor,
        read: (after, limit) =>
          listSubscriptionsOfAll(across, {
            ...filter,
            after: { clientId: after?.c ?? "", webhookId: after?.w ?? firstId },
            limit,
          }),
        placeOf: ({ clientId, webhookId }) => ({ c: clientId, w: webhookId }),
        itemsOf: (rows) => subscriptionRecords(across, rows),
      });
      return page;
    },
  );

  service.get(
    "/webhookDelivery/list",
    {
      schema: {
        operationId: "listUndelivered",
        summary: "Deliveries that failed, are retried or were skipped, of all clients, the newest first",
        description:
          "Those of the last 90 days. `listDeliveries` lists all deliveries of one webhook; `getDelivery` has the attempts.",
        querystring: undeliveredQuery,
        response: { 200: undeliveredPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { status, kind, webhookId, topicName, objectId } = request.query;
      if (webhookId !== undefined && !isUuidV7(webhookId)) return { items: [], nextCursor: null };
      const endedSince = request.query.endedSince && readDateTime(request.query.endedSince);
      const filter = { ...subscribedScopeOf(request), status, kind, webhookId, endedSince, topicName, objectId };
      const page = await readPage(request.query, {
        cursors: undeliveredCursor,
        read: (after, limit) => listUndeliveredOfAll(across, { ...filter, before: after?.id ?? lastId, limit }),
        placeOf: ({ deliveryId }) => ({ id: deliveryId }),
        itemOf: (row) => ({ ...row, createdAt: new Date(timeOfId(row.deliveryId)).toISOString() }),
      });
      return page;
    },
  );

  service.get(
    "/webhookDelivery/receivers",
    {
      schema: {
        operationId: "listReceivers",
        summary: "Undelivered deliveries of all clients by receiver",
        description:
          "Of the 10 000 newest of `listUndelivered`, so that a receiver that is away for weeks costs no more.",
        querystring: receiversQuery,
        response: { 200: receiverPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const rows = await listReceiversOfAll(across, subscribedScopeOf(request), groupedMax + 1);
      const clientIds = [...new Set(rows.map(({ clientId }) => clientId))];
      const known = await listAddressesOfAll(
        across,
        clientIds,
        rows.map(({ webhookId }) => webhookId),
      );
      const addressOf = new Map(known.map((address) => [address.webhookId, address]));
      const countOf = ({ retrying, failed, skipped }: StoredReceiver) => retrying + failed + skipped;
      return {
        items: rows
          .toSorted((left, right) => countOf(right) - countOf(left))
          .map(({ oldestId, ...row }) => ({
            ...row,
            url: addressOf.get(row.webhookId)?.url ?? null,
            status: addressOf.get(row.webhookId)?.status ?? null,
            oldestAt: new Date(timeOfId(oldestId)).toISOString(),
          })),
        isCut: rows.reduce((sum, row) => sum + countOf(row), 0) > groupedMax,
      };
    },
  );
}

/** Deliveries that are counted by receiver: some 30 ms. */
const groupedMax = 10_000;

/**
 * A subscription to all facilities concerns each of them, but its deliveries cover all of them: users who are limited
 * to facilities see only the subscriptions to their own.
 */
function subscribedScopeOf(request: FastifyRequest): Scope {
  const { clientIds, facilityCodes } = scopeOf(request);
  const isLimited = operatorOf(request).facilityCodes !== null;
  return { clientIds, facilityCodes: isLimited || facilityCodes === null ? facilityCodes : [...facilityCodes, "*"] };
}

/** Adds the delivery state, which is read client by client. */
async function subscriptionRecords(tx: Tx, rows: readonly StoredSubscription[]): Promise<SubscriptionRecord[]> {
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId);
  const known = await Promise.all(
    [...byClient].map(async ([clientId, ofClient]) => {
      const view = tx.of(clientId);
      const ids = ofClient.map(({ webhookId }) => webhookId);
      const [healthOf, totals] = await Promise.all([readHealth(view, ids), listDeliveryTotals(view, ids)]);
      const totalsOf = new Map(totals.map((total) => [total.webhook_id, total]));
      return [clientId, { healthOf, totalsOf }] as const;
    }),
  );
  const knownOf = new Map(known);
  return rows.map((row) => {
    const { healthOf, totalsOf } = knownOf.get(row.clientId) ?? {};
    const { lastSuccessAt = null, lastFailureAt = null, consecutiveFailures = 0 } = healthOf?.(row.webhookId) ?? {};
    const { pending = 0, oldest = null, delivered = 0, undelivered = 0 } = totalsOf?.get(row.webhookId) ?? {};
    return {
      ...row,
      successRate: delivered + undelivered === 0 ? null : delivered / (delivered + undelivered),
      pending,
      oldestPendingAt: oldest === null ? null : new Date(timeOfId(oldest)).toISOString(),
      lastSuccessAt,
      lastFailureAt,
      consecutiveFailures,
    };
  });
}

/** The bound of the cost: with an index look-up for each, some 40 ms. */
const examinedMax = 1_000;

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

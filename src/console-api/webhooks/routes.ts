import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  attemptRates,
  ratesPath,
  ratesQuery,
  type SubscriptionRecord,
  subscriptionCursor,
  subscriptionListQuery,
  subscriptionPage,
  type UndeliveredRecord,
  undeliveredCursor,
  undeliveredPage,
  undeliveredQuery,
} from "#/console-api/webhooks/contract.ts";
import { readAttemptRates } from "#/console-api/webhooks/rates.ts";
import {
  listSubscriptionsOfAll,
  listUndeliveredOfAll,
  type SubscriptionRow,
  type UndeliveredRow,
} from "#/console-api/webhooks/webhooks.cross-client.ts";
import type { Tx } from "#/db/database.ts";
import { findSubscription, listDeliveryTotals, readHealth } from "#/delivery/webhooks/index.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf, type Scope, scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { isUuidV7, timeOfId } from "#/kernel/values/ids.ts";

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
      const rates = await readAttemptRates(view, webhookId, { days, nowMs: clock.now() });
      return {
        periodSeconds: rates.periodSeconds,
        isCut: rates.isCut,
        items: rates.items.map(({ starts, attempts, succeeded, median_ms, p95_ms }) => ({
          at: new Date(starts * 1000).toISOString(),
          attempts,
          succeeded,
          medianMs: Math.round(median_ms),
          p95Ms: Math.round(p95_ms),
        })),
      };
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
      const { status, kind, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(subscriptionCursor, cursor);
      if (!place.ok) return place;
      const { c: clientId = "", w: webhookId = firstId } = place.value ?? {};
      if (place.value && !isUuidV7(webhookId)) return refused(strangeCursor);
      const filter = { ...subscribedScopeOf(request), status, kind, after: { clientId, webhookId } };
      const rows = await listSubscriptionsOfAll(across, { ...filter, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: await subscriptionRecords(across, page),
        nextCursor:
          last && rows.length > limit ? subscriptionCursor.encode({ c: last.client_id, w: last.webhook_id }) : null,
      };
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
      const { status, kind, topicName, objectId, endedSince, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(undeliveredCursor, cursor);
      if (!place.ok) return place;
      const before = place.value?.id ?? lastId;
      if (place.value && !isUuidV7(before)) return refused(strangeCursor);
      const ended = endedSince === undefined ? undefined : readDateTime(endedSince);
      const filter = { ...subscribedScopeOf(request), status, kind, endedSince: ended, topicName, objectId, before };
      const rows = await listUndeliveredOfAll(across, { ...filter, limit: limit + 1 });
      const items = rows.slice(0, limit).map(undeliveredRecord);
      const last = items.at(-1);
      return {
        items,
        nextCursor: last && rows.length > limit ? undeliveredCursor.encode({ id: last.deliveryId }) : null,
      };
    },
  );
}

/**
 * A subscription to all facilities concerns each of them, but its deliveries cover all of them: users who are limited
 * to facilities see only the subscriptions to their own.
 */
function subscribedScopeOf(request: FastifyRequest): Scope {
  const { clientIds, facilityCodes } = scopeOf(request);
  const isLimited = operatorOf(request).facilityCodes !== null;
  return { clientIds, facilityCodes: isLimited || facilityCodes === null ? facilityCodes : [...facilityCodes, "*"] };
}

const strangeCursor = invalidRequest([
  { pointer: "/query/cursor", message: "is not a nextCursor of this list and sort" },
]);

/** Adds the delivery state, which is read client by client. */
async function subscriptionRecords(tx: Tx, rows: readonly SubscriptionRow[]): Promise<SubscriptionRecord[]> {
  const byClient = Map.groupBy(rows, ({ client_id }) => client_id);
  const known = await Promise.all(
    [...byClient].map(async ([clientId, ofClient]) => {
      const view = tx.of(clientId);
      const ids = ofClient.map(({ webhook_id }) => webhook_id);
      const [healthOf, totals] = await Promise.all([readHealth(view, ids), listDeliveryTotals(view, ids)]);
      const totalsOf = new Map(totals.map((total) => [total.webhook_id, total]));
      return [clientId, { healthOf, totalsOf }] as const;
    }),
  );
  const knownOf = new Map(known);
  return rows.map((row) => {
    const { healthOf, totalsOf } = knownOf.get(row.client_id) ?? {};
    const { lastSuccessAt = null, lastFailureAt = null, consecutiveFailures = 0 } = healthOf?.(row.webhook_id) ?? {};
    const { pending = 0, oldest = null, delivered = 0, undelivered = 0 } = totalsOf?.get(row.webhook_id) ?? {};
    return {
      clientId: row.client_id,
      webhookId: row.webhook_id,
      kind: row.kind,
      topicName: row.topic_name,
      additionalTopicNames: row.additional_topic_names,
      facilityCode: row.facility_code,
      description: row.description,
      url: row.url,
      status: row.status,
      successRate: delivered + undelivered === 0 ? null : delivered / (delivered + undelivered),
      pending,
      oldestPendingAt: oldest === null ? null : new Date(timeOfId(oldest)).toISOString(),
      lastSuccessAt,
      lastFailureAt,
      consecutiveFailures,
      createdAt: row.created_at,
    };
  });
}

function undeliveredRecord(row: UndeliveredRow): UndeliveredRecord {
  return {
    clientId: row.client_id,
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    kind: row.topic_name.includes(":") ? "WEBHOOK" : "OUTBOUND",
    url: row.url,
    eventId: row.event_id,
    topicName: row.topic_name,
    objectType: row.object_type,
    objectId: row.object_id,
    status: row.status,
    tries: row.attempts,
    nextTryAt: row.due_at,
    lastError: row.last_error,
    createdAt: new Date(timeOfId(row.delivery_id)).toISOString(),
    endedAt: row.completed_at,
  };
}

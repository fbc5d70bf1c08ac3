import {
  deliveryCursors,
  deliveryPath,
  deliverySchemas,
  recoveryOutcome,
  webhookTest,
} from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import {
  findDelivery,
  findReach,
  listAttempts,
  listDeliveries,
  type StoredDelivery,
} from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { deliveryRecord } from "#/delivery/webhooks/deliveries/delivery-record.ts";
import {
  deliveryNotFound,
  isOfWebhook,
  recover,
  recoveredMax,
  redeliverOne,
} from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { eventBody } from "#/delivery/webhooks/events/event-body.ts";
import { listEventsById } from "#/delivery/webhooks/events/event-list.ts";
import type { WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { topicsNamed, topicsOf } from "#/delivery/webhooks/events/topics.ts";
import { subscriptionSchemas, webhookPath } from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import type { WebhookContext } from "#/delivery/webhooks/subscriptions/subscription-routes.ts";
import { findWebhook, webhookNotFound } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { pushTest, readTestContent, type SendNow } from "#/delivery/webhooks/subscriptions/test-push.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { lookThrough } from "#/http/requests/looked-through.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { idBoundary, isUuidV7 } from "#/kernel/values/ids.ts";
import { recordAudits } from "#/store/db/audit.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** Seventeen attempts, and the probes of eight days. */
const attemptsMax = 1_000;

export interface DeliveryRoutesContext extends WebhookContext {
  readonly sendNow: SendNow;
}

/** Lists what webhooks were sent, and redelivers it (webhooks.md §1). */
export function addDeliveryRoutes(
  service: HttpServer,
  context: DeliveryRoutesContext,
  owner: WebhookOwner = "client",
): void {
  const { database } = context;
  const schemas = { ...subscriptionSchemas[owner], ...deliverySchemas[owner] };

  service.get(
    "/webhook/deliveries/:webhookId",
    {
      schema: {
        operationId: "listDeliveries",
        summary: "Deliveries of a webhook, oldest first unless sorted the other way",
        description:
          "Those of the last 90 days. With a filter, a request reads a bounded number of deliveries: a page may be short or empty before the end; continue until `nextCursor` is null.",
        params: webhookPath,
        querystring: schemas.deliveryListQuery,
        response: { 200: schemas.deliveryPage },
      } as const,
      config: answers(404, 422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const {
        sort = "receivedAt",
        cursor,
        limit = pageLimitDefault,
        status,
        topicName,
        objectId,
        since,
      } = request.query;
      const after = placeOf(deliveryCursors[sort], cursor);
      if (!after.ok) return after;
      const topicNames = topicName === undefined || topicName === "*" ? undefined : namesOf(clientId, topicName);
      const filter = {
        statuses: status === undefined ? undefined : [status],
        topicNames,
        objectId,
        first: since === undefined ? undefined : idBoundary(Date.parse(readDateTime(since) ?? since)),
      };
      const page = { filter, isNewestFirst: sort === "-receivedAt", reach: undefined };
      const isFiltered = status !== undefined || topicNames !== undefined || objectId !== undefined;
      const found = await readSnapshot(database, async (tx) => {
        const view = tx.of(clientId);
        const webhook = await findWebhook(view, request.params.webhookId);
        if (!webhook) return undefined;
        const { webhookId } = webhook;
        const listed = await lookThrough<StoredDelivery, string>(
          {
            after: after.value?.id,
            limit,
            list: (from, reach, most) => listDeliveries(view, webhookId, { ...page, after: from, reach, limit: most }),
            findReach: isFiltered
              ? (from, looked) => findReach(view, webhookId, { ...page, after: from }, looked)
              : undefined,
            placeOf: ({ deliveryId }) => deliveryId,
          },
          1,
        );
        return { webhookId, ...listed };
      });
      if (!found) return refused(webhookNotFound);
      const { webhookId, rows, reach } = found;
      if (after.value !== undefined && after.value.w !== webhookId) return refused(otherCursor);
      if (topicNames?.length === 0) return refused(unknownTopic(topicName ?? "", owner));
      return {
        items: rows.map(deliveryRecord),
        nextCursor: reach === undefined ? null : deliveryCursors[sort].encode({ id: reach, w: webhookId }),
      };
    },
  );

  service.get(
    "/webhook/delivery/:deliveryId",
    {
      schema: {
        operationId: "getDelivery",
        summary: "One delivery with its body and all its attempts",
        params: deliveryPath,
        querystring: schemas.webhookQuery,
        response: { 200: schemas.deliveryWithAttempts },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const id = request.params.deliveryId.toLowerCase();
      if (!isUuidV7(id)) return refused(deliveryNotFound);
      const read = await readSnapshot(database, async (tx) => {
        const view = tx.of(clientId);
        const [found, attempts] = await Promise.all([findDelivery(view, id), listAttempts(view, id, attemptsMax)]);
        if (!found || !isOfWebhook(found)) return undefined;
        const [event] = await listEventsById(view, [found.eventId]);
        return { found, attempts, event };
      });
      if (!read) return refused(deliveryNotFound);
      const { found, attempts, event } = read;
      return {
        ...deliveryRecord(found),
        payload: event === undefined ? null : eventBody(clientId, event),
        exchanges: attempts,
      };
    },
  );

  service.post(
    "/webhook/redeliver/:deliveryId",
    {
      schema: {
        operationId: "redeliver",
        summary: "Send an ended delivery again, with the same webhook-id",
        description:
          "Delivered, failed or skipped ones, within 30 days. It waits for earlier deliveries of its object.",
        params: deliveryPath,
        querystring: schemas.webhookQuery,
        headers: createHeaders,
        body: schemas.deliveryAction,
        response: { 200: schemas.delivery },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const sent = await redeliverOne(tx, request.params.deliveryId);
        return sent.ok ? answered(deliveryRecord(sent.value)) : sent;
      }),
  );

  service.post(
    "/webhook/recover/:webhookId",
    {
      schema: {
        operationId: "recoverWebhook",
        summary: "Send missed deliveries again",
        description: `By time of the event, ${recoveredMax} at a time, for deliveries that ended within 30 days.`,
        params: webhookPath,
        querystring: schemas.webhookQuery,
        headers: createHeaders,
        body: schemas.recovery,
        response: { 200: recoveryOutcome },
      } as const,
      config: answers(404, 409),
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const recovered = await recover(tx, request.params.webhookId, request.body);
        return recovered.ok ? answered(recovered.value) : recovered;
      }),
  );

  service.post(
    "/webhook/test/:webhookId",
    {
      schema: {
        operationId: "testWebhook",
        summary: "Send a sample now, and answer the result",
        description:
          "A `webhook:test`, signed like every push, with sample data of one of the webhook's topics, the data of a stored event, or your own. It is not in the event log, and not a delivery.",
        params: webhookPath,
        querystring: schemas.webhookQuery,
        body: schemas.webhookTestRequest,
        response: { 200: webhookTest },
      } as const,
      config: { ...answers(404, 409, 422), isBodyOptional: true, answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const webhook = await findWebhook(database.of(clientId), request.params.webhookId);
      if (!webhook) return refused(webhookNotFound);
      if (webhook.status === "PAUSED") {
        return refused(problem("conflict", "The webhook is paused: patch it with isPaused 0 first."));
      }
      const content = await readTestContent(database, webhook, request.body ?? {});
      if (!content.ok) return content;
      await database.transaction(async (tx) => {
        const detail = { topicName: content.value.topicName };
        const entry = { action: "test", objectType: "webhook", objectId: webhook.webhookId, detail };
        recordAudits(tx.of(clientId, changeOf(context, request)), [entry]);
      });
      return pushTest(context, webhook, content.value);
    },
  );
}

const namesOf = (tenantId: string, topicName: string) =>
  topicsNamed(topicName, topicsOf(tenantId)).map((topic) => topic.topicName);

const otherCursor = invalidRequest([
  { pointer: "/query/cursor", message: "is a nextCursor of another webhook's deliveries" },
]);

function unknownTopic(topicName: string, owner: WebhookOwner) {
  const service = owner === "facility" ? "warehouseService" : "webhookService";
  const message = `${topicName} is not a topic or a group of topics; /v1/${service}/webhook/topics lists them`;
  return problem("unprocessable", `topicName ${message}`, { errors: [{ pointer: "/query/topicName", message }] });
}

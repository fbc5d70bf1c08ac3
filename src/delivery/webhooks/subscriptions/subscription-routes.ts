import type { WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { topicsOf } from "#/delivery/webhooks/events/topics.ts";
import { maskedValue } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { SubscriptionWorld } from "#/delivery/webhooks/subscriptions/subscription-checks.ts";
import {
  subscriptionSchemas,
  type WebhookRecord,
  webhookCursors,
  webhookDeleted,
  webhookPath,
} from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import { webhookRecords } from "#/delivery/webhooks/subscriptions/subscription-record.ts";
import { pageWebhooks } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  patchWebhook,
  rotateSecret,
  webhookNotFound,
  webhooksMax,
} from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, changeHeaders, createHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import { unprocessableFaults } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { showFacility } from "#/modules/facilities/index.ts";
import { findEndOfTasks } from "#/modules/warehouse/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export interface WebhookContext extends ServiceContext, Omit<SubscriptionWorld, "facilities" | "ofFacility"> {
  readonly secretBox: SecretBox;
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
}

/**
 * Subscriptions (specification §2.4, webhooks.md §1) of clients, or of facilities at the warehouse port. `clientIdOf` a
 * facility's request is the tenant of the facility.
 */
export function addSubscriptionRoutes(
  service: HttpServer,
  context: WebhookContext,
  owner: WebhookOwner = "client",
): void {
  const { database, secretBox } = context;
  const schemas = subscriptionSchemas[owner];
  const ownerWord = owner === "facility" ? "facility" : "client";

  const contextOf = async (tenantId: string) => {
    const facilityCode = facilityOfTenant(tenantId);
    return {
      secretBox,
      world: {
        facilities: await context.facilitiesOf(tenantId),
        ofFacility: facilityCode === undefined ? undefined : { facilityCode, topics: topicsOf(tenantId) },
        allowsPlainHttp: context.allowsPlainHttp,
        refusalOfUrl: context.refusalOfUrl,
      },
    };
  };

  const endOf = (facilityCode: string) => findEndOfTasks({ database, nowMs: context.clock.now() }, facilityCode);

  async function recordOf(tx: Tx, subscription: Subscription): Promise<WebhookRecord> {
    const [record] = await webhookRecords(tx.of(subscription.clientId), [subscription], secretBox);
    assert(record, "a subscription has no record");
    return record;
  }

  async function written(
    tx: Tx,
    subscription: Subscription,
    { status, signingSecret }: { readonly status: 200 | 201; readonly signingSecret?: string },
  ): Promise<WriteResult> {
    const record = await recordOf(tx, subscription);
    const location = `${service.prefix}/webhook/get/${subscription.webhookId}`;
    const headers = { ETag: entityTag(subscription.version), ...(status === 201 ? { Location: location } : {}) };
    if (signingSecret === undefined) return answered(record, { status, headers });
    const keptBody = { ...record, signingSecret: maskedValue };
    return answered({ ...record, signingSecret }, { status, headers, keptBody });
  }

  service.post(
    "/webhook/create",
    {
      schema: {
        operationId: "createWebhook",
        summary: "Subscribe an address to events",
        description: `It receives events from now on. A ${ownerWord} may have ${webhooksMax} webhooks.`,
        querystring: schemas.webhookQuery,
        headers: createHeaders,
        body: schemas.webhookCreate,
        response: { 201: schemas.webhookWithSecret },
      } as const,
      config: answers(409, 422),
    },
    async (request, reply) => {
      const tenantId = clientIdOf(request);
      const facilityCode = facilityOfTenant(tenantId);
      const endOfTasks = facilityCode === undefined ? undefined : await endOf(facilityCode);
      const pushContext = { ...(await contextOf(tenantId)), endOfTasks };
      const fields = facilityCode === undefined ? request.body : { ...request.body, clientId: "*", facilityCode };
      return answerWrite(context, request, reply, async (tx) => {
        const facility = facilityCode === undefined ? undefined : await showFacility(tx.plain, facilityCode);
        if (facility?.ok === false)
          return refused(unprocessableFaults([{ pointer: "#/clientId", message: facility.fault }]));
        const created = await createWebhook(tx, fields, pushContext);
        if (!created.ok) return created;
        const { subscription, signingSecret } = created.value;
        return written(tx.plain, subscription, { status: 201, signingSecret });
      });
    },
  );

  service.patch(
    "/webhook/patch/:webhookId",
    {
      schema: {
        operationId: "patchWebhook",
        summary: "Change, pause or resume a webhook",
        description:
          "A paused webhook receives nothing: waiting deliveries are held and sent after it resumes; events of the paused time are SKIPPED, and can be redelivered on request. `isPaused` 0 also makes a disabled webhook ACTIVE again. Waiting deliveries are sent to the new address with the new headers, whatever their topic and facility; another address or header is tried at once. Another topic or facility applies to later events.",
        params: webhookPath,
        querystring: schemas.webhookQuery,
        headers: changeHeaders,
        body: schemas.webhookPatch,
        response: { 200: schemas.webhook },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = { webhookId: request.params.webhookId, ifMatch: request.headers["if-match"] };
      const pushContext = await contextOf(clientIdOf(request));
      return answerWrite(context, request, reply, async (tx) => {
        const patched = await patchWebhook(tx, key, request.body, pushContext);
        return patched.ok ? written(tx.plain, patched.value, { status: 200 }) : patched;
      });
    },
  );

  service.delete(
    "/webhook/delete/:webhookId",
    {
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook; its waiting deliveries are not sent",
        params: webhookPath,
        querystring: schemas.webhookQuery,
        headers: changeHeaders,
        response: { 204: webhookDeleted },
      } as const,
      config: answers(404, 409, 412),
    },
    async (request, reply) => {
      const key = { webhookId: request.params.webhookId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) => {
        const deleted = await deleteWebhook(tx, key);
        return deleted.ok ? answered(null, { status: 204 }) : deleted;
      });
    },
  );

  service.post(
    "/webhook/rotateSecret/:webhookId",
    {
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Create a new signing secret; the previous one also signs for 24 hours",
        params: webhookPath,
        querystring: schemas.webhookQuery,
        headers: changeHeaders,
        body: schemas.webhookAction,
        response: { 200: schemas.webhookWithSecret },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const key = { webhookId: request.params.webhookId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) => {
        const rotated = await rotateSecret(tx, key, secretBox);
        if (!rotated.ok) return rotated;
        const { subscription, signingSecret } = rotated.value;
        return written(tx.plain, subscription, { status: 200, signingSecret });
      });
    },
  );

  service.get(
    "/webhook/get/:webhookId",
    {
      schema: {
        operationId: "getWebhook",
        summary: "One webhook, and the state of sending to it",
        params: webhookPath,
        querystring: schemas.webhookQuery,
        response: { 200: schemas.webhook },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const record = await readSnapshot(database, async (tx) => {
        const found = await findWebhook(tx.of(clientId), request.params.webhookId);
        return found && recordOf(tx, found);
      });
      if (!record) return refused(webhookNotFound);
      return reply.header("ETag", entityTag(record.version)).send(record);
    },
  );

  service.get(
    "/webhook/list",
    {
      schema: {
        operationId: "listWebhooks",
        summary: `The ${ownerWord}'s webhooks by creation, oldest first unless sorted the other way`,
        querystring: schemas.webhookListQuery,
        response: { 200: schemas.webhookPage },
      } as const,
    },
    (request) => {
      const { sort = "receivedAt" } = request.query;
      return readSnapshot(database, (tx) => {
        const view = tx.of(clientIdOf(request));
        return readPage(request.query, {
          cursors: webhookCursors[sort],
          read: (after, limit) =>
            pageWebhooks(view, { isNewestFirst: sort === "-receivedAt", after: after?.id, limit }),
          placeOf: ({ webhookId }) => ({ id: webhookId }),
          itemsOf: (subscriptions) => webhookRecords(view, subscriptions, secretBox),
        });
      });
    },
  );
}

// Webhooks of a client over REST, and events published without a preceding operation.
import assert from "node:assert/strict";
import { topics } from "#/delivery/webhooks/index.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { accessTokenOf, type TestClient, type TestServer } from "../app/server.ts";
import { type Answer, call as send } from "../http/call.ts";
import { patient } from "../postgres/database.ts";

export interface MadeWebhook {
  readonly webhookId: string;
  readonly signingSecret: string;
}

export interface ListedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly objectId: string;
  readonly status: string;
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastError: string | null;
}

export interface WebhookDesk {
  create(fields: Record<string, unknown>): Promise<MadeWebhook>;
  patch(webhookId: string, fields: Record<string, unknown>): Promise<Record<string, unknown>>;
  get(webhookId: string): Promise<Record<string, unknown>>;
  deliveries(webhookId: string): Promise<ListedDelivery[]>;
  call(method: string, path: string, body?: object): Promise<Answer>;
}

export async function webhookDesk(server: TestServer, client: TestClient): Promise<WebhookDesk> {
  const { oauth, clientId } = client.credentials;
  const token = await accessTokenOf(server.url, oauth);
  const call: WebhookDesk["call"] = (method, path, body) =>
    send(method, `${server.url}/v1/webhookService/${path}${path.includes("?") ? "&" : "?"}clientId=${clientId}`, {
      token,
      body,
      headers: body && method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {},
    });
  const read = <T>(answer: Answer, status: number): T => {
    assert.equal(answer.status, status, `${answer.bytes}`);
    return answer.body as T;
  };
  return {
    call,
    create: async (fields) => {
      const defaults = { clientId, topicName: "*", facilityCode: "*", contentType: "application/json" };
      return read(await call("POST", "webhook/create", { ...defaults, ...fields }), 201);
    },
    patch: async (webhookId, fields) => read(await call("PATCH", `webhook/patch/${webhookId}`, fields), 200),
    get: async (webhookId) => read(await call("GET", `webhook/get/${webhookId}`), 200),
    deliveries: async (webhookId) => {
      const page = await read<{ items: ListedDelivery[] }>(
        await call("GET", `webhook/deliveries/${webhookId}?limit=500`),
        200,
      );
      return page.items;
    },
  };
}

const ids = createIds();
const writer = createOutboxWriter(ids);

/** Publishes, in one transaction, an event for each of these objects, with the topic's sample data. */
export async function tellEvents(
  server: TestServer,
  clientId: string,
  objectIds: readonly string[],
  topicName = "order:delivered",
): Promise<void> {
  const topic = topics.find((topic) => topic.topicName === topicName);
  assert.ok(topic, topicName);
  const { family, sample } = topic;
  await server.database.transaction(async (tx) => {
    const facilityCode = sample.facilityCode === undefined ? "DC1" : null;
    const drafts = objectIds.map((objectId) => ({
      topic: topicName,
      objectType: family.objectType,
      objectId,
      facilityCode: facilityCode ?? undefined,
      data: sample.data,
    }));
    writer.append(tx.of(clientId), new Date().toISOString(), drafts);
  }, patient);
  await server.rows("select pg_notify('crossdock_outbox', '')");
}

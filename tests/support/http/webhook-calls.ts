// The Webhook service as an integrator calls it.
import assert from "node:assert/strict";
import type { TestClient } from "../app/server.ts";
import { type RestCall, restCalls } from "./rest-calls.ts";

export interface WebhookCalls {
  readonly call: RestCall;
  /** Creates a webhook and returns its record, with the secret. */
  create(more?: Record<string, unknown>): Promise<Record<string, unknown> & { readonly webhookId: string }>;
  get(webhookId: string): Promise<Record<string, unknown>>;
}

/** Calls below `/v1/webhookService`, with a token of the client. */
export function webhookCalls(
  url: string,
  client: { readonly credentials: Pick<TestClient["credentials"], "clientId" | "oauth"> },
): WebhookCalls {
  const { clientId } = client.credentials;
  const call = restCalls(url, "/v1/webhookService", client.credentials);
  return {
    call,
    async create(more = {}) {
      const { status, body } = await call("POST", "/webhook/create", { ...newWebhook(clientId), ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body as Record<string, unknown> & { readonly webhookId: string };
    },
    async get(webhookId) {
      const { status, body } = await call("GET", `/webhook/get/${webhookId}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
  };
}

/** The required fields. */
export const newWebhook = (clientId: string) => ({
  clientId,
  topicName: "order:*",
  facilityCode: "DC1",
  url: "https://example.com/hooks",
  contentType: "application/json",
});

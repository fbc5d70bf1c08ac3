// The Webhook service as an integrator calls it.
import assert from "node:assert/strict";
import { accessTokenOf, type TestClient } from "../app/server.ts";

export interface WebhookAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if there is none. */
  readonly body: Record<string, unknown>;
}

export interface WebhookCalls {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<WebhookAnswer>;
  /** Creates a webhook and returns its record, with the secret. */
  create(more?: Record<string, unknown>): Promise<Record<string, unknown> & { readonly webhookId: string }>;
  get(webhookId: string): Promise<Record<string, unknown>>;
}

/** Calls below `/v1/webhookService`, with a token of the client. */
export function webhookCalls(
  url: string,
  client: { readonly credentials: Pick<TestClient["credentials"], "clientId" | "oauth"> },
): WebhookCalls {
  const { clientId, oauth } = client.credentials;
  let token: Promise<string> | undefined;
  const call: WebhookCalls["call"] = async (method, path, body, headers = {}) => {
    token ??= accessTokenOf(url, oauth);
    const response = await fetch(`${url}/v1/webhookService${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const read = text === "" ? {} : (JSON.parse(text) as WebhookAnswer["body"]);
    return { status: response.status, headers: response.headers, body: read };
  };
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
  ...{ clientId, topicName: "order:*", facilityCode: "DC1" },
  ...{ url: "https://example.com/hooks", contentType: "application/json" },
});

// The REST services as an integrator uses them: the typed client with the onboarding credentials.
import assert from "node:assert/strict";
import { type Answer, type ClientOptions, type CrossdockClient, createClient, type DataOf } from "@crossdock/client";
import type { Onboarding } from "#/modules/clients/index.ts";

/** A client of a server's services. It does not retry unless a test enables it. */
export function clientOf(
  server: { readonly url: string },
  client: { readonly credentials: Pick<Onboarding, "oauth"> },
  options: Partial<ClientOptions> = {},
): CrossdockClient {
  const { client_id: clientId, client_secret: clientSecret } = client.credentials.oauth;
  return createClient({ baseUrl: server.url, clientId, clientSecret, retry: false, ...options });
}

/** Asserts this status and returns the data. */
export async function answered<It extends Answer>(status: number, promised: Promise<It>): Promise<DataOf<It>> {
  const { response, data, error } = await promised;
  assert.equal(response.status, status, JSON.stringify(error));
  assert.ok(response.ok);
  return data as DataOf<It>;
}

export interface Refusal {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly correlationToken: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

/** Asserts a refusal with this status and returns its problem details, validated against the contract (rest.md §2). */
export async function refused(status: number, promised: Promise<Answer>): Promise<Refusal> {
  const { response, data, error } = await promised;
  assert.equal(response.status, status, JSON.stringify(error ?? data));
  assert.match(response.headers.get("content-type") ?? "", /^application\/problem\+json/);
  const refusal = error as Refusal;
  assert.equal(refusal.status, status);
  assert.match(refusal.type, /^\/problems\/[a-z-]+$/);
  assert.equal(refusal.instance, new URL(response.url).pathname);
  assert.equal(refusal.correlationToken, response.headers.get("x-correlation-token"));
  assert.ok(refusal.title !== "" && refusal.detail !== "" && Array.isArray(refusal.errors));
  return refusal;
}

// Requests to REST services as they go over the wire, well formed or not: the typed client sends only what is well formed.
import type { Onboarding } from "#/modules/clients/index.ts";
import { accessTokenOf } from "../app/server.ts";

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export type RestCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<RestAnswer>;

/** Calls below a service's prefix, with a token of the client. A body that is a text is sent as it is. */
export function restCalls(url: string, prefix: string, { oauth }: Pick<Onboarding, "oauth">): RestCall {
  let token: Promise<string> | undefined;
  return async (method, path, body, headers = {}) => {
    token ??= accessTokenOf(url, oauth);
    const response = await fetch(`${url}${prefix}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as RestAnswer["body"] };
  };
}

/** Where the faults of a refusal are, in order. */
export const pointersOf = ({ body }: RestAnswer): string[] =>
  ((body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);

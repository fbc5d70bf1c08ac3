// Raw requests to REST services, well-formed or not. The typed client sends only well-formed ones.
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

/** Calls below a service's prefix, with a token of the client. A string body is sent unchanged. */
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

/** Pointers of the faults in a problem, in order. */
export const pointersOf = ({ body }: RestAnswer): string[] =>
  ((body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);

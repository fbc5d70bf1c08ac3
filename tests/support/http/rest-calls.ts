// Raw requests to REST services, with a token of a client.
import type { Onboarding } from "#/modules/clients/index.ts";
import { accessTokenOf } from "../app/server.ts";
import { type Answer, call } from "./call.ts";

export type RestCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Calls below a service's prefix, with a token of the client. A string body is sent unchanged. */
export function restCalls(url: string, prefix: string, { oauth }: Pick<Onboarding, "oauth">): RestCall {
  let token: Promise<string> | undefined;
  return async (method, path, body, headers) => {
    token ??= accessTokenOf(url, oauth);
    return call(method, `${url}${prefix}${path}`, { token: await token, body, headers });
  };
}

/** Pointers of the faults in a problem, in order. */
export const pointersOf = ({ body }: Pick<Answer, "body">): string[] =>
  ((body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);

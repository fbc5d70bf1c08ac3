// A fake of the services, for tests that need answers which real services cannot be made to give: answers by script,
// over real HTTP.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach } from "node:test";
import { createClient } from "./client.ts";
import type { ClientOptions } from "./sender.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  readonly key: string | undefined;
  readonly body: string;
  readonly apiKey: string | undefined;
  readonly atMs: number;
}

/** A status of 0 is an answer that gets lost. */
export type Script = [status: number, headers?: Record<string, string>, body?: unknown];

interface StandIn {
  nowMs: number;
  /** `expires_in` of its tokens. */
  lifeSeconds: number;
  /** The answers to the next requests to services, one each; then 200. */
  scripts: Script[];
  /** The answers of the token endpoint; then a token. */
  tokenScripts: Script[];
  /** The requests to services. */
  seen: Seen[];
  tokenRequests: unknown[];
  /** A token that services refuse. */
  revoked: string | undefined;
  /** Whether services receive requests but send no answers. */
  isSilent: boolean;
}

const untouched = (): StandIn => ({
  nowMs: 1_800_000_000_000,
  lifeSeconds: 3600,
  scripts: [],
  tokenScripts: [],
  seen: [],
  tokenRequests: [],
  revoked: undefined,
  isSilent: false,
});

/** Reset before each test. */
export const standIn = untouched();

beforeEach(() => {
  Object.assign(standIn, untouched());
});

export const refusedToken: Script = [
  401,
  { "www-authenticate": 'Bearer error="invalid_token", error_description="gone"' },
];

async function answerScripted(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await textOf(request);
  const answer = ([status, headers = {}, content = {}]: Script) => {
    if (status === 0) {
      response.destroy();
      return;
    }
    const text = typeof content === "string" ? content : JSON.stringify(content);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
  const { tokenRequests, tokenScripts, scripts, seen } = standIn;
  if (request.url === "/auth/v1/oauth/token") {
    tokenRequests.push({ method: request.method, type: request.headers["content-type"], body: JSON.parse(body) });
    const { lifeSeconds } = standIn;
    const fresh = { access_token: `token-${tokenRequests.length}`, token_type: "Bearer", expires_in: lifeSeconds };
    return answer(tokenScripts.shift() ?? [200, {}, fresh]);
  }
  const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
  const key = request.headers["idempotency-key"] as string | undefined;
  const apiKey = request.headers["x-api-key"] as string | undefined;
  const { method = "", url = "" } = request;
  seen.push({ method, url, token, key, body, apiKey, atMs: performance.now() });
  if (!standIn.isSilent) answer(token === standIn.revoked ? refusedToken : (scripts.shift() ?? [200]));
}

const server = createServer((request, response) => void answerScripted(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
export const standInUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

export const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: `${standInUrl}/`,
    authUrl: `${standInUrl}/auth/`,
    clientId: "id",
    clientSecret: "secret",
    clock: { now: () => standIn.nowMs },
    ...options,
  });

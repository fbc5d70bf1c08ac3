import createOpenapiClient, { type Client } from "openapi-fetch";
import { type Services, serviceNames } from "./generated/services.ts";
import { type Clock, type Fetch, isRepeatable, type RetryOptions, retryDefault, sendPatiently } from "./retry.ts";
import { createTokens } from "./tokens.ts";

export interface ClientOptions {
  /** Where the services are, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** Where tokens are to be had, if elsewhere. */
  readonly authUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For each attempt, until the last byte of its answer; 30 000 unless told. */
  readonly timeoutMs?: number;
  /** What to do about `Retry-After`: three attempts and waits of 10 s at the most, unless told. */
  readonly retry?: Partial<RetryOptions> | false;
  /**
   * Makes an `Idempotency-Key` for each write that has none, such as `() => randomUUID()`, so that it can be sent again
   * after a 503. Without it a write has a key only where the call gives it one.
   */
  readonly newIdempotencyKey?: () => string;
  /** The platform's own unless told. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

/** One typed `openapi-fetch` client for each service; they share the token. */
type ServiceClients = { readonly [Name in keyof Services]: Client<Services[Name]> };

export interface CrossdockClient extends ServiceClients {
  /**
   * Any request with the client's token, for what the types do not know. Token, time-outs and repeats as everywhere.
   * @param path from the root of the services, beginning with a slash
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

const timeoutMsDefault = 30_000;

/**
 * A client of the REST services. Its methods answer `{ data, response }` or `{ error, response }` with problem details;
 * `unwrap` makes of these the data or a thrown `ProblemError`. They throw a `TokenError` where no token is to be had, and
 * what `fetch` throws where no answer came.
 */
export function createClient(options: ClientOptions): CrossdockClient {
  const { timeoutMs = timeoutMsDefault, clock = { now: Date.now }, newIdempotencyKey } = options;
  const baseUrl = withoutSlash(options.baseUrl);
  const tokenUrl = `${withoutSlash(options.authUrl ?? options.baseUrl)}/v1/oauth/token`;
  const retry =
    options.retry === false ? { ...retryDefault, attemptsMax: 1 } : { ...retryDefault, ...(options.retry ?? {}) };
  // Looked up at each call, so that a tracer may still be put around the platform's.
  const context = { fetch: options.fetch ?? ((request) => fetch(request)), clock, retry };

  const tokens = createTokens({
    ...{ clientId: options.clientId, clientSecret: options.clientSecret, clock },
    post(body) {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const make = async () =>
        new Request(tokenUrl, { method: "POST", headers, body, signal: AbortSignal.timeout(timeoutMs) });
      return sendPatiently(make, true, context);
    },
  });

  async function send(request: Request): Promise<Response> {
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const headers = new Headers(request.headers);
    if (newIdempotencyKey && isWrite(request) && !headers.has("idempotency-key")) {
      headers.set("idempotency-key", newIdempotencyKey());
    }
    const { method, url, signal } = request;
    let token = "";
    // Asked for at each attempt, because a token may expire while there is a wait.
    const make = async () => {
      token = await tokens.current();
      headers.set("authorization", `Bearer ${token}`);
      return new Request(request, {
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body }),
      });
    };
    const sendOnce = () => sendPatiently(make, isRepeatable({ method, url, headers }), { ...context, signal });

    const response = await sendOnce();
    if (response.status !== 401 || !isTokenRefused(response)) return response;
    await response.body?.cancel();
    tokens.forget(token);
    return sendOnce();
  }

  const services = Object.fromEntries(
    serviceNames.map((name) => [name, createOpenapiClient({ baseUrl, fetch: send })]),
  ) as unknown as ServiceClients;
  return {
    ...services,
    async fetch(path, init) {
      // Anything else could name another host, which would get the token.
      if (!path.startsWith("/")) throw new TypeError(`the path does not begin with a slash: ${path}`);
      return send(new Request(baseUrl + path, init));
    },
  };
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

const isWrite = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** Expired, revoked, or of keys that were replaced: RFC 6750 §3.1 lets a client try once more with another token. */
function isTokenRefused({ headers }: Response): boolean {
  return /\berror="invalid_token"/.test(headers.get("www-authenticate") ?? "");
}

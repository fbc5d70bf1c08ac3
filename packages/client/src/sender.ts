import {
  type Clock,
  type Fetch,
  isRepeatable,
  type RetryOptions,
  retryDefault,
  sendPatiently,
  sleep,
} from "./retry.ts";
import { createTokens } from "./tokens.ts";

export interface ClientOptions {
  /** The base address of the services, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The base address of the token endpoint, if different. */
  readonly authUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Timeout of each attempt, up to the last byte of the answer; 30 000 by default. */
  readonly timeoutMs?: number;
  /** How to handle `Retry-After`; by default at most three attempts and waits of at most 10 s. */
  readonly retry?: Partial<RetryOptions> | false;
  /**
   * Makes an `Idempotency-Key` for each write without one, such as `() => randomUUID()`, so that the client can retry
   * the write after a 503. Without this option, a write has a key only if the call provides it.
   */
  readonly newIdempotencyKey?: () => string;
  /** The platform's own `fetch` by default. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

const timeoutMsDefault = 30_000;

/** Sends a request with a token, a time-out and retries. It needs no package, and none of the generated types. */
export function createSender(options: ClientOptions): (request: Request) => Promise<Response> {
  const { timeoutMs = timeoutMsDefault, clock = { now: Date.now }, newIdempotencyKey } = options;
  const tokenUrl = `${withoutSlash(options.authUrl ?? options.baseUrl)}/v1/oauth/token`;
  const retry =
    options.retry === false ? { ...retryDefault, attemptsMax: 1 } : { ...retryDefault, ...(options.retry ?? {}) };
  // Resolves the global `fetch` at each call, so that a tracer can still wrap it later.
  const context = { fetch: options.fetch ?? ((request) => fetch(request)), clock, retry };

  const tokens = createTokens({
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    clock,
    post(body) {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const make = async () =>
        new Request(tokenUrl, { method: "POST", headers, body, signal: AbortSignal.timeout(timeoutMs) });
      return sendPatiently(make, true, context);
    },
  });

  const quota = createQuota(clock, retry.waitMsMax);

  async function send(request: Request): Promise<Response> {
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const headers = new Headers(request.headers);
    if (newIdempotencyKey && isWrite(request) && !headers.has("idempotency-key")) {
      headers.set("idempotency-key", newIdempotencyKey());
    }
    const { method, url, signal } = request;
    let token = "";
    await quota.pause(signal);
    // Gets the token for each attempt, because it may expire during a wait.
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
    quota.note(response.headers);
    if (response.status !== 401 || !isTokenRefused(response)) return response;
    await response.body?.cancel();
    tokens.forget(token);
    return sendOnce();
  }
  return send;
}

/**
 * Waits before a request that the server would refuse: the last answer left no request of the quota (`RateLimit`,
 * draft-ietf-httpapi-ratelimit-headers). A quota fills steadily, so that the first of its `t` seconds has room again.
 */
function createQuota(clock: Clock, waitMsMax: number) {
  let fullUntilMs = 0;
  return {
    note(headers: Headers) {
      const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get("ratelimit") ?? "") ?? [];
      if (left === "0" && seconds !== "0") fullUntilMs = clock.now() + 1_000;
    },
    async pause(signal: AbortSignal) {
      const waitMs = Math.min(fullUntilMs - clock.now(), waitMsMax);
      if (waitMs > 0) await sleep(waitMs, signal);
    },
  };
}

export const withoutSlash = (url: string) => url.replace(/\/+$/, "");

const isWrite = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/**
 * The token is expired, revoked, or signed with a replaced key: RFC 6750 §3.1 lets a client retry once with another
 * token.
 */
function isTokenRefused({ headers }: Response): boolean {
  return /\berror="invalid_token"/.test(headers.get("www-authenticate") ?? "");
}

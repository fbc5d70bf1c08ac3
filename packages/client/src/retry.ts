import { setTimeout as sleep } from "node:timers/promises";

/** How a client waits when a service requests it (`Retry-After`, RFC 9110 §10.2.3). */
export interface RetryOptions {
  /** The maximum number of attempts, including the first one. */
  readonly attemptsMax: number;
  /** An answer that requests a longer wait than this is returned at once. */
  readonly waitMsMax: number;
}

export const retryDefault: RetryOptions = { attemptsMax: 3, waitMsMax: 10_000 };

/**
 * Sends a request, and retries it after a 429 or 503 with `Retry-After`. The service refuses with 429 before it
 * processes anything, so every request is retried. After a 503, the outcome of a write may be unknown: only reads, and
 * writes with an `Idempotency-Key`, are retried.
 *
 * @param make makes a new request for each attempt, because a body can be read only once.
 * @param isRepeatable whether sending the request twice has the same effect as sending it once
 */
export async function sendPatiently(
  make: () => Promise<Request>,
  isRepeatable: boolean,
  { fetch, clock, retry, signal }: SendContext,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(await make());
    if (attempt >= retry.attemptsMax) return response;
    if (response.status !== 429 && !(response.status === 503 && isRepeatable)) return response;
    const waitMs = waitOf(response.headers.get("retry-after"), clock);
    if (waitMs === undefined || waitMs > retry.waitMsMax) return response;
    await response.body?.cancel();
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}

export interface SendContext {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly retry: RetryOptions;
  /** Aborts the wait as well. */
  readonly signal?: AbortSignal;
}

export type Fetch = (request: Request) => Promise<Response>;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export interface Clock {
  now(): number;
}

/**
 * Whether a request is a read, or a write with a key. `POST …/findX` is a read whose query is too long for an address.
 */
export function isRepeatable({ method, url, headers }: Pick<Request, "method" | "url" | "headers">): boolean {
  if (method === "GET" || method === "HEAD" || headers.has("idempotency-key")) return true;
  return method === "POST" && /\/find[A-Z][A-Za-z]*$/.test(new URL(url).pathname);
}

/** Retry-After is a number of seconds, as the services send it, or a date, as proxies may send it. */
function waitOf(header: string | null, clock: Clock): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - clock.now());
}

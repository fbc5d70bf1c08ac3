import { setTimeout as sleep } from "node:timers/promises";

/** How a client waits where a service asks it to (`Retry-After`, RFC 9110 §10.2.3). */
export interface RetryOptions {
  /** How often a request is sent at the most, the first time included. */
  readonly attemptsMax: number;
  /** What asks for a longer wait than this is handed back at once. */
  readonly waitMsMax: number;
}

export const retryDefault: RetryOptions = { attemptsMax: 3, waitMsMax: 10_000 };

/**
 * Sends a request, and again after a 429 or 503 with `Retry-After`. A 429 was refused before anything was looked at, so
 * every request is sent again. After a 503 the outcome of a write may be unknown: only reads are sent again, and writes
 * with an `Idempotency-Key`.
 *
 * @param make the request anew for each attempt, because a body is read once.
 * @param isRepeatable whether sending it twice does what sending it once does
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
  /** Ends the waiting too. */
  readonly signal?: AbortSignal;
}

export type Fetch = (request: Request) => Promise<Response>;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export interface Clock {
  now(): number;
}

/** Reads, and writes with a key. `POST …/findX` are reads whose question is too long for an address. */
export function isRepeatable({ method, url, headers }: Pick<Request, "method" | "url" | "headers">): boolean {
  if (method === "GET" || method === "HEAD" || headers.has("idempotency-key")) return true;
  return method === "POST" && /\/find[A-Z][A-Za-z]*$/.test(new URL(url).pathname);
}

/** Retry-After is seconds, as the services send it, or a date, as proxies may. */
function waitOf(header: string | null, clock: Clock): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - clock.now());
}

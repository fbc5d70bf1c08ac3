/** How a client waits when a service requests it (`Retry-After`, RFC 9110 §10.2.3). */
export interface RetryOptions {
  /** The maximum number of attempts, including the first one. */
  readonly attemptsMax: number;
  /** An answer that requests a longer wait than this is returned at once. */
  readonly waitMsMax: number;
  /**
   * The first wait after a lost or failed attempt of a repeatable request, doubled each time. Without it, only answers
   * with `Retry-After` are retried.
   */
  readonly backoffMs?: number;
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
    const isLast = attempt >= retry.attemptsMax;
    const backoffMs = isRepeatable && retry.backoffMs !== undefined ? retry.backoffMs * 2 ** (attempt - 1) : undefined;
    let waitMs = backoffMs;
    // Outside: a request without a token is not one whose answer is lost.
    const request = await make();
    try {
      const response = await fetch(request);
      if (isLast || !isRetried(response.status, isRepeatable, backoffMs !== undefined)) return response;
      waitMs = waitOf(response.headers.get("retry-after"), clock) ?? backoffMs;
      if (waitMs === undefined || waitMs > retry.waitMsMax) return response;
      await response.body?.cancel();
    } catch (error) {
      // No answer: whether the request arrived is unknown.
      if (isLast || waitMs === undefined || signal?.aborted) throw error;
    }
    await sleep(Math.min(waitMs, retry.waitMsMax), signal);
  }
}

/** Answers after which the outcome is unknown, or nothing was done. */
const passing = [408, 409, 500, 502, 503, 504];

function isRetried(status: number, isRepeatable: boolean, hasBackoff: boolean): boolean {
  if (status === 429) return true;
  return isRepeatable && (hasBackoff ? passing.includes(status) : status === 503);
}

/** Waits; rejects with the reason of the signal when it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
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

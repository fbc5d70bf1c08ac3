/** Requests to label sources, over the guarded connections of webhooks (contract webhooks.md §2, Where it may connect). */
import { type Failure, readRetryAfter } from "#/delivery/webhooks/sending/answer.ts";
import { Exchange } from "#/delivery/webhooks/sending/exchange.ts";
import { createSystemLookup } from "#/delivery/webhooks/sending/lookup.ts";
import { findPlace, openAgent, userAgent } from "#/delivery/webhooks/sending/sender.ts";
import type { AddressPolicy } from "#/kernel/security/address-policy.ts";
import type { SourceCall } from "#/modules/labels/index.ts";

interface SourceRequest {
  readonly method: SourceCall["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
}

export interface SourceExchange {
  /** Undefined for a complete answer, of any status. */
  readonly failure: Failure | undefined;
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfterMs: number | undefined;
}

export interface SourceClient {
  /** Never rejects because of a source. Redirects are not followed. */
  request(request: SourceRequest): Promise<SourceExchange>;
  /** Ends requests in progress as `reset`. */
  close(): Promise<void>;
}

const connectMsMax = 5_000;
/** A label in base64 within JSON. */
const answerBytesMax = 4 * 1_024 * 1_024;

export function createSourceClient(policy: AddressPolicy, now: () => number): SourceClient {
  const closing = new AbortController();
  const agent = openAgent({ policy, lookup: createSystemLookup(), connectMsMax, closing: closing.signal });
  return {
    async request({ method, url, headers, body, timeoutMs }) {
      const place = findPlace(policy, url);
      if ("detail" in place) return { failure: place, status: 0, body: Buffer.alloc(0), retryAfterMs: undefined };
      const exchange = new Exchange(timeoutMs, answerBytesMax);
      const named = body === undefined ? headers : { "content-type": "application/json", ...headers };
      const text = body === undefined ? null : JSON.stringify(body);
      agent.dispatch({ ...place, method, headers: { "user-agent": userAgent, ...named }, body: text }, exchange);
      const ended = await exchange.ended;
      return {
        failure: ended.failure,
        status: ended.status ?? 0,
        body: ended.body,
        retryAfterMs: readRetryAfter(ended.headers["retry-after"], now()),
      };
    },
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
}

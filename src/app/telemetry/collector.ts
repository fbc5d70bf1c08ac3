import { setTimeout as sleep } from "node:timers/promises";

/** Receiver of spans and metrics: OTLP over HTTP with protobuf. */
export interface Collector {
  /** Resolves to whether the collector took the message. Never rejects, and settles within `sendMsMax`. */
  send(path: "/v1/traces" | "/v1/metrics", message: Uint8Array): Promise<boolean>;
  /** Aborts the requests in flight. */
  close(): void;
}

export interface CollectorOptions {
  /** URL without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Called when the collector begins to fail, and when it takes messages again. */
  readonly onChange: (fault: string | undefined) => void;
  /** Time limit for a message with all its attempts; for tests. */
  readonly sendMsMax?: number;
}

const sendMsMaxDefault = 5_000;
const firstPauseMs = 250;
/** Retryable status codes (specification of OTLP/HTTP, Failures). */
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Uses fetch, with one time limit for all attempts. The OpenTelemetry exporters limit only the idle time of a request,
 * and they still retry after a stop.
 */
export function openCollector(options: CollectorOptions): Collector {
  const { endpoint, onChange, sendMsMax = sendMsMaxDefault } = options;
  const closed = new AbortController();
  const headers = {
    ...options.headers,
    "content-type": "application/x-protobuf",
    "user-agent": options.userAgent,
  };
  let isFailing = false;

  /** Returns undefined on success. */
  async function post(
    url: string,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ fault: string; isTransient: boolean } | undefined> {
    try {
      const answer = await fetch(url, { method: "POST", headers, body: Buffer.from(body), redirect: "manual", signal });
      await answer.body?.cancel();
      return answer.ok
        ? undefined
        : { fault: `status ${answer.status}`, isTransient: transientStatuses.has(answer.status) };
    } catch (error) {
      const { cause, name, message } = error as Error & { readonly cause?: { readonly code?: string } };
      const fault = name === "TimeoutError" ? "no answer in time" : (cause?.code ?? message);
      return { fault, isTransient: true };
    }
  }

  return {
    async send(path, message) {
      const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(sendMsMax)]);
      let fault = "closed";
      for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs *= 2) {
        const failed = await post(`${endpoint}${path}`, message, signal);
        if (failed === undefined) {
          if (isFailing) onChange(undefined);
          isFailing = false;
          return true;
        }
        fault = failed.fault;
        if (!failed.isTransient) break;
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
      if (!isFailing && !closed.signal.aborted) {
        isFailing = true;
        onChange(fault);
      }
      return false;
    },
    close: () => closed.abort(),
  };
}

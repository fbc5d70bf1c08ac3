import { setTimeout as sleep } from "node:timers/promises";

/** Where spans and metrics go: an OTLP receiver that speaks HTTP with protobuf. */
export interface Collector {
  /** Whether it has taken the message. Never rejected, and over within `sendMsMax`. */
  send(path: "/v1/traces" | "/v1/metrics", message: Uint8Array): Promise<boolean>;
  /** What is under way is broken off. */
  close(): void;
}

export interface CollectorOptions {
  /** Address without a slash at its end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Called when it begins to refuse or to be silent, and when it takes messages again. */
  readonly onChange: (fault: string | undefined) => void;
  /** With all its tries; for tests. */
  readonly sendMsMax?: number;
}

const sendMsMaxDefault = 5_000;
const firstPauseMs = 250;
/** Answers that OTLP tells senders to try again after (specification of OTLP/HTTP, Failures). */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * By fetch, with one time for the whole of it: the exporters of OpenTelemetry bound a request's silence, not its length, and
 * go on trying behind a stop.
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

  /** Undefined: it has taken it. */
  async function post(
    url: string,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ fault: string; isPassing: boolean } | undefined> {
    try {
      const answer = await fetch(url, { method: "POST", headers, body: Buffer.from(body), redirect: "manual", signal });
      await answer.body?.cancel();
      return answer.ok ? undefined : { fault: `status ${answer.status}`, isPassing: passing.has(answer.status) };
    } catch (error) {
      const { cause, name, message } = error as Error & { readonly cause?: { readonly code?: string } };
      const fault = name === "TimeoutError" ? "no answer in time" : (cause?.code ?? message);
      return { fault, isPassing: true };
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
        if (!failed.isPassing) break;
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

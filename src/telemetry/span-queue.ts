import { setTimeout as sleep } from "node:timers/promises";
import { metrics } from "#/kernel/telemetry/metrics.ts";

/** Queue of outgoing spans. Adding a span never waits. */
export interface SpanQueue<Span> {
  /** Queues the span if there is room, else counts it as dropped. */
  add(span: Span): void;
  /** Sends the queued spans for up to this time, then drops the rest. */
  close(msMax: number): Promise<void>;
}

export interface SpanQueueOptions<Span> {
  /** Resolves to whether the spans were taken. */
  readonly send: (spans: readonly Span[]) => Promise<boolean>;
  /** For tests. */
  readonly spansMax?: number;
  readonly everyMs?: number;
}

/** Some 5 MB, or one second of spans at a thousand documents a second. */
const spansMaxDefault = 8_192;
const batchMax = 512;
const everyMsDefault = 1_000;

export function createSpanQueue<Span>(options: SpanQueueOptions<Span>): SpanQueue<Span> {
  const { send, spansMax = spansMaxDefault, everyMs = everyMsDefault } = options;
  let waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let inProgress = 0;
  let isClosed = false;

  function drop(reason: "queue_full" | "not_taken", count: number): void {
    if (count > 0) metrics.telemetryDropped.inc({ reason }, count);
  }

  /** Sends one batch at a time, so that a slow collector gets no concurrent requests. */
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      inProgress = batch.length;
      // No caller awaits this promise; an exception here ends the process.
      const isTaken = await send(batch).catch(() => false);
      // The queue was closed meanwhile, and the batch was counted as not taken.
      if (isClosed) return;
      inProgress = 0;
      if (isTaken) metrics.telemetrySpans.inc(batch.length);
      else drop("not_taken", batch.length);
    }
  }

  function flush(): Promise<void> {
    sending ??= drain().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(() => void flush(), everyMs).unref();

  return {
    add(span) {
      if (isClosed || waiting.length >= spansMax) {
        drop("queue_full", 1);
        return;
      }
      waiting.push(span);
      if (waiting.length >= batchMax) void flush();
    },
    async close(msMax) {
      clearInterval(timer);
      const timeUp = new AbortController();
      // The batch in flight may be old, so the queued spans follow in a second flush.
      const rest = flush().then(flush);
      await Promise.race([rest, sleep(msMax, undefined, { signal: timeUp.signal }).catch(() => {})]);
      timeUp.abort();
      isClosed = true;
      drop("not_taken", inProgress + waiting.length);
      waiting = [];
    },
  };
}

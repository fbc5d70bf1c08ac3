import { setTimeout as sleep } from "node:timers/promises";
import { metrics } from "#/kernel/telemetry/metrics.ts";

/** Spans on their way out. Nobody who adds one waits for anything. */
export interface SpanQueue<Span> {
  /** Kept where there is room, else counted as dropped. */
  add(span: Span): void;
  /** Sends what is there, for so long, and drops the rest. */
  close(msMax: number): Promise<void>;
}

export interface SpanQueueOptions<Span> {
  /** Whether they were taken. */
  readonly send: (spans: readonly Span[]) => Promise<boolean>;
  /** For tests. */
  readonly spansMax?: number;
  readonly everyMs?: number;
}

/** Some 5 MB; at a thousand documents a second what comes in one second. */
const spansMaxDefault = 8_192;
const batchMax = 512;
const everyMsDefault = 1_000;

export function createSpanQueue<Span>(options: SpanQueueOptions<Span>): SpanQueue<Span> {
  const { send, spansMax = spansMaxDefault, everyMs = everyMsDefault } = options;
  let waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let underWay = 0;
  let isClosed = false;

  function drop(reason: "queue_full" | "not_taken", count: number): void {
    if (count > 0) metrics.telemetryDropped.inc({ reason }, count);
  }

  /** One batch after the other: a collector that is slow is not asked for more at a time. */
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      underWay = batch.length;
      // Nobody waits for this: what it threw would end the process.
      const isTaken = await send(batch).catch(() => false);
      // Nobody waits for it any more: it was counted as not taken.
      if (isClosed) return;
      underWay = 0;
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
      // What is being sent may be an old batch: what is there now follows it.
      const rest = flush().then(flush);
      await Promise.race([rest, sleep(msMax, undefined, { signal: timeUp.signal }).catch(() => {})]);
      timeUp.abort();
      isClosed = true;
      drop("not_taken", underWay + waiting.length);
      waiting = [];
    },
  };
}

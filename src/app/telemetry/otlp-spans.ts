import { setTimeout as sleep } from "node:timers/promises";
import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { newSpanId, rootSpanIdOf, type SpanDraft, type SpanLink, traceIdOf } from "#/kernel/telemetry/trace.ts";

export interface Origin {
  readonly resource: Resource;
  readonly version: string;
}

const kinds = { SERVER: SpanKind.SERVER, INTERNAL: SpanKind.INTERNAL, CLIENT: SpanKind.CLIENT } as const;
/** Maximum text length. Longer texts are cut, because object ids come from clients. */
const textMax = 256;

/** Builds a span for the serialiser. */
export function spanOf(draft: SpanDraft, { resource, version }: Origin): ReadableSpan {
  const traceId = traceIdOf(draft.token);
  const rootId = rootSpanIdOf(draft.token);
  const spanId = draft.spanId ?? newSpanId();
  const { link, failure } = draft;
  const parent =
    spanId === rootId ? {} : { parentSpanContext: contextOf({ traceId, spanId: draft.parentId ?? rootId }) };
  const spanContext = contextOf({ traceId, spanId });
  return {
    name: draft.name,
    kind: kinds[draft.kind],
    spanContext: () => spanContext,
    ...parent,
    startTime: hrTimeOf(draft.startedMs),
    endTime: hrTimeOf(draft.endedMs),
    duration: [0, 0],
    status: failure === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: failure },
    attributes: attributesOf(draft),
    links: link === undefined ? [] : [{ context: contextOf(link) }],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: "crossdock", version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const contextOf = (link: SpanLink): SpanContext => ({ ...link, traceFlags: TraceFlags.SAMPLED });

function attributesOf({ attributes, failure }: SpanDraft): Attributes {
  const result: Attributes = failure === undefined ? {} : { "error.type": failure };
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) result[name] = typeof value === "string" ? value.slice(0, textMax) : value;
  }
  return result;
}

let anchorMs = performance.timeOrigin;

/**
 * Wall-clock time. `performance.now()` knows it only from the process start, so it is compared again after a clock
 * leap.
 */
function hrTimeOf(ms: number): HrTime {
  const driftMs = Date.now() - performance.now() - anchorMs;
  if (Math.abs(driftMs) > leapMsMin) anchorMs += driftMs;
  const atMs = anchorMs + ms;
  const seconds = Math.floor(atMs / 1_000);
  return [seconds, Math.round((atMs - seconds * 1_000) * 1_000_000)];
}

const leapMsMin = 250;

/** Queue of outgoing spans. Adding a span never waits. */
interface SpanQueue<Span> {
  /** Queues the span if there is room, else counts it as dropped. */
  add(span: Span): void;
  /** Sends the queued spans for up to this time, then drops the rest. */
  close(msMax: number): Promise<void>;
}

interface SpanQueueOptions<Span> {
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

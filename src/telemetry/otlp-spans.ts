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

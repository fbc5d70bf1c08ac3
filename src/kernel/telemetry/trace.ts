/**
 * Spans of the events of a document or a request (docs/decisions/0028-metrics-and-traces.md). A token is a UUIDv7 of
 * 128 bits, and so is a trace id. Any process that has a token writes into its trace, however much later, and an
 * operator finds the trace by the token without its dashes. The root span id also comes from the token, so that child
 * spans name it and no context has to be passed along.
 */
import { randomFillSync } from "node:crypto";
import { metrics } from "#/kernel/telemetry/metrics.ts";

export interface SpanDraft {
  /** The token of the trace that the span belongs to. */
  readonly token: string;
  readonly name: string;
  /** SERVER: the root, a request or a file as received. CLIENT: a request to another system. */
  readonly kind: "SERVER" | "INTERNAL" | "CLIENT";
  /** By `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** 16 hexadecimal digits; generated here where it is omitted. For the root: `rootSpanIdOf`. */
  readonly spanId?: string;
  /** Defaults to the root span; the root itself has no parent. */
  readonly parentId?: string;
  /** Ids, codes, numbers: no payloads, no addresses, no keys. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Why it failed, in a word. */
  readonly failure?: string | undefined;
  /** A related trace. */
  readonly link?: SpanLink | undefined;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

export type SpanSink = (span: SpanDraft) => void;

let sink: SpanSink | undefined;
let isKept: (token: string) => boolean = () => true;

/**
 * The traces of this process. Callers check `isOn` before they build a span: the check costs nothing while no sink is
 * set.
 */
export const traces = {
  get isOn(): boolean {
    return sink !== undefined;
  },
  /**
   * The header `traceparent` (W3C Trace Context §3.2) of a request to another system, within a span of the token's trace;
   * undefined where the trace is not exported.
   */
  parentOf(token: string, spanId: string): string | undefined {
    return sink !== undefined && isKept(token) ? `00-${traceIdOf(token)}-${spanId}-01` : undefined;
  },
  /** Never throws: a caller that adds a span has done its work, and after an error it repeats that work. */
  add(span: SpanDraft): void {
    try {
      sink?.(span);
    } catch {
      metrics.telemetryDropped.inc({ reason: "not_taken" });
    }
  },
};

/**
 * Sets the sink of this process's spans, until the caller calls the returned function.
 *
 * @param keeps whether the sink keeps the trace of a token.
 */
export function directSpans(to: SpanSink, keeps: (token: string) => boolean = () => true): () => void {
  sink = to;
  isKept = keeps;
  return () => {
    if (sink === to) sink = undefined;
  };
}

/** 32 hexadecimal digits. */
export function traceIdOf(token: string): string {
  return token.replaceAll("-", "");
}

/** The last eight bytes of the token: 62 random bits and the two of the variant, so it is never all zeros. */
export function rootSpanIdOf(token: string): string {
  return token.slice(19).replace("-", "");
}

const idBytes = 8;
const randomPool = Buffer.alloc(512 * idBytes);
let poolAt = randomPool.length;

export function newSpanId(): string {
  if (poolAt >= randomPool.length) {
    randomFillSync(randomPool);
    poolAt = 0;
  }
  const id = randomPool.toString("hex", poolAt, poolAt + idBytes);
  poolAt += idBytes;
  // The all-zero span id is invalid.
  return id === "0000000000000000" ? newSpanId() : id;
}

const traceParentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;

/**
 * The span that a header `traceparent` (W3C Trace Context §3.2) names; undefined for an invalid header. The trace links
 * to that span and does not continue it: the trace of a token is that of the token, no matter which client sent it.
 */
export function readTraceParent(header: string | undefined): SpanLink | undefined {
  const match = header === undefined || header.length > 512 ? null : traceParentPattern.exec(header);
  if (!match || header?.startsWith("ff")) return undefined;
  const [, traceId, spanId] = match as unknown as [string, string, string];
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}

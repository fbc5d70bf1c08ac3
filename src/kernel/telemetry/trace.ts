/**
 * Spans of what happens to a document or a request (docs/decisions/0028-metrics-and-traces.md). A token is a UUIDv7 of 128
 * bits, and so is the id of a trace: whoever has a token writes into its trace, in whatever process and however much later,
 * and an operator finds it by the token without its dashes. The root has its id from the token as well, so that its children
 * name it and nothing has to be carried along.
 */
import { randomFillSync } from "node:crypto";
import { metrics } from "#/kernel/telemetry/metrics.ts";

export interface SpanDraft {
  /** The token whose trace this is part of. */
  readonly token: string;
  readonly name: string;
  /** SERVER: the root, a request or a file as it came. CLIENT: a request to somebody else. */
  readonly kind: "SERVER" | "INTERNAL" | "CLIENT";
  /** By `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** 16 hexadecimal digits; made here where it is left out. Of the root: `rootSpanIdOf`. */
  readonly spanId?: string;
  /** The root's where it is left out; the root itself has none. */
  readonly parentId?: string;
  /** Ids, codes, numbers: no payloads, no addresses, no keys. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Why it failed, in a word. */
  readonly failure?: string | undefined;
  /** Another trace that this one has to do with. */
  readonly link?: SpanLink | undefined;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

export type SpanSink = (span: SpanDraft) => void;

let sink: SpanSink | undefined;

/** The traces of this process. To be asked before a span is put together: it costs nothing while nobody takes spans. */
export const traces = {
  get isOn(): boolean {
    return sink !== undefined;
  },
  /** Never throws: whoever adds a span has done its work, and would do it again. */
  add(span: SpanDraft): void {
    try {
      sink?.(span);
    } catch {
      metrics.telemetryDropped.inc({ reason: "not_taken" });
    }
  },
};

/** Says who takes the spans of this process, until the answer is called. */
export function directSpans(to: SpanSink): () => void {
  sink = to;
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
  // All zeros names no span.
  return id === "0000000000000000" ? newSpanId() : id;
}

const traceParentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;

/**
 * What a header `traceparent` (W3C Trace Context §3.2) names; undefined of one that is none. It is linked to and not taken
 * over: the trace of a token is that of the token, whoever sent it.
 */
export function readTraceParent(header: string | undefined): SpanLink | undefined {
  const match = header === undefined || header.length > 512 ? null : traceParentPattern.exec(header);
  if (!match || header?.startsWith("ff")) return undefined;
  const [, traceId, spanId] = match as unknown as [string, string, string];
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}

// A collector of traces and metrics: accepts OTLP over HTTP with protobuf, and decodes it by the field numbers of
// opentelemetry-proto, independently of the encoder.
import assert from "node:assert/strict";
import { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for a root span. */
  readonly parentId: string | undefined;
  readonly name: string;
  /** 1 INTERNAL, 2 SERVER, 3 CLIENT. */
  readonly kind: number;
  /** Unix nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 0 unset, 2 error. */
  readonly status: number;
  readonly message: string | undefined;
  readonly resource: Attributes;
}

export interface ReceivedPoint {
  readonly attributes: Attributes;
  /** For a counter or gauge. */
  readonly value: number | undefined;
  /** For a histogram. */
  readonly count: number;
  readonly sum: number;
  readonly counts: readonly number[];
  readonly bounds: readonly number[];
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: "gauge" | "sum" | "histogram";
  readonly isMonotonic: boolean;
  /** 2: cumulative. */
  readonly temporality: number;
  readonly points: readonly ReceivedPoint[];
}

export interface TestCollector extends Receiver {
  /** All spans so far, oldest first. */
  spans(): ReceivedSpan[];
  /** Metrics of the last message. */
  metrics(): Map<string, ReceivedMetric>;
}

export async function startCollector(options?: ReceiverOptions): Promise<TestCollector> {
  const receiver = await startReceiver(options);
  const bodies = (path: string) =>
    receiver.requests.filter((request) => {
      assert.equal(request.headers["content-type"], "application/x-protobuf");
      return request.path.endsWith(path);
    });
  return Object.assign(receiver, {
    spans: () => bodies("/v1/traces").flatMap(({ body }) => readSpans(body)),
    metrics() {
      const last = bodies("/v1/metrics").at(-1);
      return new Map((last ? readMetrics(last.body) : []).map((metric) => [metric.name, metric]));
    },
  });
}

type Field = bigint | Buffer;
type Message = ReadonlyMap<number, readonly Field[]>;

/** Decodes a protobuf message: the values of each field number, in order. */
function read(bytes: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      assert.ok(byte !== undefined, "a message that is cut short");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  function take(length: number): Buffer {
    assert.ok(at + length <= bytes.length, "a message that is cut short");
    at += length;
    return bytes.subarray(at - length, at);
  }
  while (at < bytes.length) {
    const tag = varint();
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    const value = wire === 0 ? varint() : wire === 1 ? take(8) : wire === 2 ? take(Number(varint())) : take(4);
    assert.ok([0, 1, 2, 5].includes(wire), `wire type ${wire}`);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const all = (message: Message, field: number) => (message.get(field) ?? []).map((value) => read(value as Buffer));
const bytesOf = (message: Message, field: number) => message.get(field)?.[0] as Buffer | undefined;
const textOf = (message: Message, field: number) => bytesOf(message, field)?.toString();
const hexOf = (message: Message, field: number) => bytesOf(message, field)?.toString("hex") || undefined;
const numberOf = (message: Message, field: number) => Number((message.get(field)?.[0] as bigint | undefined) ?? 0n);
const doubleOf = (message: Message, field: number) => bytesOf(message, field)?.readDoubleLE();
const fixedOf = (message: Message, field: number) => bytesOf(message, field)?.readBigUInt64LE() ?? 0n;

function attributesOf(message: Message, field: number): Attributes {
  return Object.fromEntries(
    all(message, field).map((pair) => {
      const value = all(pair, 2)[0] as Message;
      const number = value.has(4) ? doubleOf(value, 4) : Number(BigInt.asIntN(64, (value.get(3)?.[0] as bigint) ?? 0n));
      return [textOf(pair, 1), textOf(value, 1) ?? (value.has(2) ? numberOf(value, 2) === 1 : number)];
    }),
  );
}

function readSpans(body: Buffer): ReceivedSpan[] {
  return all(read(body), 1).flatMap((ofResource) => {
    const resource = all(ofResource, 1).map((message) => attributesOf(message, 1))[0] ?? {};
    return all(ofResource, 2).flatMap((ofScope) => all(ofScope, 2).map((span) => spanOf(span, resource)));
  });
}

function spanOf(span: Message, resource: Attributes): ReceivedSpan {
  const [status] = all(span, 15);
  const idsOf = (message: Message) => ({ traceId: hexOf(message, 1) as string, spanId: hexOf(message, 2) as string });
  return {
    ...idsOf(span),
    parentId: hexOf(span, 4),
    name: textOf(span, 5) as string,
    kind: numberOf(span, 6),
    start: fixedOf(span, 7),
    end: fixedOf(span, 8),
    attributes: attributesOf(span, 9),
    links: all(span, 13).map(idsOf),
    status: status ? numberOf(status, 3) : 0,
    message: status && textOf(status, 2),
    resource,
  };
}

const forms = { 5: "gauge", 7: "sum", 9: "histogram" } as const;

function readMetrics(body: Buffer): ReceivedMetric[] {
  const metrics = all(read(body), 1).flatMap((resource) => all(resource, 2).flatMap((scope) => all(scope, 2)));
  return metrics.map((metric) => {
    const form = ([5, 7, 9] as const).find((field) => metric.has(field));
    assert.ok(form, "a form that is known");
    const data = all(metric, form)[0] as Message;
    return {
      name: textOf(metric, 1) as string,
      unit: textOf(metric, 3) ?? "",
      kind: forms[form],
      temporality: numberOf(data, 2),
      isMonotonic: numberOf(data, 3) === 1,
      points: all(data, 1).map((point) => pointOf(point, form === 9)),
    };
  });
}

function pointOf(point: Message, isHistogram: boolean): ReceivedPoint {
  const packed = (field: number) => bytesOf(point, field) ?? Buffer.alloc(0);
  const places = (field: number) => Array.from({ length: packed(field).length / 8 }, (_, i) => 8 * i);
  return {
    attributes: attributesOf(point, isHistogram ? 9 : 7),
    value: isHistogram ? undefined : doubleOf(point, 4),
    count: isHistogram ? Number(fixedOf(point, 4)) : 0,
    sum: isHistogram ? (doubleOf(point, 5) ?? 0) : 0,
    counts: isHistogram ? places(6).map((at) => Number(packed(6).readBigUInt64LE(at))) : [],
    bounds: isHistogram ? places(7).map((at) => packed(7).readDoubleLE(at)) : [],
  };
}

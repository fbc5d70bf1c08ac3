import assert from "node:assert/strict";
import { test } from "node:test";
import {
  directSpans,
  newSpanId,
  readTraceParent,
  rootSpanIdOf,
  type SpanDraft,
  traceIdOf,
  traces,
} from "#/kernel/telemetry/trace.ts";
import { createIds } from "#/kernel/values/ids.ts";

test("a token is its trace's id without the dashes, and its last half the root's", () => {
  const token = "01a1f83b-d83f-7000-89cc-0f616de71b45";
  assert.equal(traceIdOf(token), "01a1f83bd83f700089cc0f616de71b45");
  assert.equal(rootSpanIdOf(token), "89cc0f616de71b45");
  const ids = createIds();
  const roots = Array.from({ length: 10_000 }, () => rootSpanIdOf(ids.next(Date.now())));
  assert.equal(new Set(roots).size, roots.length);
  assert.ok(
    roots.every((root) => /^[89ab][0-9a-f]{15}$/.test(root)),
    "never all zeros",
  );
});

test("span ids have sixteen digits and are unique", () => {
  const ids = Array.from({ length: 10_000 }, newSpanId);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[0-9a-f]{16}$/.test(id)));
});

test("a traceparent is read by W3C Trace Context, and any other text is ignored", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spanId = "00f067aa0ba902b7";
  assert.deepEqual(readTraceParent(`00-${traceId}-${spanId}-01`), { traceId, spanId });
  assert.deepEqual(readTraceParent(`01-${traceId}-${spanId}-00-more`), { traceId, spanId }, "a later version");
  for (const wrong of [
    ...[undefined, "", "x", `ff-${traceId}-${spanId}-01`, `00-${"0".repeat(32)}-${spanId}-01`],
    ...[`00-${traceId}-${"0".repeat(16)}-01`, `00-${traceId.toUpperCase()}-${spanId}-01`, `00-${traceId}-${spanId}`],
    `01-${traceId}-${spanId}-00-${"x".repeat(600)}`,
  ]) {
    assert.equal(readTraceParent(wrong), undefined, String(wrong));
  }
});

test("spans go to the exporter while it is set, and not before or after", () => {
  const span: SpanDraft = {
    token: "01a1f83b-d83f-7000-89cc-0f616de71b45",
    name: "commit",
    kind: "INTERNAL",
    startedMs: 1,
    endedMs: 2,
    attributes: {},
  };
  const taken: SpanDraft[] = [];
  traces.add(span);
  assert.equal(traces.isOn, false);
  const stop = directSpans((span) => void taken.push(span));
  assert.equal(traces.isOn, true);
  traces.add(span);
  const stopOther = directSpans(() => {});
  stop();
  assert.equal(traces.isOn, true, "who took over is not stopped by who went");
  stopOther();
  assert.equal(traces.isOn, false);
  assert.deepEqual(taken, [span]);
});

test("a sink that throws does not affect code that adds a span", () => {
  const undirect = directSpans(() => {
    throw new RangeError("no such time");
  });
  try {
    const token = "01a1f83b-d83f-7000-89cc-0f616de71b45";
    assert.doesNotThrow(() =>
      traces.add({ token, name: "commit", kind: "INTERNAL", startedMs: 0, endedMs: 1, attributes: {} }),
    );
  } finally {
    undirect();
  }
});

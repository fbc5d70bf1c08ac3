import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BlockedError,
  ExpiredError,
  failureOfError,
  failureOfStatus,
  keptHeaders,
  NameError,
  readRetryAfter,
} from "#/delivery/webhooks/sending/answer.ts";

const nowMs = Date.parse("2026-11-20T10:00:00Z");
const coded = (code: string) => Object.assign(new Error(`it said ${code}`), { code });

test("Retry-After is seconds or an HTTP date, and everything else says nothing", () => {
  const values: [string | undefined, number | undefined][] = [
    ["0", 0],
    [" 30 ", 30_000],
    ["9999999999", 9_999_999_999_000],
    ["Fri, 20 Nov 2026 10:00:05 GMT", 5_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    [undefined, undefined],
    ...["", "-1", "1.5", "1e3", "0x10", "99999999999", "soon", "2026-11-20T10:00:05Z", "30, 60"].map(
      (text): [string, undefined] => [text, undefined],
    ),
    ["Fri, 99 Nov 2026 10:00:05 GMT", undefined],
  ];
  for (const [text, ms] of values) assert.equal(readRetryAfter(text, nowMs), ms, String(text));
});

test("2xx is a success, 3xx a redirect, every other status a failure", () => {
  for (const status of [200, 201, 204, 299]) assert.equal(failureOfStatus(status), undefined);
  for (const status of [300, 302, 399]) assert.equal(failureOfStatus(status)?.errorClass, "redirect");
  for (const status of [400, 410, 500, 999]) assert.equal(failureOfStatus(status)?.errorClass, "status");
});

test("an error's class depends on how far the exchange had come", () => {
  const reset = coded("ECONNRESET");
  assert.equal(failureOfError(coded("ENOTFOUND"), "lookup").errorClass, "dns");
  assert.equal(failureOfError(new NameError("none"), "lookup").errorClass, "dns");
  assert.equal(failureOfError(coded("ECONNREFUSED"), "connect").errorClass, "connect");
  assert.equal(failureOfError(reset, "connect").errorClass, "connect");
  assert.equal(failureOfError(reset, "tls").errorClass, "tls");
  assert.equal(failureOfError(reset, "exchange").errorClass, "reset");
  assert.equal(failureOfError(coded("EHOSTUNREACH"), "exchange").errorClass, "connect");
  assert.equal(failureOfError(coded("HPE_INVALID_CONSTANT"), "exchange").errorClass, "protocol");
  for (const stage of ["lookup", "connect", "tls", "exchange"] as const) {
    assert.equal(failureOfError(new BlockedError("no"), stage).errorClass, "blocked");
    assert.equal(failureOfError(new ExpiredError("late"), stage).errorClass, "timeout");
    assert.equal(failureOfError(coded("ETIMEDOUT"), stage).errorClass, "timeout");
  }
});

test("the error detail lists the error of each address, within its length", () => {
  const error = new AggregateError([coded("A"), coded("A"), coded("B")], "");
  assert.equal(failureOfError(error, "connect").detail, "it said A; it said B");
  assert.equal(failureOfError(new Error("x".repeat(1_000)), "exchange").detail.length, 200);
  assert.equal(failureOfError("text", "exchange").detail, "text");
});

test("headers are kept as one text for each name", () => {
  const headers = { a: "1", "set-cookie": ["b=1", "c=2"], none: undefined };
  assert.deepEqual(keptHeaders(headers), { a: "1", "set-cookie": "b=1, c=2" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readDateTime } from "#/http/requests/date-time.ts";

test("date-times with an offset become UTC", () => {
  assert.equal(readDateTime("2026-11-20T10:00:00Z"), "2026-11-20T10:00:00.000Z");
  assert.equal(readDateTime("2026-11-20T10:00:00.1234567+01:30"), "2026-11-20T08:30:00.123Z");
  assert.equal(readDateTime("2026-01-01T00:00:00-05:00"), "2026-01-01T05:00:00.000Z");
  assert.equal(readDateTime("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00.000Z");
});

test("a plus sign that the query decoded to a blank is accepted", () => {
  assert.equal(readDateTime("2026-11-20T10:00:00 02:00"), "2026-11-20T08:00:00.000Z");
});

test("a text that is not a date-time, a missing offset and a nonexistent date are refused", () => {
  for (const text of [
    "",
    "2026-11-20",
    "2026-11-20T10:00:00",
    "2026-02-29T10:00:00Z",
    "2026-11-31T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T10:00:60Z",
    "2026-11-20T10:00:00+19:00",
    "0000-01-01T00:00:00Z",
    "1000-01-01T00:00:00+01:00",
    "9998-12-31T23:59:59-01:00",
    "1795000000",
    " 2026-11-20T10:00:00Z",
  ]) {
    assert.equal(readDateTime(text), undefined, text);
  }
});

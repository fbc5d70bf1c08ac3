import assert from "node:assert/strict";
import { test } from "node:test";
import { createJsonScan } from "#/http/server/text-body.ts";

const bounds = { valuesMax: 20, fieldsMax: 5 };

/** Whether the text is within the bounds, in whole and byte by byte. */
function isWithin(text: string): boolean {
  const scan = createJsonScan(bounds);
  const whole = createJsonScan(bounds)(Buffer.from(text));
  const bytewise = [...Buffer.from(text)].every((byte) => scan(Buffer.of(byte)));
  assert.equal(whole, bytewise, text);
  return whole;
}

test("values are counted as the text arrives, those of strings left out", () => {
  const items = (count: number, item: string) =>
    JSON.stringify({ list: Array.from({ length: count }, () => 0) }).replaceAll("0", item);
  assert.ok(isWithin(items(19, "1")));
  assert.ok(!isWithin(items(20, "1")));
  assert.ok(isWithin(items(9, "{}")));
  assert.ok(!isWithin(items(10, "[]")));
  assert.ok(!isWithin("[".repeat(21)));
  assert.ok(isWithin(JSON.stringify({ document: `${"[{,".repeat(50)}\\"${'"\\'.repeat(50)}` })));
  assert.ok(isWithin(",,,"), "JSON.parse refuses a text that is not JSON");
});

test("the fields of one object are counted apart from those around it", () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1]));
  assert.ok(isWithin(JSON.stringify([fields(5), fields(5)])));
  assert.ok(isWithin(JSON.stringify({ ...fields(4), last: fields(5) })));
  assert.ok(!isWithin(JSON.stringify(fields(6))));
  assert.ok(!isWithin(JSON.stringify({ list: [1, fields(6)] })));
});

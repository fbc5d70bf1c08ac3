import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import { Bundle, type BundledEvent, bundleIdOf, eventIdOf, eventsOf, joinBundles } from "#/store/outbox/bundle.ts";

const ids = createIds();
const occurredAt = "2026-11-27T19:08:17.278Z";

const event = (objectId: string, data: unknown = {}): BundledEvent => ({
  topic: "order:picking",
  objectType: "order",
  objectId,
  facilityCode: "DC1",
  occurredAt,
  data,
});

const rowOf = (bundled: BundledEvent, weight = 1) => ({
  outbox_id: bundleIdOf(ids.next(Date.parse(occurredAt))),
  data: Bundle.of(bundled),
  weight,
  events: 1,
});

/** The events of a row, as the relay reads them from the store. */
const stored = (row: { readonly data: Bundle }) => eventsOf(JSON.parse(JSON.stringify(row.data)));

test("the events of a transaction are one row, in the order in which they were appended, under the last id", () => {
  const rows = ["A", "B", "C"].map((objectId) => rowOf(event(objectId)));
  const [first, second, last] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
  const [row, ...others] = joinBundles([last, first, second]);
  assert.deepEqual(others, []);
  assert.equal(row?.outbox_id, last.outbox_id);
  assert.equal(row?.events, 3);
  assert.deepEqual(row && stored(row).map(({ objectId }) => objectId), ["A", "B", "C"]);
});

test("an event comes out of a bundle as it went in", () => {
  const outbound = { type: "OS", objectId: "Ö-1", content: { lines: [{ lineNumber: 1 }] } };
  const full = { ...event("Ö-1", { text: "Ünï", qty: 0.5, none: null }), feedToken: ids.next(0), outbound };
  assert.deepEqual(stored(rowOf(full)), [full]);
  const bare: BundledEvent = { topic: "feed:accepted", objectType: "feed", objectId: "F", occurredAt, data: null };
  assert.deepEqual(stored(rowOf(bare)), [
    { ...bare, facilityCode: undefined, feedToken: undefined, outbound: undefined },
  ]);
});

test("a bundle is packed, and what is too large to be packed is a row by itself", () => {
  const joined = joinBundles(Array.from({ length: 20 }, (_, i) => rowOf(event(`WEB-${i}`, { orderId: `WEB-${i}` }))));
  assert.equal(joined.length, 1);
  const text = JSON.stringify(joined[0]?.data);
  assert.ok(text.startsWith('"') && text.length < 20 * 40, `${text.length} characters`);
  const large = event("LARGE", { text: "x".repeat(20_000) });
  const [, alone, ...more] = joinBundles([rowOf(event("A")), rowOf(large), rowOf(event("B"))]);
  assert.equal(more.length, 1);
  assert.deepEqual(alone && stored(alone)[0]?.data, large.data);
});

test("a bundle weighs no more than the smallest batch of the relay, and has at most 256 events", () => {
  assert.deepEqual(
    joinBundles([60, 40, 1, 200, 1].map((weight, i) => rowOf(event(`O-${i}`), weight))).map(({ weight }) => weight),
    [100, 1, 200, 1],
  );
  const many = joinBundles(Array.from({ length: 300 }, () => rowOf({ ...event(""), data: null }, 0)));
  assert.ok(many.every(({ events }) => events <= 256));
  assert.equal(
    many.reduce((sum, { events }) => sum + events, 0),
    300,
  );
});

test("the events of a bundle have different ids, of the bundle's moment, in their order", () => {
  const bundleId = bundleIdOf(ids.next(Date.parse(occurredAt)));
  const eventIds = Array.from({ length: 256 }, (_, place) => eventIdOf(bundleId, place));
  assert.deepEqual(eventIds.toSorted(), eventIds);
  assert.equal(new Set(eventIds).size, 256);
  assert.equal(eventIds[0], bundleId);
  assert.ok(eventIds.every(isUuidV7));
  assert.equal(timeOfId(eventIds[255] as string), timeOfId(bundleId));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventsOnce } from "./parcel-events.ts";

const event = (at: string, code: number, name: string, location: string | null = null, text: string | null = null) => ({
  at: `2026-11-20T${at}.000Z`,
  receivedAt: "2026-11-20T23:00:00.000Z",
  code,
  name,
  location,
  text,
});

const read = (...events: readonly ReturnType<typeof event>[]) =>
  eventsOnce(events).map(({ at, code, words }) => `${at.slice(11, 19)} ${code} ${words.join(" · ")}`);

test("an event that the warehouse and the carrier report is one, with the words of both", () => {
  assert.deepEqual(
    read(
      event("10:00:00", 110, "Collected by Carrier", "Leeds"),
      event("10:00:00", 150, "At Delivery Depot"),
      event("10:00:40", 110, "Collected by Carrier", "LEEDS", "Van 4"),
    ),
    ["10:00:00 110 Collected by Carrier · Leeds · Van 4", "10:00:00 150 At Delivery Depot"],
  );
});

test("a text that repeats the name is left out", () => {
  assert.deepEqual(read(event("10:00:00", 200, "Delivered", "Bristol", "delivered")), [
    "10:00:00 200 Delivered · Bristol",
  ]);
});

test("a later event of the same code, and each event without a code, are separate", () => {
  const twice = [event("10:00:00", 170, "Delivery Attempted"), event("14:00:00", 170, "Delivery Attempted")];
  assert.equal(eventsOnce(twice).length, 2);
  const unmapped = [event("10:00:00", 399, "Unmapped Carrier Code"), event("10:00:01", 399, "Unmapped Carrier Code")];
  assert.equal(eventsOnce(unmapped).length, 2);
});

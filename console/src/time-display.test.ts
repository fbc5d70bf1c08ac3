import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenZone, dateFormat, machineZone } from "./time-display.ts";

const at = new Date("2026-11-20T15:40:12Z");

test("a date begins with the day, the month or the year", () => {
  for (const [dates, day, time] of [
    ["day", "20 Nov 2026", "20 Nov 2026, 15:40:12 GMT"],
    ["month", "Nov 20, 2026", "Nov 20, 2026, 03:40:12 PM GMT"],
    ["year", "2026-11-20", "2026-11-20 15:40:12 GMT"],
  ] as const) {
    const display = { zone: "facility", dates } as const;
    assert.equal(dateFormat("Europe/London", "day", display).format(at), day);
    // Releases of the Unicode data differ in the kind of space.
    assert.equal(dateFormat("Europe/London", "seconds", display).format(at).replaceAll(" ", " "), time);
    const zoned = dateFormat("Europe/London", "zoned", display).format(at).replaceAll(" ", " ");
    assert.equal(zoned, time.replace(":12", ""));
  }
});

test("one zone takes the place of those of the facilities", () => {
  const dates = "day";
  assert.equal(chosenZone({ zone: "facility", dates }), undefined);
  assert.equal(chosenZone({ zone: "UTC", dates }), "UTC");
  assert.equal(chosenZone({ zone: "machine", dates }), machineZone());
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createFacility } from "#/modules/facilities/index.ts";
import { createFacilityDays } from "#/modules/inventory/rest/asked-facility.ts";
import type { Statement } from "#/store/db/sql.ts";
import { changeAt } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

let sent: Statement[] = [];
const { database } = await testDatabase({ onStatement: (statement) => sent.push(statement) });
const facility = { facilityCode: "KTM", name: "Kathmandu", country: "NP", timezone: "Asia/Kathmandu" };
await database.transaction((tx) => createFacility(tx, changeAt(), facility));

test("the facility's date is remembered, and is another one from its midnight on", async () => {
  // Kathmandu is 5 h 45 min ahead of UTC.
  const midnightMs = Date.parse("2026-11-20T18:15:00Z");
  let nowMs = midnightMs - 10_000;
  const todayIn = createFacilityDays(database, { now: () => nowMs });
  sent = [];
  assert.equal(await todayIn("KTM"), "2026-11-20");
  nowMs = midnightMs - 1;
  assert.equal(await todayIn("KTM"), "2026-11-20");
  assert.equal(sent.length, 1);
  nowMs = midnightMs;
  assert.equal(await todayIn("KTM"), "2026-11-21");
  nowMs += 29_999;
  assert.equal(await todayIn("KTM"), "2026-11-21");
  assert.equal(sent.length, 2);
});

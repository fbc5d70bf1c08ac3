import assert from "node:assert/strict";
import { test } from "node:test";
import { eventCodes } from "#/kernel/event-codes.ts";
import { eventCodeOf } from "#/modules/carriers/index.ts";
import { sql } from "#/store/db/sql.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();

test("the statuses of EasyPost, AfterShip and Karrio are known in any case", async () => {
  const known: readonly [carrier: string, word: string, code: number][] = [
    ["EASYPOST", "pre_transit", 105],
    ["EASYPOST", "return_to_sender", 250],
    ["EasyPost", "FAILURE", 230],
    ["AFTERSHIP", "AttemptFail", 170],
    ["AFTERSHIP", "Delivered_002", 210],
    ["AFTERSHIP", "Exception_011", 300],
    ["AFTERSHIP", "Exception_013", 195],
    ["KARRIO", "delivery_delayed", 165],
    ["KARRIO", " ready_for_pickup ", 175],
  ];
  for (const [carrier, word, code] of known) assert.equal(await eventCodeOf(database, carrier, word), code, word);
});

test("every seeded status maps to an event code", async () => {
  const rows = await database.query<{ word: string; event_code: number }>(
    sql`select raw_code as word, event_code from carrier_code_map limit 1000`,
  );
  assert.ok(rows.length > 50);
  for (const { word, event_code } of rows) {
    assert.ok(event_code > 100 && event_code in eventCodes, word);
    assert.equal(word, word.toLowerCase());
  }
});

test("a carrier's own code takes precedence over the codes of tracking services", async () => {
  assert.equal(await eventCodeOf(database, "XX", "in_transit"), 120);
  await database.query(
    sql`insert into carrier_code_map (carrier_code, raw_code, event_code) values ('XX', 'in_transit', 150)`,
  );
  assert.equal(await eventCodeOf(database, "XX", "in_transit"), 150);
  assert.equal(await eventCodeOf(database, [undefined, "XX"], "in_transit"), 150);
  assert.equal(await eventCodeOf(database, ["KARRIO", "XX"], "in_transit"), 120);
});

test("an unmapped code of a carrier has no event code", async () => {
  for (const word of ["unknown", "teleported", ""])
    assert.equal(await eventCodeOf(database, "EASYPOST", word), undefined);
});

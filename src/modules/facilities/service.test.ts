import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "#/db/audit.ts";
import { createIds } from "#/kernel/ids.ts";
import { toTimeZone } from "#/modules/facilities/domain.ts";
import { createFacility, findFacility, listFacilities } from "#/modules/facilities/index.ts";
import { testDatabase } from "../../../tests/support/database.ts";

const { database } = await testDatabase();
const change: Change = { actor: "cli:test", origin: "here", at: new Date().toISOString(), ids: createIds() };
const good = { facilityCode: "DC1", name: "London", country: "GB", timezone: "Europe/London" };

function create(facility: Partial<typeof good>) {
  return database.transaction((tx) => createFacility(tx, change, { ...good, ...facility }));
}

test("a facility is made once, whatever the case of its code", async () => {
  assert.equal((await create({})).ok, true);
  assert.deepEqual(await create({ name: "Again" }), { ok: false, fault: "facility 'DC1' exists already" });
  assert.deepEqual(await create({ facilityCode: "dc1" }), { ok: false, fault: "facility 'dc1' exists already" });
  assert.deepEqual(await findFacility(database, "DC1"), { ...good, createdAt: change.at });
  assert.equal(await findFacility(database, "dc1"), undefined);
  assert.deepEqual(await listFacilities(database), [{ ...good, createdAt: change.at }]);
});

test("all that is wrong with a facility is said at once", async () => {
  const wrong = await create({ facilityCode: "DC 1", name: " ", country: "UK", timezone: "Europe/Londn" });
  assert(!wrong.ok);
  assert.deepEqual(wrong.fault.split("\n"), [
    "'DC 1' cannot be a facility code: it has 1 to 10 letters, digits, '_' or '-'",
    "a facility's name has 1 to 255 characters",
    "'UK' is no country code of ISO 3166-1, such as GB or GBR",
    "'Europe/Londn' is no IANA time zone; did you mean Europe/London?",
  ]);
});

test("time zones are IANA names in any case; offsets and inventions are none", () => {
  assert.equal(toTimeZone("america/new_york"), "America/New_York");
  assert.equal(toTimeZone("Asia/Kolkata"), "Asia/Kolkata");
  assert.equal(toTimeZone("Asia/Calcutta"), "Asia/Calcutta");
  assert.equal(toTimeZone("UTC"), "UTC");
  for (const bad of ["+01:00", "Mars/Olympus", "", "Europe/"]) assert.equal(toTimeZone(bad), undefined, bad);
});

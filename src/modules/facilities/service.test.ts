import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import {
  changeFacility,
  createFacility,
  type FacilitySettings,
  facilitySettings,
  facilitySettingText,
  findFacility,
  listFacilities,
  readFacilitySettings,
  showFacility,
} from "#/modules/facilities/index.ts";
import { toTimeZone } from "#/modules/facilities/service.ts";
import type { Change } from "#/store/db/audit.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const change: Change = { actor: "cli:test", origin: "here", at: new Date().toISOString(), ids: createIds() };
const good = { facilityCode: "DC1", name: "London", country: "GB", timezone: "Europe/London" };

const standards = Object.fromEntries(
  Object.entries(facilitySettings).map(([name, { standard }]) => [name, standard]),
) as unknown as FacilitySettings;

function create(facility: Partial<typeof good>) {
  return database.transaction((tx) => createFacility(tx, change, { ...good, ...facility }));
}

test("a facility code is unique in any case", async () => {
  assert.equal((await create({})).ok, true);
  assert.deepEqual(await create({ name: "Again" }), { ok: false, fault: "facility 'DC1' exists already" });
  assert.deepEqual(await create({ facilityCode: "dc1" }), { ok: false, fault: "facility 'dc1' exists already" });
  const made = { ...good, settings: standards, createdAt: change.at, version: 1 };
  assert.deepEqual(await findFacility(database, "DC1"), made);
  assert.equal(await findFacility(database, "dc1"), undefined);
  assert.deepEqual(await listFacilities(database), [made]);
});

test("all errors of a facility are reported at once", async () => {
  const wrong = await create({ facilityCode: "DC 1", name: " ", country: "UK", timezone: "Europe/Londn" });
  assert(!wrong.ok);
  assert.deepEqual(wrong.fault.split("\n"), [
    "'DC 1' is not a valid facility code: use 1 to 10 letters, digits, '_' or '-'",
    "a facility's name has 1 to 255 characters",
    "'UK' is not a country code of ISO 3166-1, such as GB or GBR",
    "'Europe/Londn' is not an IANA time zone; did you mean Europe/London?",
  ]);
});

test("time zones are IANA names in any case; offsets and unknown names are refused", () => {
  assert.equal(toTimeZone("america/new_york"), "America/New_York");
  assert.equal(toTimeZone("Asia/Kolkata"), "Asia/Kolkata");
  assert.equal(toTimeZone("Asia/Calcutta"), "Asia/Calcutta");
  assert.equal(toTimeZone("UTC"), "UTC");
  for (const bad of ["+01:00", "Mars/Olympus", "", "Europe/"]) assert.equal(toTimeZone(bad), undefined, bad);
});

function set(code: string, assignments: readonly string[], name?: string) {
  const settings = readFacilitySettings(assignments);
  assert(settings.ok, settings.ok ? "" : settings.fault.join());
  return database.transaction((tx) => changeFacility(tx, change, code, { name, settings: settings.value }));
}

test("settings of a facility are kept, are audited without its address, and return to their defaults", async () => {
  await create({ facilityCode: "SET" });
  const changed = await set("SET", [
    ...["address1= 1 Gateway Park ", "zip=ss17 9dy", "email=dc1@example.com", "cutOffTime=17:30"],
    ...["operatingDays=mon-wed,sat", "holidays=2026-12-26,2026-12-25: Christmas Day", "capabilities=hazmat,BULKY"],
    "status=closed",
  ]);
  assert(changed.ok);
  const fields = {
    ...standards,
    address1: "1 Gateway Park",
    zip: "ss17 9dy",
    email: "dc1@example.com",
    cutOffTime: "17:30",
    operatingDays: ["MON", "TUE", "WED", "SAT"],
    holidays: [
      { date: "2026-12-25", name: "Christmas Day" },
      { date: "2026-12-26", name: null },
    ],
    capabilities: ["BULKY", "HAZMAT"],
    status: "CLOSED",
  };
  assert.deepEqual(changed.value.settings, fields);
  assert.deepEqual(await findFacility(database, "SET"), changed.value);
  assert.equal(changed.value.version, 2);
  const { rows } = await audited("SET");
  assert.deepEqual(rows.at(-1)?.detail, {
    settings: {
      address1: "changed",
      zip: "changed",
      email: "changed",
      cutOffTime: "17:30",
      status: "CLOSED",
      operatingDays: fields.operatingDays,
      holidays: fields.holidays,
      capabilities: fields.capabilities,
    },
  });
  const back = await set("SET", ["cutOffTime=", "operatingDays=", "status=", "zip="], "Elsewhere");
  assert(back.ok);
  const { cutOffTime, operatingDays, status, zip } = standards;
  assert.deepEqual(back.value.settings, { ...fields, cutOffTime, operatingDays, status, zip });
  assert.deepEqual(await findFacility(database, "SET"), { ...back.value, name: "Elsewhere", version: 3 });
});

async function audited(code: string) {
  const rows = await database.query<{ detail: unknown }>({
    text: "select detail from audit_log where object_id = $1 order by audit_id",
    values: [code],
    name: "audited",
    isTenant: false,
  });
  return { rows };
}

test("an unknown facility, a wrong name and a wrong postcode change nothing", async () => {
  await create({ facilityCode: "HERE" });
  assert.deepEqual(await set("here", ["city=Leeds"]), {
    ok: false,
    fault: "there is no facility 'here'; did you mean HERE?",
  });
  const refusal = await set("HERE", ["city=Leeds", "zip=1234"], " ");
  assert(!refusal.ok);
  const [name, zip, ...more] = refusal.fault.split("\n");
  assert.deepEqual([name, more], ["a facility's name has 1 to 255 characters", []]);
  assert.match(zip ?? "", /^zip=1234: expected a postcode of GB: /);
  const shown = await showFacility(database, "HERE");
  assert(shown.ok);
  assert.deepEqual([shown.value.settings, shown.value.version], [standards, 1]);
});

test("all unreadable settings are reported at once", () => {
  assert.deepEqual(
    readFacilitySettings([
      ...["cutofftime=17:00", "cutOffTime=24:00", "operatingDays=MON-FREI", "holidays=2026-02-30", "zip"],
      ...[
        "capabilities=COLD CHAIN",
        "status=OPEN",
        "email=no-address",
        "city=a\u0007b",
        "holidays=2026-01-01,2026-01-01",
      ],
    ]),
    {
      ok: false,
      fault: [
        "'cutofftime' is no setting of a facility; did you mean cutOffTime?",
        "cutOffTime=24:00: expected a time of day such as 17:00, from 00:00 to 23:59",
        "operatingDays=MON-FREI: expected days such as MON-FRI or MON,WED,SAT",
        "holidays=2026-02-30: expected dates separated by commas, each with its name or without: 2026-12-25:Christmas Day,2026-12-26",
        "zip: expected zip=VALUE, or zip= for the default",
        "capabilities=COLD CHAIN: expected words separated by commas, such as HAZMAT,COLD_CHAIN; at most 50",
        "status=OPEN: expected ACTIVE, CLOSED",
        "email=no-address: expected a mail address",
        "city=a\u0007b: expected at most 255 printable characters",
        "holidays=2026-01-01,2026-01-01: 2026-01-01 is present twice",
      ],
    },
  );
});

test("spans of days may go over the end of the week, and name all days", () => {
  const days = (text: string) => {
    const read = readFacilitySettings([`operatingDays=${text}`]);
    return read.ok ? (read.value.values.get("operatingDays") as string[]).join() : read.fault;
  };
  assert.equal(days("SAT-MON"), "MON,SAT,SUN");
  assert.equal(days("mon-sun"), "MON,TUE,WED,THU,FRI,SAT,SUN");
  assert.equal(days("TUE, TUE"), "TUE");
});

test("a setting accepts the text that it shows", async () => {
  await create({ facilityCode: "ROUND" });
  const fieldTexts = ["holidays=2026-12-25:Christmas Day,2026-12-26", "operatingDays=MON,SAT", "cutOffTime=09:05"];
  const changed = await set("ROUND", fieldTexts);
  assert(changed.ok);
  const { settings } = changed.value;
  assert.deepEqual(
    (["holidays", "operatingDays", "cutOffTime"] as const).map(
      (name) => `${name}=${facilitySettingText(settings, name)}`,
    ),
    fieldTexts,
  );
});

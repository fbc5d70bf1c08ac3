import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { changeChannel } from "#/modules/clients/index.ts";
import { findSettings } from "#/sandbox/simulator/control-repository.ts";
import { listen } from "#/store/db/store/listener.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { runCommand } from "../../../tests/support/app/cli.ts";
import { until } from "../../../tests/support/app/until.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
await insertClient(database, { facilities: ["DC1"] });
const folder = mkdtempSync(path.join(tmpdir(), "crossdock-facility-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const facility = (...words: string[]) =>
  runCommand(["facility", ...words], { DATABASE_URL: url, CROSSDOCK_DATA_DIR: folder });

test("settings are set, shown with a mark, and published to running servers", async () => {
  const notices: string[] = [];
  const listener = listen(
    url,
    [changeChannel],
    (channel) => notices.push(channel),
    () => {},
  );
  // The first notice shows that the listener is connected.
  await until("the listener", async () => notices[0]);
  const set = await facility("set", "DC1", "cutOffTime=17:00", "holidays=2026-12-25:Christmas Day", "--name", "London");
  assert.deepEqual([set.code, set.stderr], [0, ""]);
  await until("the notice of the change", async () => notices[1]);
  await listener.stop();
  const shown = await facility("show", "DC1");
  assert.equal(shown.stdout, set.stdout);
  assert.match(shown.stdout, /^Name +London$/m);
  assert.match(shown.stdout, /^\* +cutOffTime +17:00$/m);
  assert.match(shown.stdout, /^\* +holidays +2026-12-25:Christmas Day$/m);
  assert.match(shown.stdout, /^ +operatingDays +MON-FRI$/m);
  const back = await facility("set", "DC1", "cutOffTime=", "--json");
  const { settings, version, name } = JSON.parse(back.stdout) as Record<string, unknown>;
  assert.deepEqual([(settings as { cutOffTime: unknown }).cutOffTime, version, name], [null, 3, "London"]);
});

test("all errors are reported at once and nothing is set; a call without settings is wrong usage", async () => {
  const refused = await facility("set", "DC1", "cutOffTime=5pm", "colour=red");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /cutOffTime=5pm: expected a time of day/);
  assert.match(refused.stderr, /'colour' is no setting of a facility/);
  assert.equal((await facility("set", "DC1")).code, 2);
  const [set, shown] = await Promise.all([facility("set", "DC9", "city=Leeds"), facility("show", "dc1")]);
  assert.deepEqual([set.code, set.stderr], [1, "crossdock: there is no facility 'DC9'; there are DC1\n"]);
  assert.deepEqual([shown.code, shown.stderr], [1, "crossdock: there is no facility 'dc1'; did you mean DC1?\n"]);
});

test("a facility without simulation is silent in the simulated warehouse from its creation, as earlier ones stay", async () => {
  for (const code of ["OWN1", "OWN2"]) {
    const words = ["create", code, "--name", code, "--country", "DE", "--timezone", "Europe/Berlin", "--no-simulation"];
    const created = await facility(...words);
    assert.match(created.stdout, new RegExp(`^Facility ${code} is created: .*The simulated warehouse is silent there`));
  }
  assert.deepEqual((await findSettings(database))?.silent_facility_codes, ["OWN1", "OWN2"]);
});

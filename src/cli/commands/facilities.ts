import { columns, table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, type Report, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok } from "#/kernel/result.ts";
import {
  changeFacility,
  createFacility,
  type Facility,
  listFacilities,
  showFacility,
} from "#/modules/facilities/service.ts";
import {
  facilitySettingNames,
  facilitySettingText,
  isFacilitySettingSet,
  readFacilitySettings,
} from "#/modules/facilities/settings.ts";
import { silenceFacility } from "#/sandbox/simulator/control-repository.ts";

export const facilityCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const isSilent = call.flag("no-simulation");
    const created = await platform.change(async (tx, change) => {
      const facility = await createFacility(tx, change, {
        facilityCode: call.argument("CODE"),
        name: call.given("name"),
        country: call.given("country"),
        timezone: call.given("timezone"),
      });
      if (facility.ok && isSilent) await silenceFacility(tx, change, facility.value.facilityCode);
      return facility;
    });
    if (!created.ok) return created;
    const { facilityCode, name, country, timezone } = created.value;
    const simulation = isSilent ? " The simulated warehouse is silent there." : "";
    return done(created.value, [`Facility ${facilityCode} is created: ${name}, ${country}, ${timezone}.${simulation}`]);
  });

export const facilityList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const facilities = await listFacilities(database);
    const rows = facilities.map((row) => [row.facilityCode, row.country, row.timezone, row.name]);
    const none = "No facility yet; create one with 'crossdock facility create CODE …'.";
    return done(facilities, table(["FACILITY", "COUNTRY", "TIME ZONE", "NAME"], rows, none));
  });

export const facilityShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const shown = await showFacility(database, call.argument("CODE"));
    return shown.ok ? ok(facilityReport(shown.value)) : refuse(shown.fault);
  });

export async function facilitySet(call: Call): Promise<Outcome> {
  const assignments = call.argumentList("KEY=VALUE");
  const name = call.option("name");
  if (assignments.length === 0 && name === undefined) return misuse("name at least one setting, or --name");
  const settings = readFacilitySettings(assignments);
  if (!settings.ok) return refuse(settings.fault.join("\n"));
  return withPlatform(async (platform) => {
    const changed = await platform.change((tx, change) =>
      changeFacility(tx, change, call.argument("CODE"), {
        name,
        settings: assignments.length === 0 ? undefined : settings.value,
      }),
    );
    return changed.ok ? ok(facilityReport(changed.value)) : changed;
  });
}

/** A facility with every setting; those that differ from their defaults are marked. */
function facilityReport(facility: Facility): Report {
  const { facilityCode, name, country, timezone, settings, createdAt } = facility;
  return {
    json: facility,
    lines: [
      ...columns([
        ["Facility", facilityCode],
        ["Name", name],
        ["Country", country],
        ["Time zone", timezone],
        ["Created", createdAt],
      ]),
      "",
      "Settings (* other than the default)",
      ...columns(
        facilitySettingNames.map((setting) => [
          isFacilitySettingSet(settings, setting) ? "*" : " ",
          setting,
          facilitySettingText(settings, setting),
        ]),
      ),
    ],
  };
}

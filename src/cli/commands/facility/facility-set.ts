import { type Command, misuse, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityReport } from "#/cli/facility-report.ts";
import { ok } from "#/kernel/result.ts";
import {
  changeFacility,
  facilitySettingNames,
  facilitySettings,
  readFacilitySettings,
} from "#/modules/facilities/index.ts";

export const facilitySet: Command = {
  name: "facility set",
  summary: "Changes settings of a facility, or its name.",
  arguments: [
    { name: "CODE", meaning: "the facility" },
    { name: "KEY=VALUE", meaning: "a setting and its new value; KEY= resets it to its default", isList: true },
  ],
  options: [{ name: "name", value: "NAME", meaning: "display name" }],
  notes: facilitySettingNames.map((name) => {
    const { standardText, meaning } = facilitySettings[name];
    return `${name} (${standardText}): ${meaning}`;
  }),
  async run(call) {
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
  },
};

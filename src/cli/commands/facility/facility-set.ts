import { type Call, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityReport } from "#/cli/facility-report.ts";
import { ok } from "#/kernel/result.ts";
import { changeFacility } from "#/modules/facilities/service.ts";
import { readFacilitySettings } from "#/modules/facilities/settings.ts";

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

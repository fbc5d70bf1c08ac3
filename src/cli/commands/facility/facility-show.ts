import { type Command, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityReport } from "#/cli/facility-report.ts";
import { ok } from "#/kernel/result.ts";
import { showFacility } from "#/modules/facilities/index.ts";

export const facilityShow: Command = {
  name: "facility show",
  summary: "Shows a facility: name, country, time zone, every setting.",
  arguments: [{ name: "CODE", meaning: "the facility" }],
  options: [],
  run: (call) =>
    withPlatform(async ({ database }) => {
      const shown = await showFacility(database, call.argument("CODE"));
      return shown.ok ? ok(facilityReport(shown.value)) : refuse(shown.fault);
    }),
};

import { type Call, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityReport } from "#/cli/facility-report.ts";
import { ok } from "#/kernel/result.ts";
import { showFacility } from "#/modules/facilities/service.ts";

export const facilityShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const shown = await showFacility(database, call.argument("CODE"));
    return shown.ok ? ok(facilityReport(shown.value)) : refuse(shown.fault);
  });

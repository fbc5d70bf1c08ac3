import { clientReport } from "#/cli/client-report.ts";
import { type Call, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok, refused } from "#/kernel/result.ts";
import { changeClient } from "#/modules/clients/service.ts";
import { readSettings } from "#/modules/clients/settings.ts";
import { chooseFacilities } from "#/modules/facilities/service.ts";

export async function clientSet(call: Call): Promise<Outcome> {
  const assignments = call.argumentList("KEY=VALUE");
  const codes = call.optionList("facility");
  const name = call.option("name");
  if (assignments.length === 0 && codes.length === 0 && name === undefined)
    return misuse("name at least one setting, --name or --facility");
  const settings = readSettings(assignments);
  if (!settings.ok) return refuse(settings.fault.join("\n"));
  return withPlatform(async (platform) => {
    const changed = await platform.change(async (tx, change) => {
      const facilities = codes.length === 0 ? undefined : await chooseFacilities(tx, codes);
      if (facilities?.ok === false) return refused(facilities.fault);
      const done = await changeClient(tx.of(call.argument("ID"), change), {
        name,
        facilities: facilities?.value,
        settings: assignments.length === 0 ? undefined : settings.value,
      });
      return done.ok ? done : refused(done.fault.detail);
    });
    return changed.ok ? ok(clientReport(changed.value)) : changed;
  });
}

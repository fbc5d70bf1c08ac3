import { clientReport } from "#/cli/client-report.ts";
import { type Command, misuse, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok, refused } from "#/kernel/result.ts";
import { changeClient, clientSettings, readSettings, settingNames } from "#/modules/clients/index.ts";
import { chooseFacilities } from "#/modules/facilities/index.ts";

export const clientSet: Command = {
  name: "client set",
  summary: "Changes settings of a client, its name, or its facilities.",
  arguments: [
    { name: "ID", meaning: "the client" },
    { name: "KEY=VALUE", meaning: "a setting and its new value; KEY= resets it to its default", isList: true },
  ],
  options: [
    { name: "name", value: "NAME", meaning: "display name" },
    {
      name: "facility",
      value: "CODE",
      meaning: "repeat the option for several facilities, in routing order; replaces the present list",
      isList: true,
    },
  ],
  notes: settingNames.map((name) => {
    const { standardText, meaning } = clientSettings[name];
    return `${name} (${standardText}): ${meaning}`;
  }),
  async run(call) {
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
        return changeClient(tx, change, call.argument("ID"), {
          name,
          facilities: facilities?.value,
          settings: assignments.length === 0 ? undefined : settings.value,
        });
      });
      return changed.ok ? ok(clientReport(changed.value)) : changed;
    });
  },
};

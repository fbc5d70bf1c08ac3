import { columns } from "#/cli/columns.ts";
import type { Report } from "#/cli/command.ts";
import type { ClientRecord } from "#/modules/clients/service.ts";
import { settingNames, settingText } from "#/modules/clients/settings.ts";

/** A client with every setting; those that differ from their defaults are marked. */
export function clientReport(client: ClientRecord): Report {
  const { clientId, name, status, facilities, settings, overrides, createdAt, updatedAt } = client;
  return {
    json: {
      clientId,
      name,
      status,
      facilities,
      // The deployment's rate limit is not a value of the client's, but appears here all the same.
      settings: { ...settings, rateLimit: settings.rateLimit ?? null },
      overrides: Object.keys(overrides),
      createdAt,
      updatedAt,
    },
    lines: [
      ...columns([
        ["Client", clientId],
        ["Name", name],
        ["Status", status],
        ["Facilities", facilities.join(", ") || "none"],
        ["Created", createdAt],
        ["Changed", updatedAt],
      ]),
      "",
      "Settings (* set for this client)",
      ...columns(
        settingNames.map((setting) => [
          Object.hasOwn(overrides, setting) ? "*" : " ",
          setting,
          settingText(setting, settings[setting]),
        ]),
      ),
    ],
  };
}

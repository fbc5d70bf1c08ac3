import { columns, table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, type Report, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { ok, refused } from "#/kernel/result.ts";
import { onboardClient } from "#/modules/clients/onboarding.ts";
import {
  type ClientRecord,
  changeClient,
  listClients,
  resumeClient,
  showClient,
  suspendClient,
} from "#/modules/clients/service.ts";
import { readSettings, settingNames, settingText } from "#/modules/clients/settings.ts";
import { chooseFacilities } from "#/modules/facilities/service.ts";

export const clientCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const clientId = call.argument("ID");
    const { environment } = platform.config;
    let facilities: readonly string[] = [];
    const created = await platform.change(async (tx, change) => {
      const chosen = await chooseFacilities(tx, call.optionList("facility"));
      if (!chosen.ok) return refused(chosen.fault);
      facilities = chosen.value;
      return onboardClient(tx, change, {
        clientId,
        name: call.option("name") ?? clientId,
        facilities,
        environment,
      });
    });
    if (!created.ok) return created;
    const { feed, oauth, sftp } = created.value;
    const lines = [
      `Client ${clientId} is created, with facilities ${facilities.join(", ") || "(none)"}. Its credentials (${environment}), shown only now:`,
      ...credentialLines({ feed, oauth, sftp }),
    ];
    const note = `no facility exists yet, so ${clientId} has none: run 'facility create', then 'client set ${clientId} --facility CODE'`;
    return done(created.value, lines, facilities.length === 0 ? [note] : []);
  });

export const clientList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clients = await listClients(database);
    return done(
      clients.map(({ clientId, name, status, facilities, createdAt }) => ({
        clientId,
        name,
        status,
        facilities,
        createdAt,
      })),
      table(
        ["CLIENT", "STATUS", "FACILITIES", "SINCE", "NAME"],
        clients.map((client) => [
          client.clientId,
          client.status,
          client.facilities.join(",") || "-",
          client.createdAt.slice(0, 10),
          client.name,
        ]),
        "No client yet; create one with 'crossdock client create ID'.",
      ),
    );
  });

export const clientShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const shown = await showClient(database.of(call.argument("ID")));
    return shown.ok ? ok(clientReport(shown.value)) : refuse(shown.fault);
  });

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
      return changeClient(tx.of(call.argument("ID"), change), {
        name,
        facilities: facilities?.value,
        settings: assignments.length === 0 ? undefined : settings.value,
      });
    });
    return changed.ok ? ok(clientReport(changed.value)) : changed;
  });
}

export const clientSuspend = (call: Call): Promise<Outcome> => setStatus(call, suspendClient);

export const clientResume = (call: Call): Promise<Outcome> => setStatus(call, resumeClient);

const setStatus = (call: Call, command: typeof suspendClient): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const result = await platform.change((tx, change) => command(tx.of(call.argument("ID"), change)));
    if (!result.ok) return result;
    const { clientId, status } = result.value;
    return done({ clientId, status }, [`Client ${clientId} is ${status}.`]);
  });

/** A client with every setting; those that differ from their defaults are marked. */
function clientReport(client: ClientRecord): Report {
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

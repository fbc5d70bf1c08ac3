import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { refused } from "#/kernel/result.ts";
import { onboardClient } from "#/modules/clients/onboarding.ts";
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

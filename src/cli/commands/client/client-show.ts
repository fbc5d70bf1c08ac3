import { clientReport } from "#/cli/client-report.ts";
import { type Call, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/service.ts";

export const clientShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const shown = await showClient(database.of(call.argument("ID")));
    return shown.ok ? ok(clientReport(shown.value)) : refuse(shown.fault);
  });

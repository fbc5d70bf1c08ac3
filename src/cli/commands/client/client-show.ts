import { clientReport } from "#/cli/client-report.ts";
import type { Command } from "#/cli/command.ts";
import { refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/index.ts";

export const clientShow: Command = {
  name: "client show",
  summary: "Shows a client: status, facilities in routing order, every setting.",
  arguments: [{ name: "ID", meaning: "the client" }],
  options: [],
  run: (call) =>
    withPlatform(async ({ database }) => {
      const shown = await showClient(database, call.argument("ID"));
      return shown.ok ? ok(clientReport(shown.value)) : refuse(shown.fault);
    }),
};

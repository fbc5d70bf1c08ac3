import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { suspendClient } from "#/modules/clients/index.ts";

export const clientSuspend: Command = {
  name: "client suspend",
  summary: "Refuses a client's feeds, REST calls and logins from now on; accepted work and outbound go on.",
  arguments: [{ name: "ID", meaning: "the client" }],
  options: [],
  run: (call) =>
    withPlatform(async (platform) => {
      const result = await platform.change((tx, change) => suspendClient(tx, change, call.argument("ID")));
      if (!result.ok) return result;
      const { clientId, status } = result.value;
      return done({ clientId, status }, [`Client ${clientId} is ${status}.`]);
    }),
};

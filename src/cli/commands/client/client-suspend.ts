import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { suspendClient } from "#/modules/clients/index.ts";

export const clientSuspend: Command = {
  name: "client suspend",
  summary:
    "Suspends a client: its feeds, REST calls and logins are refused at once; accepted work and outbound feeds continue.",
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

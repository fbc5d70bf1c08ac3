import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { resumeClient } from "#/modules/clients/index.ts";

export const clientResume: Command = {
  name: "client resume",
  summary: "Resumes a suspended client.",
  arguments: [{ name: "ID", meaning: "the client" }],
  options: [],
  run: (call) =>
    withPlatform(async (platform) => {
      const result = await platform.change((tx, change) => resumeClient(tx, change, call.argument("ID")));
      if (!result.ok) return result;
      const { clientId, status } = result.value;
      return done({ clientId, status }, [`Client ${clientId} is ${status}.`]);
    }),
};

import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { resumeClient } from "#/modules/clients/service.ts";

export const clientResume = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const result = await platform.change((tx, change) => resumeClient(tx.of(call.argument("ID"), change)));
    if (!result.ok) return result;
    const { clientId, status } = result.value;
    return done({ clientId, status }, [`Client ${clientId} is ${status}.`]);
  });

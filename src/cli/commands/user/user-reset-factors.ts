import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { resetFactors } from "#/console-api/access/factors/own-factors.ts";
import { refused } from "#/kernel/result.ts";

export const userResetFactors = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const reset = await platform.change(async (tx, change) => {
      const outcome = await resetFactors(tx, change, call.argument("NAME"));
      return outcome.ok ? outcome : refused(outcome.fault.detail);
    });
    if (!reset.ok) return reset;
    const { userName } = reset.value;
    return done({ username: userName }, [`User ${userName} no longer has a second factor.`]);
  });

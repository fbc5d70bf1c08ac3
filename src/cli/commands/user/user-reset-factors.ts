import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { resetFactors } from "#/console-api/index.ts";
import { refused } from "#/kernel/result.ts";

export const userResetFactors: Command = {
  name: "user reset-factors",
  summary:
    "Removes all second factors and recovery codes of a console user who has lost them; the user's sessions end.",
  arguments: [{ name: "NAME", meaning: "the user" }],
  options: [],
  run: (call) =>
    withPlatform(async (platform) => {
      const reset = await platform.change(async (tx, change) => {
        const outcome = await resetFactors(tx, change, call.argument("NAME"));
        return outcome.ok ? outcome : refused(outcome.fault.detail);
      });
      if (!reset.ok) return reset;
      const { userName } = reset.value;
      return done({ username: userName }, [`User ${userName} no longer has a second factor.`]);
    }),
};

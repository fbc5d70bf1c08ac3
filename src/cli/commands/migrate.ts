import { done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";

export const migrate = (): Promise<Outcome> =>
  withPlatform(async ({ migration }) => {
    const { applied, ahead, version } = migration;
    const lines = applied.map((name) => `applied ${name}`);
    if (ahead.length > 0) lines.push("The schema is of a newer release; this release can run with it.");
    return done({ applied, version }, [...lines, `The schema is at ${version}.`]);
  });

import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Migrates the schema to this release, once, even if several nodes start at the same time.",
  arguments: [],
  options: [],
  run: () =>
    withPlatform(async ({ migration }) => {
      const { applied, ahead, version } = migration;
      const lines = applied.map((name) => `applied ${name}`);
      if (ahead.length > 0) lines.push("The schema is of a newer release; this release can run with it.");
      return done({ applied, version }, [...lines, `The schema is at ${version}.`]);
    }),
};

import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Brings the schema up to date, once, however many nodes start at the same time.",
  arguments: [],
  options: [],
  run: () =>
    withPlatform(async ({ migration }) => {
      const { applied, version } = migration;
      const lines = applied.map((name) => `applied ${name}`);
      return done({ applied, version }, [...lines, `The schema is at ${version}.`]);
    }),
};

import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Brings the schema up to date, once, however many nodes start at the same time.",
  arguments: [],
  options: [],
  run: () =>
    withPlatform(async ({ migration }) => {
      const { applied, ahead, version } = migration;
      const lines = applied.map((name) => `applied ${name}`);
      if (ahead.length > 0) lines.push("A newer release has been here; this one runs beside it.");
      return done({ applied, version }, [...lines, `The schema is at ${version}.`]);
    }),
};

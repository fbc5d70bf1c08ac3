import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import { finalizeSchema } from "#/store/db/schema/migrator.ts";

export const migrate = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ migration, directUrl }) => {
    const { applied, ahead, version } = migration;
    const lines = applied.map((name) => `applied ${name}`);
    if (ahead.length > 0) lines.push("The schema is of a newer release; this release can run with it.");
    const isFinalized = migration.isFinalized || call.flag("finalize");
    if (isFinalized && !migration.isFinalized) await finalizeSchema(directUrl, migrationsFolder);
    lines.push(
      `The schema is at ${version}${isFinalized ? "" : ", not finalized: run 'crossdock migrate --finalize' when no process of an earlier release runs"}.`,
    );
    return done({ applied, version, isFinalized }, lines);
  });

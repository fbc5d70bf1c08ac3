import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { readDemoCredentials } from "#/roles/demo-credentials.ts";

export const seed: Command = {
  name: "seed",
  summary: "Fills the database with demo data; does nothing where it is there already.",
  arguments: [],
  options: [{ name: "demo", meaning: "two facilities, client DEMO with credentials, one document of each feed" }],
  async run(call) {
    if (!call.flag("demo")) return misuse("name what to seed: --demo");
    return withPlatform(async ({ config, database, clock, ids }) => {
      // Loaded here alone, as it brings the XML library.
      const { demoClientId, seedDemo } = await import("#/roles/seed.ts");
      await seedDemo({ config, database, clock, ids });
      const credentials = readDemoCredentials(config.dataDir);
      const lines = [`The demo data is there. Client ${demoClientId}:`, ...credentialLines(credentials ?? {})];
      return done({ clientId: demoClientId }, lines);
    });
  },
};

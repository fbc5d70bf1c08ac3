import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";

export const seed: Command = {
  name: "seed",
  summary: "Fills the database with demo data, once.",
  arguments: [],
  options: [{ name: "demo", meaning: "two facilities, client DEMO with credentials, items, orders" }],
  async run(call) {
    if (!call.flag("demo")) return misuse("name what to seed: --demo");
    return withPlatform(async ({ config, database, clock, ids }) => {
      const { seedDemo } = await import("#/roles/seed.ts");
      await seedDemo({ config, database, clock, ids });
      return done({ seeded: "demo" }, ["The demo data is there."]);
    });
  },
};

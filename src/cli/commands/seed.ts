import { type Command, done, misuse, refuse } from "#/cli/command.ts";
import { type Platform, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { progressBar } from "#/cli/progress-bar.ts";
import { progressLines } from "#/cli/progress-lines.ts";
import { withSchemaLock } from "#/db/schema/migrator.ts";
import { makePastPartitions } from "#/db/schema/partitions.ts";
import { readDemoCredentials } from "#/demo/credentials.ts";

const sizeMax = 10_000_000;

export const seed: Command = {
  name: "seed",
  summary: "Fills the database with demo data; does nothing where it is there already.",
  arguments: [],
  options: [
    {
      name: "demo",
      meaning:
        "two facilities, client DEMO with credentials, two brands besides, weeks of history, orders in every state",
    },
    { name: "size", value: "N", meaning: "a catalogue and N orders of the last 365 days besides" },
  ],
  notes: [
    "`--size` gives the client DEMO, which it makes where it is missing, one item for twenty orders (100 to 50 000, `H-SKU-…`) and orders `H-…`: most of them delivered, with parcels and with carrier decisions by the carrier data that hold now, made as of then; some cancelled, returned to their sender, on their way, held, or waiting for stock. Nobody is told of them: there are no events, webhooks, outbound documents or papers of the past. Their stock is booked today, with the moment at which it left beside it. What waits or is held is worked on like any other order.",
    "Run again, it adds what is missing: nothing, or the rest of a run that was ended, or what a larger N asks for. It may run beside a server. It is refused in production.",
  ],
  async run(call) {
    const asked = call.option("size");
    if (!call.flag("demo") && asked === undefined) return misuse("name what to seed: --demo, or --size N");
    const size = Number(asked ?? 0);
    if (asked !== undefined && !(/^\d+$/.test(asked) && size >= 1 && size <= sizeMax)) {
      return misuse(`--size is a whole number from 1 to ${sizeMax}`);
    }
    return withPlatform(async (platform) => {
      const { config, database, clock, ids } = platform;
      if (asked !== undefined && config.environment === "production") {
        return refuse("a history is invented data: it is not put into production");
      }
      // Loaded only here, because it imports the XML library.
      const { demoClientId, seedDemo } = await import("#/demo/seed.ts");
      await seedDemo({ config, database, clock, ids });
      const credentials = readDemoCredentials(config.dataDir);
      const lines = [`The demo data is there. Client ${demoClientId}:`, ...credentialLines(credentials ?? {})];
      if (asked === undefined) return done({ clientId: demoClientId }, lines);
      const history = await seedHistoryOf(platform, demoClientId, size);
      return done({ clientId: demoClientId, size, ...history.json }, [...lines, ...history.lines]);
    });
  },
};

async function seedHistoryOf({ config, database, clock, ids, directUrl }: Platform, clientId: string, size: number) {
  const { historyDays, seedHistory } = await import("#/history-generator/index.ts");
  const nowMs = clock.now();
  await withSchemaLock(directUrl, (connection) =>
    // One more day, because the decisions begin before the history does.
    makePastPartitions(connection, "carrier_decision", nowMs - (historyDays + 1) * 86_400_000, nowMs),
  );
  const onProgress = process.stderr.isTTY ? progressBar() : progressLines();
  const context = { database, clock, ids, gs1Prefix: config.gs1Prefix };
  const { items, orders, states } = await seedHistory(context, { clientId, size, onProgress });
  const seconds = Math.round((clock.now() - nowMs) / 100) / 10;
  const kinds = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const what = orders === 0 ? "" : `: ${kinds.join(", ")}`;
  const json = { added: { items, orders }, states, seconds };
  return { json, lines: [`${items} items and ${orders} orders were added in ${seconds} s${what}.`] };
}

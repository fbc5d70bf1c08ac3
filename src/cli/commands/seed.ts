import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { type Platform, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { showProgress } from "#/cli/progress.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { readDemoCredentials } from "#/sandbox/demo/greeting.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { makePastPartitions } from "#/store/db/schema/partitions.ts";

const sizeMax = 10_000_000;

export async function seed(call: Call): Promise<Outcome> {
  const sizeText = call.option("size");
  if (!call.flag("demo") && sizeText === undefined) return misuse("name what to seed: --demo, or --size N");
  const size = Number(sizeText ?? 0);
  if (sizeText !== undefined && !(/^\d+$/.test(sizeText) && size >= 1 && size <= sizeMax)) {
    return misuse(`--size is a whole number from 1 to ${sizeMax}`);
  }
  return withPlatform(async (platform) => {
    const { config, database, clock, ids } = platform;
    if (sizeText !== undefined && config.environment === "production") {
      return refuse("generated history is refused in production");
    }
    // Loaded only here, because it imports the XML library.
    const { demoClientId, seedDemo } = await import("#/sandbox/demo/seed.ts");
    await seedDemo({ config, database, clock, ids });
    const credentials = readDemoCredentials(config.dataDir);
    const lines = [`The demo data is in place. Client ${demoClientId}:`, ...credentialLines(credentials ?? {})];
    if (sizeText === undefined) return done({ clientId: demoClientId }, lines);
    const history = await seedHistoryOf(platform, demoClientId, size);
    return done({ clientId: demoClientId, size, ...history.json }, [...lines, ...history.lines]);
  });
}

async function seedHistoryOf({ config, database, clock, ids, directUrl }: Platform, clientId: string, size: number) {
  const { historyDays, seedHistory } = await import("#/sandbox/history/index.ts");
  const nowMs = clock.now();
  await withSchemaLock(directUrl, (connection) =>
    // One more day, because the decisions begin before the history does.
    makePastPartitions(connection, "carrier_decision", nowMs - (historyDays + 1) * dayMs, nowMs),
  );
  const onProgress = showProgress();
  const context = { database, clock, ids, gs1Prefix: config.gs1Prefix };
  const { items, orders, states } = await seedHistory(context, { clientId, size, onProgress });
  const seconds = Math.round((clock.now() - nowMs) / 100) / 10;
  const kinds = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const what = orders === 0 ? "" : `: ${kinds.join(", ")}`;
  const json = { added: { items, orders }, states, seconds };
  return { json, lines: [`${items} items and ${orders} orders were added in ${seconds} s${what}.`] };
}

import { type Refusal, refuse } from "#/cli/command.ts";
import { readConfig } from "#/cli/context.ts";
import type { Config } from "#/kernel/config/config.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { readWelcome, type Welcome } from "#/sandbox/demo/greeting.ts";

/** The server that was started last with the configured data directory; it may have ended. */
export function localServer(): Result<{ readonly config: Config; readonly welcome: Welcome }, Refusal> {
  const config = readConfig();
  if (!config.ok) return config;
  const { dataDir } = config.value;
  const welcome = readWelcome(dataDir);
  if (welcome === undefined) return refuse(`no server has been started with the data directory ${dataDir}: npm start`);
  return ok({ config: config.value, welcome });
}

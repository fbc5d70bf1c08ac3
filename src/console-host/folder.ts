import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "#/kernel/telemetry/log.ts";

export const folder = fileURLToPath(new URL("../../console/dist", import.meta.url));

let preparing: Promise<string | undefined> | undefined;

/**
 * The folder of the console, built first if the sources are newer. That happens once per process, at the start or on
 * the first request. Undefined if there is no console and none can be built.
 */
export function prepareConsole(log: Logger): Promise<string | undefined> {
  preparing ??= prepare(log);
  return preparing;
}

async function prepare(log: Logger): Promise<string | undefined> {
  const { buildConsole } = await import("#/console-host/build.ts");
  const { builtMs, fault } = await buildConsole();
  if (builtMs !== undefined) log.info({ durationMs: Math.round(builtMs) }, "the console was built");
  if (fault !== undefined) log.warn({ fault }, "the console was not built");
  return existsSync(path.join(folder, "index.html")) ? folder : undefined;
}

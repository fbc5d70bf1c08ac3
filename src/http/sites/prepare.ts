import { existsSync } from "node:fs";
import path from "node:path";
import { buildSite, builtFolder, type Site } from "#/http/sites/build.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";

/**
 * Returns the folder of a site, built first if the sources are newer. That happens once per process, with the first
 * call. Undefined while there is none.
 * @param signal ends the build
 */
export type PrepareSite = (log: Logger, signal?: AbortSignal) => Promise<string | undefined>;

export function preparationOf(site: Site): PrepareSite {
  let preparing: Promise<void> | undefined;
  return async (log, signal) => {
    preparing ??= prepare(site, log, signal);
    await preparing;
    const folder = builtFolder(site);
    // Read each time: a build by hand may have ended since.
    return existsSync(path.join(folder, "index.html")) ? folder : undefined;
  };
}

async function prepare(site: Site, log: Logger, signal: AbortSignal | undefined): Promise<void> {
  const { builtMs, fault } = await buildSite(site, signal);
  if (builtMs !== undefined) log.info({ site: site.name, durationMs: Math.round(builtMs) }, "a site was built");
  if (fault !== undefined) log.warn({ site: site.name, fault }, "a site was not built");
}

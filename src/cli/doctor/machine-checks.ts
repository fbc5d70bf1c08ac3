import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { bad, type Check, doubtful, good } from "#/cli/doctor/check.ts";
import type { Config } from "#/kernel/config.ts";

const nodeMin = 26;
const freeBytesWarn = 2 * 2 ** 30;
const freeBytesFail = 256 * 2 ** 20;

export function nodeCheck(version: string): Check {
  return Number.parseInt(version, 10) >= nodeMin
    ? good("node", `Node ${version}`)
    : bad("node", `Node ${version}`, `start with 'npm start' or 'npx crossdock', which use Node ${nodeMin}`);
}

/** Where the data directory is, and where the embedded database's files are if they lie elsewhere. */
export async function diskChecks(dataDir: string, databaseFolder: string): Promise<readonly Check[]> {
  const folders = [dataDir, ...(existsSync(join(dataDir, "postgres-name")) ? [databaseFolder] : [])];
  return Promise.all(
    folders.map(async (folder) => {
      try {
        const { bavail, bsize } = await statfs(folder);
        return diskCheck(folder, bavail * bsize);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return code === "ENOENT"
          ? doubtful("disk", `${folder} does not exist yet`, "it is made at the first start")
          : bad("disk", `${folder} cannot be read (${code})`, "let this user read and write it");
      }
    }),
  );
}

export function diskCheck(folder: string, freeBytes: number): Check {
  const text = `${(freeBytes / 2 ** 30).toFixed(1)} GiB free in ${folder}`;
  const advice = "make room: PostgreSQL stops when its disk is full";
  if (freeBytes < freeBytesFail) return bad("disk", text, advice);
  return freeBytes < freeBytesWarn ? doubtful("disk", text, advice) : good("disk", text);
}

/** In production the configuration is refused without the key, so that there the answer comes from there. */
export function secretCheck({ secret, environment }: Pick<Config, "secret" | "environment">): Check {
  if (secret !== undefined) return good("master key", "given by CROSSDOCK_SECRET");
  return environment === "production"
    ? bad("master key", "missing", "set CROSSDOCK_SECRET, at least 32 characters, or CROSSDOCK_SECRET_FILE")
    : good("master key", `generated into the data directory (${environment})`);
}

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bad, type Check, doubtful, rated } from "#/cli/doctor/check.ts";
import { type EnvironmentTexts, filesOf } from "#/kernel/config/env-file.ts";
import { configVariables } from "#/kernel/config/variables.ts";

const freeBytesWarn = 2 * 2 ** 30;
const freeBytesFail = 256 * 2 ** 20;

/** Checks the data directory, and the folder of the embedded database's files if it is elsewhere. */
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
          ? doubtful("disk", `${folder} does not exist yet`, "it is created at the first start")
          : bad("disk", `${folder} cannot be read (${code})`, "give this user read and write access to it");
      }
    }),
  );
}

export function diskCheck(folder: string, freeBytes: number): Check {
  const text = `${(freeBytes / 2 ** 30).toFixed(1)} GiB free in ${folder}`;
  const advice = "free disk space: PostgreSQL stops when its disk is full";
  return rated("disk", text, advice, { fail: freeBytes < freeBytesFail, warn: freeBytes < freeBytesWarn });
}

/** Files of the data directory that contain secrets. */
const secretFiles = ["secret", "postgres-credentials.json", "demo-credentials.json"] as const;

/** A container mounts its secrets here, readable for all users of the container: there is one. */
const mountedSecrets = "/run/secrets/";

/**
 * Every user who can read these files can use their secrets: those of the data directory, and those that settings such
 * as CROSSDOCK_SECRET_FILE name.
 * @param cwd the folder of `.env` and of relative names
 */
export function fileChecks(dataDir: string, env: EnvironmentTexts, cwd: string): readonly Check[] {
  const sources = { cwd, readFile: (file: string) => readFileSync(file, "utf8") };
  const variables = Object.values(configVariables).filter(({ isSecret }) => isSecret);
  const ownFiles = secretFiles.map((name) => join(dataDir, name));
  const named = filesOf(env, variables, sources).map(({ file }) => file);
  const found = [...ownFiles, ...named].filter(
    (file) => existsSync(file) && !realpathSync(file).startsWith(mountedSecrets),
  );
  if (found.length === 0) return [];
  const open = found.filter((file) => isOpenToOthers(realpathSync(file)));
  const text = open.length > 0 ? `other users can read ${open.join(", ")}` : `${found.length}, for their owner only`;
  const fail = open.some((file) => ownFiles.includes(file));
  return [rated("secret files", text, `run: chmod 600 ${open.join(" ")}`, { fail, warn: open.length > 0 })];
}

/** Group or others can read the file, and enter each folder above it. */
function isOpenToOthers(file: string): boolean {
  let open = statSync(file).mode & 0o044;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { mode } = statSync(folder);
    if ((mode & 0o010) === 0) open &= ~0o040;
    if ((mode & 0o001) === 0) open &= ~0o004;
    if (folder === dirname(folder)) return open !== 0;
  }
}

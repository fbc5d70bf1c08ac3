import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bad, type Check, doubtful, good } from "#/cli/doctor/check.ts";
import type { BuildOutcome } from "#/http/sites/build.ts";
import type { Config } from "#/kernel/config/config.ts";
import { type EnvironmentTexts, filesOf } from "#/kernel/config/env-file.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { configVariables } from "#/kernel/config/variables.ts";

const nodeMin = 26;
const freeBytesWarn = 2 * 2 ** 30;
const freeBytesFail = 256 * 2 ** 20;

export function nodeCheck(version: string): Check {
  return Number.parseInt(version, 10) >= nodeMin
    ? good("node", `Node ${version}`)
    : bad("node", `Node ${version}`, `start with 'npm start' or 'npx crossdock', which use Node ${nodeMin}`);
}

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
  if (freeBytes < freeBytesFail) return bad("disk", text, advice);
  return freeBytes < freeBytesWarn ? doubtful("disk", text, advice) : good("disk", text);
}

/** Files of the data directory that contain secrets. */
const secretFiles = ["secret", "postgres-credentials.json", "demo-credentials.json"] as const;

/** Every user who can read these files can use their secrets. */
export function fileChecks(dataDir: string): readonly Check[] {
  const found = secretFiles.map((name) => join(dataDir, name)).filter((file) => existsSync(file));
  if (found.length === 0) return [];
  const open = found.filter((file) => (statSync(file).mode & 0o077) !== 0);
  return [
    open.length === 0
      ? good("secret files", `${found.length} in ${dataDir}, readable by their owner only`)
      : bad("secret files", `other users can read ${open.join(", ")}`, `run: chmod 600 ${open.join(" ")}`),
  ];
}

/** A container mounts its secrets here, readable for all users of the container: there is one. */
const mountedSecrets = "/run/secrets/";

/**
 * The files that settings such as CROSSDOCK_SECRET_FILE name for secrets.
 * @param cwd the folder of `.env` and of relative names
 */
export function namedFileChecks(env: EnvironmentTexts, cwd: string): readonly Check[] {
  const sources = { cwd, readFile: (file: string) => readFileSync(file, "utf8") };
  const secrets = Object.values(configVariables).filter(({ isSecret }) => isSecret);
  const found = filesOf(env, secrets, sources).filter(
    ({ file }) => existsSync(file) && !realpathSync(file).startsWith(mountedSecrets),
  );
  if (found.length === 0) return [];
  const open = found.filter(({ file }) => isOpenToOthers(realpathSync(file)));
  return [
    open.length === 0
      ? good("named secret files", `${found.length}, readable by their owner only`)
      : doubtful(
          "named secret files",
          `other users can read ${open.map(({ name, file }) => `${name} (${file})`).join(", ")}`,
          `run: chmod 600 ${open.map(({ file }) => file).join(" ")}`,
        ),
  ];
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

/** A site that the program builds and serves. */
interface ServedSite {
  readonly name: string;
  /** A process with one of these serves it. */
  readonly servedBy: readonly RoleName[];
  readonly state: Pick<BuildOutcome, "isThere" | "fault">;
}

export function siteChecks(roles: Config["roles"], { name, servedBy, state }: ServedSite): readonly Check[] {
  if (!servedBy.some((role) => roles.includes(role))) return [];
  const { isThere, fault } = state;
  if (fault !== undefined) {
    const text = isThere ? "is of an earlier release, because its last build failed" : "could not be built";
    return [
      doubtful(name, `${text}: ${fault}`, "remove the cause and restart the server: each start builds what is missing"),
    ];
  }
  return [
    isThere
      ? good(name, "is built")
      : doubtful(
          name,
          "is not built yet",
          "the first start builds it, which takes a minute; build it into the image for production",
        ),
  ];
}

/** In production, the configuration itself refuses a missing key. */
export function secretCheck({ secret, environment }: Pick<Config, "secret" | "environment">): Check {
  if (secret !== undefined) return good("master key", "set by CROSSDOCK_SECRET");
  return environment === "production"
    ? bad("master key", "missing", "set CROSSDOCK_SECRET, at least 32 characters, or CROSSDOCK_SECRET_FILE")
    : good("master key", `generated into the data directory (${environment})`);
}

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const buildMsMax = 120_000;
const pollMs = 200;
const oldAssetsMsMax = dayMs;

/** Files that a tool builds from sources of the repository, and that the program serves. */
export interface Site {
  /** As in messages: `the console`. */
  readonly name: string;
  /** Folder of the project; the build is in its folder `dist`. */
  readonly folder: string;
  /** Patterns of the files that the build reads, relative to the root of the repository. */
  readonly sources: readonly string[];
  readonly tool: {
    readonly name: string;
    /** Relative to the root of the repository. */
    readonly file: string;
    readonly args: readonly string[];
    /** Environment variable for the folder of the build. */
    readonly outVariable: string;
  };
}

export interface BuildOutcome {
  /** Whether a build exists, of any age. */
  readonly isThere: boolean;
  /** Duration of the build in milliseconds; undefined if no build was needed. */
  readonly builtMs?: number;
  /** Reason why the site may be outdated or missing. */
  readonly fault?: string;
}

/** The folder of the build. */
const builtFolder = ({ folder }: Site): string => path.join(root, folder, "dist");

/**
 * Brings the build up to date with the sources. It builds once per state of the sources, in a child process, while the
 * old build is still served. Two concurrent processes build once. If the tool is not installed, as in a production
 * image, the existing files are used. Never throws: a server without the site is better than none.
 * @param signal ends the build, which the next process repeats
 * @param msMax the time for the tool, and for the build of another process
 */
export async function buildSite(site: Site, signal?: AbortSignal, msMax = buildMsMax): Promise<BuildOutcome> {
  const isThere = () => existsSync(path.join(builtFolder(site), "index.html"));
  const { name, file } = site.tool;
  if (!existsSync(path.join(root, file))) {
    return isThere() ? { isThere: true } : { isThere: false, fault: `${name} is not installed` };
  }
  const startedMs = performance.now();
  let hasLock = false;
  try {
    const stamp = stampOf(site);
    hasLock = !isBuilt(site, stamp) && (await takeLock(site, () => isBuilt(site, stamp), msMax, signal));
    if (hasLock) await buildAside(site, stamp, msMax, signal);
    return hasLock ? { isThere: true, builtMs: performance.now() - startedMs } : { isThere: true };
  } catch (error) {
    if (signal?.aborted) return { isThere: isThere() };
    return { isThere: isThere(), fault: (error as Error).message };
  } finally {
    if (hasLock) rmSync(lockOf(site), { recursive: true, force: true });
  }
}

const lockOf = ({ folder }: Site) => path.join(root, folder, ".build-lock");

/** Hash of everything that the build reads. */
function stampOf({ sources }: Site): string {
  const hash = createHash("sha256");
  for (const file of globSync([...sources, "package-lock.json"], { cwd: root }).sort()) {
    const place = path.join(root, file);
    if (statSync(place).isFile()) hash.update(`${file}\0`).update(readFileSync(place)).update("\0");
  }
  return hash.digest("hex");
}

function isBuilt(site: Site, stamp: string): boolean {
  try {
    return readFileSync(path.join(builtFolder(site), ".stamp"), "utf8") === stamp;
  } catch {
    return false;
  }
}

/**
 * Returns false if another process has built meanwhile. The lock of a dead owner is taken over. Throws when `signal`
 * ends the wait.
 */
async function takeLock(
  site: Site,
  isDone: () => boolean,
  msMax: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const lock = lockOf(site);
  const ownerFile = path.join(lock, "pid");
  const probe = () => {
    signal?.throwIfAborted();
    try {
      mkdirSync(lock);
      writeFileSync(ownerFile, String(process.pid));
      // The previous owner of the lock may have finished the build.
      if (!isDone()) return true;
      rmSync(lock, { recursive: true, force: true });
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isDone()) return false;
    if (!isOwnerAlive(lock)) rmSync(lock, { recursive: true, force: true });
    return undefined;
  };
  const isTaken = await pollUntil(probe, { everyMs: pollMs, msMax });
  if (isTaken === undefined) throw new Error(`another process has been building ${site.name} for too long`);
  return isTaken;
}

/** An owner that has not written its process id yet counts as alive while the lock is young. */
function isOwnerAlive(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(path.join(lock, "pid"), "utf8")), 0);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const lockedMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return code === "EPERM" || (code === "ENOENT" && Date.now() - lockedMs < 10 * pollMs);
  }
}

async function buildAside(site: Site, stamp: string, msMax: number, signal: AbortSignal | undefined): Promise<void> {
  const folder = path.join(root, site.folder);
  const built = builtFolder(site);
  // Only the owner of the lock builds, so other build folders are left over from killed processes.
  for (const left of globSync(".build-[0-9]*", { cwd: folder })) rmSync(path.join(folder, left), { recursive: true });
  const aside = path.join(folder, `.build-${process.pid}`);
  const old = path.join(folder, `.build-${process.pid}-old`);
  try {
    await runTool(site, aside, msMax, signal);
    keepOldAssets(built, aside);
    writeFileSync(path.join(aside, ".stamp"), stamp);
    if (existsSync(built)) renameSync(built, old);
    renameSync(aside, built);
  } finally {
    for (const leftover of [aside, old]) rmSync(leftover, { recursive: true, force: true });
  }
}

/** Keeps the old assets for a day, because open pages still load them. */
function keepOldAssets(built: string, aside: string): void {
  const from = path.join(built, "assets");
  const to = path.join(aside, "assets");
  if (!existsSync(from)) return;
  const isWanted = (file: string) => Date.now() - statSync(file).mtimeMs < oldAssetsMsMax;
  cpSync(from, to, { recursive: true, force: false, preserveTimestamps: true, filter: isWanted });
}

async function runTool(
  { name, folder, tool }: Site,
  outDir: string,
  msMax: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, tool.file), ...tool.args], {
    cwd: path.join(root, folder),
    env: { ...process.env, [tool.outVariable]: outDir, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: msMax,
    killSignal: "SIGKILL",
    ...(signal && { signal }),
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-2_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === 0) return;
  const printed = stripVTControlCharacters(output).trim();
  // The output of a tool that was stopped is not a fault.
  const why = child.killed
    ? `the build was stopped after ${msMax / 1_000} s, because the machine is busy or the tool hangs`
    : printed || `the tool ended with ${code ?? child.signalCode}`;
  throw new Error(`${name} was not built: ${why}`);
}

/**
 * Returns the folder of a site, built first if the sources are newer. That happens once per process, with the first
 * call. Undefined while there is none.
 * @param signal ends the build
 */
type PrepareSite = (log: Logger, signal?: AbortSignal) => Promise<string | undefined>;

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

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

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = path.join(root, "console");
const built = path.join(folder, "dist");
const lock = path.join(folder, ".build-lock");
const vite = path.join(root, "node_modules/vite/bin/vite.js");

const buildMsMax = 120_000;
const pollMs = 200;
const oldAssetsMsMax = 24 * 60 * 60_000;

export interface BuildOutcome {
  /** Whether a built console exists, of any age. */
  readonly isThere: boolean;
  /** Duration of the build in milliseconds; undefined if no build was needed. */
  readonly builtMs?: number;
  /** Reason why the console may be outdated or missing. */
  readonly fault?: string;
}

/**
 * Brings `console/dist` up to date with the sources. It builds once per state of the sources, in a child process, while
 * the old console is still served. Two concurrent processes build once. If Vite is not installed, as in a production
 * image, the existing files are used. Never throws: a server without a console is better than none.
 */
export async function buildConsole(): Promise<BuildOutcome> {
  const isThere = () => existsSync(path.join(built, "index.html"));
  if (!existsSync(vite)) return isThere() ? { isThere: true } : { isThere: false, fault: "Vite is not installed" };
  const startedMs = performance.now();
  let hasLock = false;
  try {
    const stamp = stampOf();
    if (isBuilt(stamp)) return { isThere: true };
    hasLock = await takeLock(() => isBuilt(stamp));
    if (!hasLock) return { isThere: true };
    await buildAside(stamp);
    return { isThere: true, builtMs: performance.now() - startedMs };
  } catch (error) {
    return { isThere: isThere(), fault: (error as Error).message };
  } finally {
    if (hasLock) rmSync(lock, { recursive: true, force: true });
  }
}

/** Hash of everything that the build reads, except the types of the API. */
function stampOf(): string {
  const hash = createHash("sha256");
  const sources = globSync(["console/{src,public}/**/*", "console/*.{json,html,ts}", "package-lock.json"], {
    cwd: root,
  });
  for (const file of sources.sort()) {
    const place = path.join(root, file);
    if (statSync(place).isFile()) hash.update(`${file}\0`).update(readFileSync(place)).update("\0");
  }
  return hash.digest("hex");
}

function isBuilt(stamp: string): boolean {
  try {
    return readFileSync(path.join(built, ".stamp"), "utf8") === stamp;
  } catch {
    return false;
  }
}

/** Returns false if another process has built meanwhile. The lock of a dead owner is taken over. */
async function takeLock(isDone: () => boolean): Promise<boolean> {
  const ownerFile = path.join(lock, "pid");
  const probe = () => {
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
    if (!isOwnerAlive(ownerFile)) rmSync(lock, { recursive: true, force: true });
    return undefined;
  };
  const isTaken = await pollUntil(probe, { everyMs: pollMs, msMax: buildMsMax });
  if (isTaken === undefined) throw new Error("another process has been building the console for too long");
  return isTaken;
}

/** An owner that has not written its process id yet counts as alive while the lock is young. */
function isOwnerAlive(ownerFile: string): boolean {
  try {
    process.kill(Number(readFileSync(ownerFile, "utf8")), 0);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const lockedMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return code === "EPERM" || (code === "ENOENT" && Date.now() - lockedMs < 10 * pollMs);
  }
}

async function buildAside(stamp: string): Promise<void> {
  // Only the owner of the lock builds, so other build folders are left over from killed processes.
  for (const left of globSync(".build-[0-9]*", { cwd: folder })) rmSync(path.join(folder, left), { recursive: true });
  const aside = path.join(folder, `.build-${process.pid}`);
  const old = path.join(folder, `.build-${process.pid}-old`);
  try {
    await runVite(aside);
    keepOldAssets(aside);
    writeFileSync(path.join(aside, ".stamp"), stamp);
    if (existsSync(built)) renameSync(built, old);
    renameSync(aside, built);
  } finally {
    for (const leftover of [aside, old]) rmSync(leftover, { recursive: true, force: true });
  }
}

/** Keeps the old assets for a day, because open pages still load them. */
function keepOldAssets(aside: string): void {
  const from = path.join(built, "assets");
  const to = path.join(aside, "assets");
  if (!existsSync(from)) return;
  const isWanted = (file: string) => Date.now() - statSync(file).mtimeMs < oldAssetsMsMax;
  cpSync(from, to, { recursive: true, force: false, preserveTimestamps: true, filter: isWanted });
}

async function runVite(outDir: string): Promise<void> {
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: folder,
    env: { ...process.env, CROSSDOCK_CONSOLE_OUT: outDir, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: buildMsMax,
    killSignal: "SIGKILL",
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
  if (code !== 0)
    throw new Error(`the console was not built: ${stripVTControlCharacters(output).trim() || "it took too long"}`);
}

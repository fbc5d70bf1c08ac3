// The processes of the operating system: by /proc on Linux, by the system's own programs elsewhere.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const isLinux = process.platform === "linux";

/**
 * Whether a process runs. A zombie does not run: its parent, such as a container's first process, may never collect it.
 */
export function isAlive(pid: number): boolean {
  if (isLinux) {
    const status = readProc(pid, "stat");
    return status !== undefined && !/\) [ZX] /.test(status);
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a pid is a PostgreSQL that serves the given files, and not another process that has got the pid since. */
export function isPostmasterOf(files: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (isLinux) {
    const [program = "", ...args] = (readProc(pid, "cmdline") ?? "").split("\0");
    return basename(program) === "postgres" && args.includes(files);
  }
  if (process.platform === "win32") {
    const list = spawnSync("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"], { encoding: "utf8" });
    return /postgres\.exe/i.test(list.stdout);
  }
  const { stdout } = spawnSync("ps", ["-ww", "-o", "stat=,command=", "-p", String(pid)], { encoding: "utf8" });
  return !stdout.trim().startsWith("Z") && stdout.includes("postgres") && stdout.includes(files);
}

/**
 * The working directory of PostgreSQL's processes is the folder of their files. After a postmaster's death these
 * processes are its leftovers.
 */
export function processesIn(folder: string): number[] {
  if (!isLinux) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && workingFolder(pid) === folder && isAlive(pid));
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // ended meanwhile, or another user's
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

// PostgreSQL's main process: finds the running one by its pid file, starts one, stops it.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import { type Account, spawnOptions } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Place } from "./place.ts";
import { isAlive, isPostmasterOf, processesIn } from "./process-table.ts";

const logBytesMax = 10 * 2 ** 20;
/** PostgreSQL writes its write-ahead log in files of this size. */
const logSegmentBytes = 16 * 2 ** 20;
const readyMsMax = 120_000; // a crash's log of 1 GB is replayed within it even on a slow disk
const pollMs = 10;
/** Most starts take less; on a disk that is nearly full they may succeed. */
const fullDiskMsMin = 3_000;
/** An immediate shutdown writes nothing. */
const immediateMs = 400;
/** A process that the kernel blocks in a write ends when the write is done. */
const killedMsMax = 5_000;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Why a start failed, with the output of PostgreSQL itself. */
export class StartFailure extends Error {
  readonly isPortTaken: boolean;
  /** Processes of a killed postmaster still use its shared memory; they notice its death and end. */
  readonly isMemoryInUse: boolean;

  constructor(what: string, place: Pick<Place, "files" | "log">, logText: string) {
    const lastLines = logText.trimEnd().split("\n").slice(-12).join("\n");
    super(`PostgreSQL ${what}.\n${adviceFor(place.files, logText)}\nThe end of ${place.log}:\n${lastLines}`);
    this.name = "StartFailure";
    this.isPortTaken = /could not bind|could not create any TCP\/IP sockets/.test(logText);
    this.isMemoryInUse = /pre-existing shared memory block/.test(logText);
  }
}

function adviceFor(files: string, logText: string): string {
  const known: readonly [RegExp, string][] = [
    [/No space left on device/, fullDiskWords(files)],
    [
      /database files are incompatible/,
      "The files are of another major version: dump them with that version, or set another CROSSDOCK_DATA_DIR.",
    ],
    [
      /Permission denied|has wrong ownership|has group or world access/,
      "The files belong to another user: start as that user, or change their owner (chown).",
    ],
    [
      /could not map anonymous shared memory|Cannot allocate memory/,
      "There is too little memory: free some, or set DATABASE_URL to another PostgreSQL.",
    ],
    [
      /could not locate a valid checkpoint|invalid checkpoint record|PANIC:/,
      "The files are damaged: restore the data directory from a backup.",
    ],
  ];
  const advice = known.find(([pattern]) => pattern.test(logText))?.[1];
  if (advice !== undefined) return advice;
  // The log may be on the same disk, and lack the line.
  return isDiskFull(files) ? fullDiskWords(files) : "The log has the reason; correct it and start again.";
}

/** The running postmaster that serves these files, if there is one. */
export function findPostmaster(files: string): Postmaster | undefined {
  const found = readPidFile(files);
  return found && isPostmasterOf(files, found.pid) ? found : undefined;
}

/**
 * Waits for a postmaster that is starting or stopping. Returns false when it ends instead of becoming ready.
 * @throws on a full disk, where PostgreSQL repeats its recovery until there is space
 */
export async function becomesReady(files: string, pid: number): Promise<boolean> {
  const beganMs = performance.now();
  const probe = () => {
    const found = readPidFile(files);
    if (found?.pid === pid && found.status === "ready") return true;
    if (!isAlive(pid)) return false;
    if (performance.now() - beganMs > fullDiskMsMin && isDiskFull(files)) throw new Error(fullDiskWords(files));
    return undefined;
  };
  const isReady = await pollUntil(probe, { everyMs: pollMs, msMax: readyMsMax });
  if (isReady !== undefined) return isReady;
  throw new Error(`PostgreSQL (process ${pid}) has been starting or stopping for ${readyMsMax / 1000} s`);
}

export interface StartOptions {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Starts PostgreSQL in a separate session, so that a terminal's Ctrl-C does not reach it before its users have ended.
 * The caller holds the place's lock, and no postmaster runs.
 * @throws StartFailure
 */
export async function startPostmaster({ place, binaries, account, port, settings }: StartOptions): Promise<Postmaster> {
  freePidFile(place.files);
  if (sizeOf(place.log) > logBytesMax) truncateSync(place.log);
  const logStart = sizeOf(place.log);
  const log = openSync(place.log, "a", 0o600);
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(binaries.postgres, ["-D", place.files, "-p", String(port), ...options], {
    ...spawnOptions(account),
    detached: true,
    stdio: ["ignore", log, log],
  });
  child.unref();
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [error] = (await new Promise<Error[]>((resolve) => child.once("error", (...args) => resolve(args)))) as [
      Error,
    ];
    throw new Error(`PostgreSQL cannot be started: ${error.message}`, { cause: error });
  }
  if (await becomesReady(place.files, pid)) return { pid, port };
  throw new StartFailure("did not start", place, readFileSync(place.log).subarray(logStart).toString());
}

/**
 * Stops PostgreSQL: cuts its connections, writes everything, and ends its processes. Where a busy disk needs longer
 * than the given time, PostgreSQL is ended as by a crash. Committed data is in its log, which the next start replays.
 * @param patienceMs for the last checkpoint
 * @returns whether everything was written
 */
export async function stopPostmaster(files: string, binaries: Binaries, patienceMs: number): Promise<boolean> {
  const found = findPostmaster(files);
  if (!found) return true;
  const { pid } = found;
  if (process.platform === "win32") {
    const seconds = Math.ceil(patienceMs / 1000);
    spawnSync(binaries.pgCtl, ["stop", "-D", files, "-m", "fast", "-w", "-t", String(seconds)], { windowsHide: true });
    if (!isAlive(pid)) return true;
    spawnSync(binaries.pgCtl, ["stop", "-D", files, "-m", "immediate", "-w", "-t", "15"], { windowsHide: true });
    return false;
  }
  sendSignal(pid, "SIGINT");
  if (await end([pid], patienceMs)) return true;
  sendSignal(pid, "SIGQUIT");
  if (await end([pid], immediateMs)) return false;
  const left = [...new Set([pid, ...processesIn(files)])];
  for (const process of left) sendSignal(process, "SIGKILL");
  if (await end(left, killedMsMax)) return false;
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether all of these processes end within the given time. */
async function end(pids: readonly number[], patienceMs: number): Promise<boolean> {
  const probe = () => (pids.some(isAlive) ? undefined : true);
  return (await pollUntil(probe, { everyMs: pollMs, msMax: patienceMs })) === true;
}

/** The relevant lines of postmaster.pid: PostgreSQL's source, miscadmin.h, LOCK_FILE_LINE_*. */
function readPidFile(files: string): (Postmaster & { readonly status: string }) | undefined {
  const text = readIfThere(join(files, "postmaster.pid"));
  const [pid, , , port, , , , status] = text?.split("\n") ?? [];
  return Number(pid) > 0 ? { pid: Number(pid), port: Number(port), status: (status ?? "").trim() } : undefined;
}

/**
 * PostgreSQL replaces a pid file whose process is dead, but not one whose pid belongs to a zombie or to an unrelated
 * process. This function writes our own pid into such a file, because PostgreSQL also ignores the pid of its parent.
 * The file is not removed: it names the shared memory by which PostgreSQL finds out whether processes of the dead
 * postmaster still write.
 */
function freePidFile(files: string): void {
  const file = join(files, "postmaster.pid");
  const text = readIfThere(file);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0) || process.platform === "win32") rmSync(file);
  else overwrite(file, text.replace(/^\d+/, String(process.pid)));
}

/** Overwrites the text in place: a full disk takes no text after a truncation. */
function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, "r+");
  try {
    ftruncateSync(descriptor, writeSync(descriptor, text));
  } finally {
    closeSync(descriptor);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isDiskFull(files: string): boolean {
  const { bavail, bsize } = statfsSync(files);
  return bavail * bsize < logSegmentBytes;
}

const fullDiskWords = (files: string) => `The disk of ${files} is full: free space.`;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

// Runs the real program as a child process, for tests that kill it, freeze its store, or stop it with a signal.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Onboarding } from "#/modules/clients/index.ts";
import { isAlive, processesIn } from "#/store/db/embedded/process-table.ts";
import { atEnd } from "./at-end.ts";
import { type Program, startProgram } from "./program.ts";
import { refuseStalls } from "./stalls.ts";
import { until } from "./until.ts";

const thisProgram = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

/**
 * A log line that must not occur while the store is available. Two seconds of silence are excluded: they are caused by
 * a busy machine.
 */
export const faultLine = /"level":"(?:error|fatal)"(?!.*"the database does not answer")/;

/**
 * The compiled code of the tests: the imports take 1.2 s of processor time with it, 2.0 s without. Another release lies
 * in a new folder in each run, and its code would stay in the cache for good.
 */
const { NODE_COMPILE_CACHE } = process.env;
const compiledCode = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** How a process ended, and the time since the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
}

export interface ServerProcess {
  readonly pid: number;
  readonly dataDir: string;
  /** Time from the start of the process to its first successful `/readyz`. */
  readonly readyMs: number;
  readonly url: string;
  /** Credentials of the demo client, as the program stores them. */
  readonly demo: Onboarding;
  /** Everything that it printed: the screen and the log. */
  output(): string;
  isRunning(): boolean;
  /** kill -9. */
  kill(): Promise<void>;
  /** Sends the signals in order, and waits for the end. */
  stop(...signals: NodeJS.Signals[]): Promise<Exit>;
}

const serversIn = new Map<string, readonly Program[]>();

/**
 * An empty data directory. At the end, it is removed, and the processes that still run in it are stopped. Call it at
 * the top of a file or in a test, not in a hook: its cleanup belongs to the file or the test.
 */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-fault-"));
  // Traversable by the unprivileged user that PostgreSQL runs as when the tests run as root.
  chmodSync(dataDir, 0o711);
  const endPostgres = () => {
    for (const pid of processesIn(filesOf(dataDir))) endProcess(pid);
  };
  process.once("exit", endPostgres);
  atEnd(async () => {
    await Promise.all((serversIn.get(dataDir) ?? []).map((server) => server.kill()));
    endPostgres();
    process.off("exit", endPostgres);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });
  return dataDir;
}

/** Starts the program and waits until it is ready. */
export async function startProcess(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const starting = spawnProcess(dataDir, environment);
  return starting.ready();
}

export interface StartingProcess {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  output(): string;
  /** @throws if the process ends instead, with its output */
  ready(): Promise<ServerProcess>;
  kill(): Promise<void>;
  stop(...signals: NodeJS.Signals[]): Promise<Exit>;
}

/** Removes settings that an earlier release does not know, because it rejects them. */
function knownTo(program: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (program === thisProgram) return environment;
  const known = readFileSync(path.join(path.dirname(program), "kernel/config/variables.ts"), "utf8");
  const isKnown = ([name]: [string, unknown]) => !name.startsWith("CROSSDOCK_") || known.includes(`"${name}"`);
  return Object.fromEntries(Object.entries(environment).filter(isKnown));
}

/** @param program main file, possibly of another release */
export function spawnProcess(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  program = thisProgram,
): StartingProcess {
  const startedMs = performance.now();
  const server = startProgram([process.execPath, program], {
    // Avoids reading the developer's .env.
    cwd: dataDir,
    env: knownTo(program, {
      PATH: process.env.PATH,
      ...(program === thisProgram ? compiledCode : {}),
      CROSSDOCK_DATA_DIR: dataDir,
      PORT: "0",
      CROSSDOCK_RATE_LIMIT: "off",
      CROSSDOCK_LOG: "stdout",
      CROSSDOCK_LOG_FORMAT: "json",
      CROSSDOCK_WAREHOUSE_SIM: "false",
      // The test oracles check all data of the demo client, so it must contain only what the tests have sent.
      CROSSDOCK_DEMO_HISTORY: "false",
      // A fixed port is free only for the first process.
      CROSSDOCK_SFTP_PORT: "off",
      ...environment,
    }),
  });
  serversIn.set(dataDir, [...(serversIn.get(dataDir) ?? []), server]);
  const { pid, ended, output, isRunning } = server;
  if (program === thisProgram) refuseStalls(output);

  const control = {
    pid,
    ended,
    output,
    async kill() {
      await server.kill();
    },
    async stop(...signals: NodeJS.Signals[]) {
      const beganMs = performance.now();
      for (const signal of signals) void server.kill(signal);
      const { code, signal } = await ended;
      return { code, signal, ms: performance.now() - beganMs };
    },
  };
  return {
    ...control,
    async ready() {
      const url = await until(
        "the program to be ready",
        async () => {
          assert(isRunning(), `the program ended:\n${output()}`);
          const shown = urlIn(output());
          return shown !== undefined && (await isReady(shown)) ? shown : undefined;
        },
        200_000,
      );
      const readyMs = performance.now() - startedMs;
      const demo = JSON.parse(readFileSync(path.join(dataDir, "demo-credentials.json"), "utf8")) as Onboarding;
      assert(!output().includes(demo.feed.apiKey), "what is written to a pipe holds no secret");
      return { ...control, dataDir, readyMs, url, demo, isRunning };
    },
  };
}

/** The address of a process that is ready, in its log; a release before 0.3 prints it in its greeting. */
export function urlIn(output: string): string | undefined {
  const [, logged, greeted] = /"url":"([^"]+)".*"msg":"ready"|^ {2}Health {3}(\S+)\/readyz$/m.exec(output) ?? [];
  return logged ?? greeted;
}

/** The place of SFTP and its first host key, as `urlIn`. */
export function sftpIn(output: string) {
  const logged = /"host":"([^"]+)","port":(\d+),"fingerprints":\["([^"]+)".*"msg":"SFTP is served"/.exec(output);
  const [, host, port, fingerprint] =
    logged ?? /^ {2}SFTP {5}sftp:\/\/([^:]+):(\d+), host key (SHA256:\S+)$/m.exec(output) ?? [];
  if (host === undefined || fingerprint === undefined) return undefined;
  return { host, port: Number(port), fingerprint };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.text();
  return response?.status === 200;
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function filesOf(dataDir: string): string {
  return path.join(dataDir, "postgres");
}

/** The embedded PostgreSQL of a data directory: its main process, and all its running processes. */
export function postgresOf(dataDir: string): { readonly postmaster: number | undefined; readonly all: number[] } {
  const pidFile = path.join(filesOf(dataDir), "postmaster.pid");
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, "utf8"), 10) : Number.NaN;
  return { postmaster: pid > 0 && isAlive(pid) ? pid : undefined, all: processesIn(filesOf(dataDir)) };
}

/** URL of the embedded database of a data directory, for direct access by a test. */
export function databaseUrlOf(dataDir: string): string {
  const credentials = JSON.parse(readFileSync(path.join(dataDir, "postgres-credentials.json"), "utf8")) as {
    application: string;
  };
  const port = readFileSync(path.join(dataDir, "postgres-port"), "utf8").trim();
  return `postgres://crossdock:${credentials.application}@127.0.0.1:${port}/crossdock`;
}

import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import path from "node:path";
import { setTimeout as sleep, setImmediate as tick } from "node:timers/promises";
import { prepareConsole } from "#/app/console-host/site.ts";
import { docsRoles, prepareDocs } from "#/app/docs-site/site.ts";
import { databaseFolder, openStore, startWithSpace, stopMsMax, stopUnusedStore } from "#/app/roles/store.ts";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { warningsOf } from "#/kernel/config/warnings.ts";
import { createLogger, type Logger } from "#/kernel/telemetry/log.ts";
import { type LogFile, openLogFile } from "#/kernel/telemetry/log-file.ts";
import { greet } from "#/sandbox/demo/greeting.ts";
import { noProgress, type StartStep, startProgress } from "#/sandbox/demo/start-progress.ts";
import type { Server } from "#/server.ts";

/** In a sandbox the log goes to a file so that the user sees the greeting. Elsewhere, it goes to standard output. */
function openLog({ dataDir, ...config }: Config): { readonly log: Logger; readonly logFile: string | undefined } {
  const { level, format } = config.log;
  if (config.log.destination === "stdout") return { log: createLogger({ level, format }), logFile: undefined };
  let file: LogFile;
  try {
    file = openLogFile(path.join(dataDir, "crossdock.log"));
  } catch (error) {
    const log = createLogger({ level, format });
    log.warn({ err: error }, "the log file cannot be opened: the log goes to standard output");
    return { log, logFile: undefined };
  }
  process.stdout.write(`Crossdock starts; the first start creates a database and a demo. Its log is ${file.path}\n`);
  return { log: createLogger({ level, format, destination: file, isColoured: false }), logFile: file.path };
}

function stepsOf({ seedDemo }: Pick<Config, "seedDemo">, roles: readonly RoleName[]): readonly StartStep[] {
  return [
    "database",
    "schema",
    ...(seedDemo ? (["demo"] as const) : []),
    "services",
    ...(roles.includes("console") ? (["console"] as const) : []),
  ];
}

/** @throws if every requested role is switched off: the process would do nothing and still report that it is ready. */
function refuseIdleRoles(config: Config, roles: ReadonlySet<RoleName>): void {
  const idle = new Map<RoleName, string>();
  if (config.sftp.port === "off") idle.set("sftp", "CROSSDOCK_SFTP_PORT is off; set it to a port");
  if (!config.warehouseSim.enabled) idle.set("warehouse-sim", "CROSSDOCK_WAREHOUSE_SIM is false; set it to true");
  if ([...roles].some((role) => !idle.has(role))) return;
  const why = [...roles].map((role) => `role ${role} has no work: ${idle.get(role)}`);
  throw new Error(why.join("; "));
}

/** For a PostgreSQL without users. Ctrl-C ends everything within five seconds, of which a failing start takes three. */
const unusedMs = 1_000;

/** Runs until a stop signal arrives. Used by `npm start` and `crossdock serve`. */
export async function serve(options: { readonly roles?: readonly RoleName[] } = {}): Promise<void> {
  const loaded = loadConfig(process.env, {
    cwd: process.cwd(),
    readFile: (path) => readFileSync(path, "utf8"),
    isTerminal: process.stdout.isTTY === true,
  });
  if (!loaded.ok) {
    process.stderr.write(`The configuration is wrong:\n${describeConfigFaults(loaded.fault)}\n`);
    process.exitCode = 1;
    return;
  }
  const config = loaded.value;
  const { log, logFile } = openLog(config);
  for (const { variable, text, advice } of warningsOf(config)) log.warn({ variable, advice }, text);
  const hurried = new AbortController();
  /** Ends the builds of the console and of the documentation, and the wait of a start for space. */
  const stopping = new AbortController();
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    // A Ctrl-C arrives twice, from the terminal and from the parent npm. The second signal changes nothing.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        stopping.abort();
        if (signal !== "SIGTERM") hurried.abort();
        resolve(signal);
      });
    }
  });
  // Runs concurrently with the start, so that the first start takes no longer.
  const roles = options.roles ?? config.roles;
  const preparing = roles.includes("console") ? prepareConsole(log, stopping.signal) : undefined;
  const isShown = logFile !== undefined && process.stdout.isTTY === true;
  const progress = isShown ? startProgress(stepsOf(config, roles)) : noProgress;
  const onFullDisk = (error: Error) => {
    progress.end();
    const folder = databaseFolder(config);
    log.error({ folder, err: error }, "the disk is full: the start waits for space");
    const disk = `the disk of ${folder ?? "the database"}`;
    process.stderr.write(`Crossdock waits for space, because ${disk} is full: ${error.message}\n`);
  };
  const start = async () => {
    const opening = openStore(config, log);
    opening.catch(() => {}); // the server reports it
    // PostgreSQL starts while this process loads most of its code, which lets nothing else run.
    await tick();
    const { startServer } = await import("#/server.ts");
    return startServer(config, log, { roles, progress, opening });
  };
  let server: Server;
  try {
    refuseIdleRoles(config, new Set(roles));
    server = await startWithSpace(start, onFullDisk, stopping.signal);
  } catch (error) {
    progress.end();
    process.stderr.write(`Crossdock cannot start: ${(error as Error).message}\n`);
    log.debug({ err: error }, "start failed");
    if (stopping.signal.aborted) {
      await stopUnusedStore(config, log, unusedMs).catch((error: Error) =>
        log.error({ err: error, part: "store" }, "a part did not stop cleanly"),
      );
    }
    process.exitCode = 1;
    return;
  }
  progress.begin("console");
  await preparing;
  progress.end();
  // A process that is stopped during its start has not received any requests yet, so it does not drain.
  const wasReady = !stopping.signal.aborted;
  greet(config, server, logFile);
  log.info({ url: server.url, roles: [...server.roles] }, "ready");
  // After the greeting, so that the first start takes no longer.
  if (docsRoles.some((role) => roles.includes(role))) void prepareDocs(log, stopping.signal);
  // Node writes its compile cache (NODE_COMPILE_CACHE) at the end of a process, which a killed one does not reach.
  flushCompileCache();
  const signal = await signalled;
  const { drainSeconds } = config;
  // Ctrl-C comes from a person at a terminal, where no load balancer needs time to react.
  if (signal === "SIGTERM" && wasReady && drainSeconds > 0) {
    log.info({ signal, drainSeconds }, "draining");
    server.drain();
    await sleep(drainSeconds * 1_000, undefined, { signal: hurried.signal }).catch(() => {});
  }
  log.info({ signal }, "stopping");
  const late = setTimeout(() => {
    log.error({ parts: server.ending() }, "a part did not stop in time");
    process.exit(1);
  }, stopMsMax);
  await server.stop();
  clearTimeout(late);
  log.info("stopped");
}

if (import.meta.main) await serve();

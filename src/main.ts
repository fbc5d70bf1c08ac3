import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareConsole } from "#/console-host/site.ts";
import { openDatabase } from "#/db/database.ts";
import { createMonthMaker } from "#/db/schema/missing-months.ts";
import { createStoreClock } from "#/db/store/clock.ts";
import { watchStore } from "#/db/store/health.ts";
import { listen } from "#/db/store/listener.ts";
import { greet } from "#/demo/greeting.ts";
import { aimDemoReceivers, registerDemoReceiver } from "#/demo/receiver-route.ts";
import { seedDemo } from "#/demo/seed.ts";
import { noProgress, type StartProgress, type StartStep, startProgress } from "#/demo/start-progress.ts";
import { docsRoles, prepareDocs } from "#/docs-site/site.ts";
import { createBodyBudget } from "#/http/server/body-budget.ts";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { warningsOf } from "#/kernel/config/warnings.ts";
import { createLogger, type Logger } from "#/kernel/telemetry/log.ts";
import { type LogFile, openLogFile } from "#/kernel/telemetry/log-file.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { changeChannel, createDirectory } from "#/modules/clients/index.ts";
import { createTaskWatch } from "#/modules/warehouse/index.ts";
import { createFeedStack, type FeedStack } from "#/roles/feed-stack.ts";
import { servesPaths, startHttp } from "#/roles/http.ts";
import { createOutboxNotice, outboxChannel } from "#/roles/outbox-notice.ts";
import { beginRestored, watchHolds } from "#/roles/restored.ts";
import { type SftpRole, servesSftp, startSftp } from "#/roles/sftp.ts";
import { startWithSpace } from "#/roles/start-with-space.ts";
import { bringUpToDate, databaseFolder, openStore } from "#/roles/store.ts";
import { createTaskNotice, taskChannel } from "#/roles/task-notice.ts";
import { startWorker } from "#/roles/worker.ts";
import { needsMasterKey, openSecretBox } from "#/secrets/open-secret-box.ts";
import { startTelemetry } from "#/telemetry/telemetry.ts";
import { startWarehouseSim, type WarehouseSim } from "#/warehouse-sim/index.ts";

/** Time limit for a clean shutdown, from the stop signal on. */
const stopMsMax = 5_000;
/** The part of that limit reserved for a fast shutdown of the embedded PostgreSQL, where a normal one takes longer. */
const hasteMs = 1_500;
const writingMsMin = 500;

export interface Server {
  /** Address of the HTTP listener. Every process serves its health endpoints there. */
  readonly url: string;
  readonly roles: ReadonlySet<RoleName>;
  /** Undefined if this process does not run the role. */
  readonly sftp: SftpRole | undefined;
  /** Undefined if this process does not run the role. */
  readonly warehouseSim: WarehouseSim | undefined;
  /**
   * Prepares for the stop: `/readyz` reports it, and each response closes its connection. New requests are still
   * served. Background work ends now, so that another process takes it over at once.
   */
  drain(): void;
  stop(): Promise<void>;
  /** Names of the parts that are stopping and have not stopped yet. */
  ending(): readonly string[];
}

/** Starts the roles of one process, from the store upwards. If a step fails, the parts already started are stopped. */
export async function startServer(
  config: Config,
  requestedRoles: readonly RoleName[] | undefined,
  log: Logger,
  progress: StartProgress = noProgress,
): Promise<Server> {
  const roles = new Set(requestedRoles ?? config.roles);
  refuseIdleRoles(config, roles);
  for (const { variable, text, advice } of warningsOf(config)) log.warn({ variable, advice }, text);
  const clock = createStoreClock({ onSkew: (skewMs, level) => logSkew(log, skewMs, level) });
  const ids = createIds(clock);
  const stops: (() => Promise<unknown>)[] = [];
  /** Parts that may take time to stop. They stop concurrently, while everything they depend on still runs. */
  const ends: (() => Promise<unknown>)[] = [];
  /** Parts that stop first, as soon as draining begins. */
  const first: (() => Promise<unknown>)[] = [];
  const ending = new Set<string>();
  /**
   * Returns a function that stops a part once, however often it is called. A part that fails to stop does not block the
   * others.
   */
  const named = (part: string, end: () => Promise<unknown>) => {
    let ended: Promise<unknown> | undefined;
    const begin = async () => {
      ending.add(part);
      await end().catch((error: Error) => log.error({ err: error, part }, "a part did not stop cleanly"));
      ending.delete(part);
    };
    return () => {
      ended ??= begin();
      return ended;
    };
  };
  let isDraining = false;
  const drain = () => {
    if (isDraining) return;
    isDraining = true;
    for (const end of first) void end();
    ends.push(...first);
  };
  let stopByMs = 0;
  const stop = async () => {
    stopByMs = performance.now() + stopMsMax;
    drain();
    for (let end = stops.pop(); end; end = stops.pop()) await end();
  };

  try {
    progress.begin("database");
    const store = await openStore(config, (line) => log.info({ part: "postgresql" }, line));
    const writingMs = () => Math.max(writingMsMin, stopByMs - hasteMs - performance.now());
    stops.push(named("store", () => store.close(writingMs())));
    progress.begin("schema");
    const { applied, ahead } = await bringUpToDate(store, clock, clock);
    if (applied.length > 0) log.info({ applied }, "the schema was migrated");
    if (ahead.length > 0) log.warn({ ahead }, "the schema is of a newer release with which this release can run");

    const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
    const connectionsMax = config.database.poolSize * roles.size;
    const database = openDatabase({
      url: store.url,
      connectionsMax,
      applicationName: "crossdock",
      onError,
      onNodesAway: (nodes) =>
        nodes.length > 0
          ? log.error({ nodes }, "nodes of the database do not answer: background work leaves out their clients")
          : log.info("all nodes of the database answer again"),
      isRowSecure: config.database.isRowSecure,
      hasClientNodes: config.database.hasClientNodes,
      onFailure: createMonthMaker(store.directUrl, log),
    });
    stops.push(named("database connections", () => database.close()));
    const health = watchStore(
      store.url,
      connectionsMax,
      (isDown, cause) =>
        isDown ? log.error({ err: cause }, "the database does not answer") : log.info("the database answers again"),
      clock,
    );
    stops.push(named("watch of the store", () => health.stop()));
    let feedStack: FeedStack | undefined;
    // Stops after every part that it reports on.
    const telemetry = await startTelemetry({
      config,
      database,
      connectionsMax,
      storeUrl: store.url,
      clock,
      log,
      isStoreDown: health.isDown,
      clockSkewMs: clock.skewMs,
      queuedDocuments: () => feedStack?.receiver.depth() ?? 0,
    });
    stops.push(named("telemetry", () => telemetry.stop()));

    const secretBox = needsMasterKey(roles) ? await openSecretBox(config, database) : undefined;
    // Runs before anything starts that could send, allocate or assign a number.
    if (config.restored !== undefined) {
      const companyPrefix = config.gs1Prefix;
      await beginRestored({ database, directUrl: store.directUrl, companyPrefix, clock, log }, config.restored);
    }
    const { isHeld, ...holds } = await watchHolds(database, log);
    stops.push(named("watch of holds", () => holds.stop()));
    const directory = createDirectory({ database, clock, environment: config.environment });
    const notice = createOutboxNotice(database, onError);
    stops.push(named("notices", () => notice.stop()));
    const hasSftp = servesSftp(config, roles);
    const takesDocuments = roles.has("feeds") || roles.has("worker") || roles.has("console") || hasSftp;
    const sets = createCarrierSets();
    feedStack = takesDocuments
      ? await createFeedStack({ database, clock, ids, sets, isStoreDown: health.isDown, onCommit: notice.send })
      : undefined;
    if (feedStack) stops.push(named("feed intake", feedStack.close));
    stops.push(() => Promise.all(ends.map((end) => end())));
    if (config.seedDemo && feedStack) {
      progress.begin("demo");
      await seedDemo({ config, database, clock, ids });
    }
    progress.begin("services");

    let sftp: SftpRole | undefined;
    let forgetKeys = () => {};
    let wakeTasks = () => {};
    const taskWatch = createTaskWatch();
    // A list that waits must not keep its connection open while the process drains.
    first.push(async () => taskWatch.end());
    const onNotice = (channel: string, payload: string) => {
      // The payload is empty after a reconnection, when notifications of any facility may have been lost.
      if (channel === taskChannel) {
        wakeTasks();
        return taskWatch.notify(payload);
      }
      if (channel === outboxChannel) return notice.notify();
      directory.clear();
      holds.refresh();
      forgetKeys();
      void sftp?.check();
    };
    const listener = listen(store.directUrl, [changeChannel, outboxChannel, taskChannel], onNotice, onError);
    stops.push(named("listener of notices", () => listener.stop()));

    const taskNotice = createTaskNotice(database, onError);
    stops.push(named("notices of tasks", () => taskNotice.stop()));
    const { bodyMemoryMiB } = config.http;
    const bodies = createBodyBudget(bodyMemoryMiB === undefined ? undefined : bodyMemoryMiB * 1024 * 1024);
    const http = await startHttp({
      config,
      roles,
      database,
      directory,
      sets,
      clock,
      ids,
      log,
      storeUrl: store.url,
      receiver: feedStack?.receiver,
      bodies,
      exposition: telemetry.exposition,
      sftpPort: () => sftp?.port,
      isReady: () => !health.isDown() && !isDraining,
      isDraining: () => isDraining,
      isHeld,
      taskWatch,
      onCommit: notice.send,
      onTasks: taskNotice.send,
      addSandboxRoutes: registerDemoReceiver,
    });
    ends.push(named("HTTP", () => http.stop()));
    forgetKeys = http.forgetKeys;
    // The demo's subscriptions deliver to this listener, which must exist before the worker sends anything.
    if (config.seedDemo && servesPaths(roles)) await aimDemoReceivers(database, config.http.baseUrl ?? http.url);
    if (roles.has("worker") && feedStack && secretBox) {
      const worker = startWorker({
        database,
        directUrl: store.directUrl,
        clock,
        isClockRight: clock.isRight,
        aheadUntilMs: clock.aheadUntilMs,
        ids,
        log,
        receiver: feedStack.receiver,
        findClient: directory.findClient,
        mail: config.mail,
        webhooks: config.webhooks,
        isHeld,
        onTasks: taskNotice.send,
        sets,
        secretBox,
      });
      notice.wakeLocally(worker.wake);
      wakeTasks = worker.wakeTasks;
      first.push(
        named("worker", () => {
          // From now on, new events are left to the relays of other processes.
          notice.wakeLocally(undefined);
          wakeTasks = () => {};
          return worker.stop();
        }),
      );
    }
    if (hasSftp && feedStack) {
      const { receiver } = feedStack;
      sftp = await startSftp({ config, database, directory, receiver, clock, ids, log, isHeld });
      ends.push(named("SFTP", sftp.stop));
    }
    const warehouseSim =
      roles.has("warehouse-sim") && config.warehouseSim.enabled
        ? await startWarehouseSim({ config, database, clock, ids, log, isHeld, ...portOf(config, roles, http.url) })
        : undefined;
    if (warehouseSim) {
      const end = named("warehouse-sim", () => warehouseSim.stop());
      first.unshift(end);
      // Stops before the others, so that its last reports are still answered.
      stops.push(end);
    }
    return { url: http.url, roles, sftp, warehouseSim, drain, stop, ending: () => [...ending] };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ids, token times and log times come from this machine's clock, so an operator must correct it. */
function logSkew(log: Logger, skewMs: number, level: "right" | "off" | "stopped"): void {
  const seconds = Math.round(skewMs / 100) / 10;
  if (level === "right") log.info({ seconds }, "the clock of this machine is right again");
  else if (level === "off") log.warn({ seconds }, "the clock of this machine differs from the database's");
  else log.error({ seconds }, "the clock of this machine is wrong: timed work does not run here");
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

/**
 * URLs at which the simulated warehouse reaches the port and its token endpoint: this process's listener if it runs the
 * roles, else the public address. The public address also takes precedence over a TLS listener, because its certificate
 * names the public host.
 */
function portOf({ http }: Config, roles: ReadonlySet<RoleName>, listener: string) {
  const portFor = (role: RoleName) => (roles.has(role) ? listener : undefined);
  const portUrl = (http.tls && http.baseUrl) ?? portFor("api") ?? http.baseUrl;
  const authUrl = (http.tls && http.authUrl) ?? portFor("auth") ?? http.authUrl ?? portUrl;
  if (portUrl === undefined || authUrl === undefined) {
    throw new Error("role warehouse-sim uses the port: it needs the role api in this process, or CROSSDOCK_BASE_URL");
  }
  return { portUrl, authUrl };
}

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
  let server: Server;
  try {
    server = await startWithSpace(() => startServer(config, options.roles, log, progress), onFullDisk, stopping.signal);
  } catch (error) {
    progress.end();
    process.stderr.write(`Crossdock cannot start: ${(error as Error).message}\n`);
    log.debug({ err: error }, "start failed");
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

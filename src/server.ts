import { createFeedStack, type FeedStack } from "#/app/roles/feed-stack.ts";
import { servesPaths, startHttp } from "#/app/roles/http.ts";
import { createOutboxNotice, createTaskNotice, outboxChannel, taskChannel } from "#/app/roles/notices.ts";
import { beginRestored, watchHolds } from "#/app/roles/restored.ts";
import { type SftpRole, servesSftp, startSftp } from "#/app/roles/sftp.ts";
import { bringUpToDate, openStore, type Store, stopMsMax } from "#/app/roles/store.ts";
import { startWorker } from "#/app/roles/worker.ts";
import { needsMasterKey, openSecretBox } from "#/app/secrets/open-secret-box.ts";
import { startTelemetry } from "#/app/telemetry/telemetry.ts";
import { createBodyBudget } from "#/http/server/body-budget.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { changeChannel, createDirectory } from "#/modules/clients/index.ts";
import { createTaskWatch } from "#/modules/warehouse/index.ts";
import { aimDemoSource, demoTrackingSecret, registerDemoLabelCarrier } from "#/sandbox/demo/label-carrier.ts";
import { aimDemoReceivers, registerDemoReceiver } from "#/sandbox/demo/receivers.ts";
import { seedDemo } from "#/sandbox/demo/seed.ts";
import { noProgress, type StartProgress } from "#/sandbox/demo/start-progress.ts";
import { startWarehouseSim, type WarehouseSim } from "#/sandbox/simulator/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { createMonthMaker } from "#/store/db/schema/partitions.ts";
import { createStoreClock } from "#/store/db/store/clock.ts";
import { watchStore } from "#/store/db/store/health.ts";
import { listen } from "#/store/db/store/listener.ts";

/** The part of a stop's time reserved for a fast shutdown of the embedded PostgreSQL, where a normal one takes longer. */
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

export interface StartOptions {
  /** The roles of the process; those of the configuration by default. */
  readonly roles?: readonly RoleName[] | undefined;
  readonly progress?: StartProgress;
  /** The store, if it is being opened already. The server closes it. */
  readonly opening?: Promise<Store>;
}

/** Starts the roles of one process, from the store upwards. If a step fails, the parts already started are stopped. */
export async function startServer(config: Config, log: Logger, options: StartOptions = {}): Promise<Server> {
  const { progress = noProgress, opening = openStore(config, log) } = options;
  const roles = new Set(options.roles ?? config.roles);
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
    const store = await opening;
    const writingMs = () => Math.max(writingMsMin, stopByMs - hasteMs - performance.now());
    stops.push(named("store", () => store.close(writingMs())));
    progress.begin("schema");
    const { applied, ahead, isFinalized } = await bringUpToDate(store, clock, clock);
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
      writesPacked: isFinalized,
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
    const takesDocuments =
      roles.has("feeds") || roles.has("api") || roles.has("worker") || roles.has("console") || hasSftp;
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
    let wakeTasks: (facilityCode?: string) => void = () => {};
    const taskWatch = createTaskWatch();
    // A list that waits must not keep its connection open while the process drains.
    first.push(async () => taskWatch.end());
    const onNotice = (channel: string, payload: string) => {
      // The payload is empty after a reconnection, when notifications of any facility may have been lost.
      if (channel === taskChannel) {
        wakeTasks(payload || undefined);
        return taskWatch.notify(payload);
      }
      if (channel === outboxChannel) return notice.notify(payload || undefined);
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
    const trackingSecrets = config.seedDemo ? { generic: [demoTrackingSecret] } : {};
    const http = await startHttp({
      config: { ...config, trackingSecrets: { ...trackingSecrets, ...config.trackingSecrets } },
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
      addSandboxRoutes(app) {
        registerDemoReceiver(app);
        registerDemoLabelCarrier(app, () => http.url);
      },
    });
    ends.push(named("HTTP", () => http.stop()));
    forgetKeys = http.forgetKeys;
    // The demo's subscriptions deliver to this listener, which must exist before the worker sends anything.
    if (config.seedDemo && servesPaths(roles)) {
      await aimDemoReceivers(database, config.http.baseUrl ?? http.url);
      await aimDemoSource(database, config.http.baseUrl ?? http.url, new Date(clock.now()).toISOString());
    }
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
        consoleUrl: () => config.http.baseUrl ?? http.url,
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

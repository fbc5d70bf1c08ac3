import { readFileSync } from "node:fs";
import { openDatabase } from "#/db/database.ts";
import { listen } from "#/db/listener.ts";
import { watchStore } from "#/db/store-health.ts";
import { systemClock } from "#/kernel/clock.ts";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config.ts";
import { createIds } from "#/kernel/ids.ts";
import { createLogger, type Logger } from "#/kernel/log.ts";
import type { RoleName } from "#/kernel/role-names.ts";
import { createSecretBox } from "#/kernel/secret-box.ts";
import { changeChannel, createDirectory } from "#/modules/clients/index.ts";
import { createFeedStack } from "#/roles/feed-stack.ts";
import { greet } from "#/roles/greeting.ts";
import { startHttp } from "#/roles/http.ts";
import { masterKeyOf } from "#/roles/master-key.ts";
import { createOutboxNotice, outboxChannel } from "#/roles/outbox-notice.ts";
import { seedDemo } from "#/roles/seed.ts";
import { type SftpRole, servesSftp, startSftp } from "#/roles/sftp.ts";
import { bringUpToDate, openStore } from "#/roles/store.ts";
import { startWarehouseSim, type WarehouseSim } from "#/roles/warehouse-sim/index.ts";
import { startWorker } from "#/roles/worker.ts";

/** The roles that this release has; the others of operations.md §4 are refused when they are asked for by name. */
const builtRoles: readonly RoleName[] = ["api", "feeds", "auth", "worker", "sftp", "warehouse-sim"];
const httpRoles: readonly RoleName[] = ["api", "feeds", "auth"];

/** After the first signal the program has this long to end by itself. */
const stopMsMax = 5_000;

export interface Server {
  /** Address of the HTTP listener; undefined for a process without one. */
  readonly url: string | undefined;
  /** Undefined for a process without one. */
  readonly sftp: SftpRole | undefined;
  /** Undefined for a process without one. */
  readonly warehouseSim: WarehouseSim | undefined;
  stop(): Promise<void>;
}

/** Starts the roles of one process, from the store upwards. Whatever was started is stopped when a later step fails. */
export async function startServer(
  config: Config,
  asked: readonly RoleName[] | undefined,
  log: Logger,
): Promise<Server> {
  const missing = asked?.filter((role) => !builtRoles.includes(role)) ?? [];
  if (missing.length > 0)
    throw new Error(`role ${missing.join(", ")} is not part of this release; it has ${builtRoles.join(", ")}`);
  const roles = new Set((asked ?? config.roles).filter((role) => builtRoles.includes(role)));
  const clock = systemClock;
  const ids = createIds(clock);
  const stops: (() => Promise<unknown>)[] = [];
  const onStopError = (error: Error) => log.error({ err: error }, "a part did not stop cleanly");
  const stop = async () => {
    for (let end = stops.pop(); end; end = stops.pop()) await end().catch(onStopError);
  };

  try {
    const store = await openStore(config, (line) => log.info({ part: "postgresql" }, line));
    stops.push(() => store.close());
    const { applied } = await bringUpToDate(store, clock);
    if (applied.length > 0) log.info({ applied }, "the schema was brought up to date");

    const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
    const connectionsMax = config.database.poolSize * roles.size;
    const database = openDatabase({ url: store.url, connectionsMax, applicationName: "crossdock", onError });
    stops.push(() => database.close());
    const health = watchStore(store.url, (isDown, cause) =>
      isDown ? log.error({ err: cause }, "the store does not answer") : log.info("the store answers again"),
    );
    stops.push(() => health.stop());

    const directory = createDirectory({ database, clock, environment: config.environment });
    const notice = createOutboxNotice(database, onError);
    stops.push(() => notice.stop());
    const hasSftp = servesSftp(config, roles);
    const takesDocuments = roles.has("feeds") || roles.has("worker") || hasSftp;
    const feedStack = takesDocuments
      ? await createFeedStack({ database, clock, ids, isStoreDown: health.isDown, onCommit: notice.send })
      : undefined;
    if (feedStack) stops.push(() => feedStack.close());
    // What may take its time to end does so together, while all that it needs is still there.
    const ends: (() => Promise<unknown>)[] = [];
    stops.push(() => Promise.all(ends.map((end) => end().catch(onStopError))));
    if (config.seedDemo && feedStack) await seedDemo({ config, database, clock, ids, receiver: feedStack.receiver });

    if (roles.has("worker") && feedStack) {
      const worker = startWorker({
        database,
        directUrl: store.directUrl,
        clock,
        ids,
        log,
        receiver: feedStack.receiver,
        findClient: directory.findClient,
        mail: config.mail,
        webhooks: config.webhooks,
        secretBox: createSecretBox(masterKeyOf(config), config.secretPrevious),
      });
      notice.wakeLocally(worker.wake);
      ends.push(() => worker.stop());
    }
    let sftp: SftpRole | undefined;
    const hear = (channel: string) => {
      if (channel !== changeChannel) return notice.heard();
      directory.clear();
      void sftp?.check();
    };
    const listener = listen(store.directUrl, [changeChannel, outboxChannel], hear, onError);
    stops.push(() => listener.stop());

    const hasHttp = httpRoles.some((role) => roles.has(role));
    const http = hasHttp
      ? await startHttp({
          ...{ config, roles, database, directory, clock, ids, log },
          receiver: feedStack?.receiver,
          isReady: () => !health.isDown(),
          onCommit: notice.send,
        })
      : undefined;
    if (http) ends.push(() => http.stop());
    if (hasSftp && feedStack) {
      const { receiver } = feedStack;
      sftp = await startSftp({ config, database, directory, receiver, clock, ids, log });
      ends.push(sftp.stop);
    }
    const warehouseSim =
      roles.has("warehouse-sim") && config.warehouseSim.enabled
        ? await startWarehouseSim({ config, database, clock, ids, log, ...portOf(config, roles, http?.url) })
        : undefined;
    // First to go: its last reports are still answered.
    if (warehouseSim) stops.push(() => warehouseSim.stop());
    return { url: http?.url, sftp, warehouseSim, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Where the simulated warehouse finds the port and its token: on this process's listener if it has the roles, else at the
 * public address. That also goes before a listener with TLS, whose certificate is for the public name.
 */
function portOf({ http }: Config, roles: ReadonlySet<RoleName>, listener: string | undefined) {
  const own = (role: RoleName) => (roles.has(role) ? listener : undefined);
  const portUrl = (http.tls && http.baseUrl) ?? own("api") ?? http.baseUrl;
  const authUrl = (http.tls && http.authUrl) ?? own("auth") ?? http.authUrl ?? portUrl;
  if (portUrl === undefined || authUrl === undefined) {
    throw new Error(
      "role warehouse-sim works through the port: beside it the role api is needed, or CROSSDOCK_BASE_URL",
    );
  }
  return { portUrl, authUrl };
}

/** Runs until it is told to stop. What `npm start` and `crossdock serve` run. */
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
  const log = createLogger(config.log);
  const told = new Promise<NodeJS.Signals>((resolve) => {
    // A Ctrl-C reaches us twice, from the terminal and from the npm above: the second one changes nothing.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
  });
  const starting = startServer(config, options.roles, log);
  let server: Server;
  try {
    server = await starting;
  } catch (error) {
    process.stderr.write(`Crossdock cannot start: ${(error as Error).message}\n`);
    log.debug({ err: error }, "start failed");
    process.exitCode = 1;
    return;
  }
  if (server.url !== undefined || server.sftp) greet(config, server);
  const signal = await told;
  log.info({ signal }, "stopping");
  const late = setTimeout(() => {
    log.error("a part did not stop in time");
    process.exit(1);
  }, stopMsMax);
  await server.stop();
  clearTimeout(late);
  log.info("stopped");
}

if (import.meta.main) await serve();

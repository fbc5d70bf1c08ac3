// The embedded PostgreSQL: one database for a data directory, shared by all processes that use that directory. The
// first process starts it, and the last one stops it (docs/decisions/0002-embedded-postgresql.md).
import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "#/kernel/assert.ts";
import { type Account, postgresAccount } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type Credentials, defaultSettings, isClusterMade, loadOrMakeCredentials, makeCluster } from "./cluster.ts";
import { type HeldLock, tryExclusive, tryShared, withLock } from "./lock.ts";
import { type Place, pickPort, preparePlace, rememberedPort, rememberPort } from "./place.ts";
import {
  becomesReady,
  findPostmaster,
  type Postmaster,
  StartFailure,
  startPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { isAlive, processesIn } from "./process-table.ts";

const lockMsMax = 150_000; // longer than the longest start
const watchMs = 1_000;
const leftoversMsMax = 15_000;
const patienceMsDefault = 10_000;

export interface EmbeddedServer {
  /** `postgres://crossdock:…@127.0.0.1:PORT/crossdock`; stays the same for the life of this process. */
  readonly url: string;
  /** Process id of PostgreSQL's main process. It changes when PostgreSQL dies and is restarted. */
  readonly pid: number;
  /** Whether PostgreSQL was already running: started by another process, or left over by a killed one. */
  readonly adopted: boolean;
  /**
   * Leaves; the last user of the data directory stops PostgreSQL. May be called more than once.
   * @param patienceMs for PostgreSQL's last checkpoint; without it PostgreSQL ends too, and the next start replays its
   * log
   */
  stop(patienceMs?: number): Promise<void>;
}

export interface EmbeddedOptions {
  /** CROSSDOCK_DATA_DIR; created where it is missing. */
  readonly dataDir: string;
  /** PostgreSQL settings that override the defaults, for a server that this call starts. */
  readonly settings?: Record<string, string>;
  /** Receives events of PostgreSQL as whole sentences. */
  readonly log?: (line: string) => void;
}

/**
 * Uses the data directory's PostgreSQL. Starts it where it is not running, and keeps it running until `stop()`.
 * @throws when PostgreSQL does not start; the message says why and what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const host = hostOf(options);
  const { place, log } = host;
  const { postmaster, adopted, credentials, share } = await withLock(place.lock, lockMsMax, () => join(host));
  log(
    `PostgreSQL ${adopted ? "was running already" : "has started"} on port ${postmaster.port} (process ${postmaster.pid}).`,
  );
  const watch = watchOver(host, postmaster);
  let stopped: Promise<void> | undefined;
  return {
    url: `postgres://crossdock:${credentials.application}@127.0.0.1:${postmaster.port}/crossdock`,
    get pid() {
      return watch.pid();
    },
    adopted,
    stop(patienceMs = patienceMsDefault) {
      stopped ??= watch.end().then(() => withLock(place.lock, lockMsMax, () => leave(host, share, patienceMs)));
      return stopped;
    },
  };
}

/**
 * Stops the PostgreSQL that a failed start has left running, unless another process uses it. A start on a full disk
 * leaves it running, so that its recovery goes on while the start is tried again.
 * @throws when another process starts or stops it for longer than `patienceMs`
 */
export async function stopUnused(options: EmbeddedOptions, patienceMs: number): Promise<void> {
  const host = hostOf(options);
  await withLock(host.place.lock, patienceMs, () => stopWithoutUsers(host, patienceMs));
}

function hostOf({ dataDir, settings = {}, log = () => {} }: EmbeddedOptions): Host {
  const account = postgresAccount();
  const place = preparePlace(dataDir, account);
  const binaries = findBinaries(account, place.copies);
  return { place, account, binaries, settings: { ...defaultSettings(), ...settings }, log };
}

interface Host {
  readonly place: Place;
  readonly account: Account;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

interface Joined {
  readonly postmaster: Postmaster;
  readonly adopted: boolean;
  readonly credentials: Credentials;
  readonly share: HeldLock;
}

/** The caller holds the lock. Joins the users, and makes sure that PostgreSQL is running. */
async function join(host: Host): Promise<Joined> {
  const { place, binaries, account, log } = host;
  const share = tryShared(place.users);
  assert(share, "users are only counted under the start lock");
  try {
    const credentials = loadOrMakeCredentials(place);
    if (!isClusterMade(place)) {
      log(`Creating a database in ${place.files}.`);
      await makeCluster(place, binaries, account, credentials);
    }
    const { postmaster, adopted } = await adoptOrStart(host);
    return { postmaster, adopted, credentials, share };
  } catch (error) {
    share.release();
    throw error;
  }
}

/** The caller holds the lock. Leaves the users, and stops PostgreSQL when no other user is left. */
async function leave(host: Host, share: HeldLock, patienceMs: number): Promise<void> {
  share.release();
  await stopWithoutUsers(host, patienceMs);
}

/** The caller holds the lock. */
async function stopWithoutUsers({ place, binaries, log }: Host, patienceMs: number): Promise<void> {
  const exclusiveLock = tryExclusive(place.users);
  if (!exclusiveLock) return;
  try {
    const isWritten = await stopPostmaster(place.files, binaries, patienceMs);
    log(
      isWritten
        ? "PostgreSQL has stopped."
        : "PostgreSQL stopped without its last checkpoint, because the disk was too busy: the next start replays its log.",
    );
  } finally {
    exclusiveLock.release();
  }
}

/**
 * The caller holds the lock. Returns the running postmaster, or starts a new one.
 * @param portToKeep the port that the clients of this process already use; without it, a taken port is replaced by
 * another
 */
async function adoptOrStart(host: Host, portToKeep?: number): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const { files, port: portFile } = host.place;
  let port = portToKeep ?? rememberedPort(portFile) ?? (await pickPort());
  for (const startedAtMs = Date.now(); ; ) {
    const living = findPostmaster(files);
    if (living && (await becomesReady(files, living.pid))) return { postmaster: living, adopted: true };
    try {
      const postmaster = await startPostmaster({ ...host, port });
      if (port !== rememberedPort(portFile)) rememberPort(portFile, port);
      return { postmaster, adopted: false };
    } catch (error) {
      const failure = error instanceof StartFailure ? error : undefined;
      if (failure?.isMemoryInUse && Date.now() - startedAtMs < leftoversMsMax) await endLeftovers(files, startedAtMs);
      else if (failure?.isPortTaken && portToKeep === undefined) port = await pickPort();
      else throw error;
    }
  }
}

/**
 * Processes of a killed postmaster end by themselves as soon as they check for its death. A process that does not end
 * within a second is killed: no client receives its result, and the coming crash recovery undoes what it has not
 * committed.
 */
async function endLeftovers(files: string, sinceMs: number): Promise<void> {
  await sleep(100);
  if (Date.now() - sinceMs < 1_000) return;
  for (const pid of processesIn(files)) process.kill(pid, "SIGKILL");
}

/**
 * Restarts PostgreSQL when it dies while this process uses it, no matter which process started it, on the port that the
 * clients know.
 */
function watchOver(host: Host, first: Postmaster): { pid(): number; end(): Promise<void> } {
  let { pid } = first;
  let revival: Promise<void> | undefined;
  let failuresInARow = 0;
  const revive = async () => {
    try {
      const { postmaster } = await withLock(host.place.lock, lockMsMax, () => adoptOrStart(host, first.port));
      assert(
        postmaster.port === first.port,
        `PostgreSQL has moved from port ${first.port} to ${postmaster.port}: restart this process`,
      );
      pid = postmaster.pid;
      failuresInARow = 0;
      host.log(`PostgreSQL runs again (process ${pid}).`);
    } catch (error) {
      failuresInARow++;
      host.log(`PostgreSQL could not be restarted; the next attempt follows. ${(error as Error).message}`);
      await sleep(Math.min(500 * failuresInARow, 5_000));
    }
  };
  const timer = setInterval(() => {
    if (revival || isAlive(pid)) return;
    host.log(`PostgreSQL (process ${pid}) has died; restarting it.`);
    revival = revive().finally(() => {
      revival = undefined;
    });
  }, watchMs).unref();
  return {
    pid: () => pid,
    async end() {
      clearInterval(timer);
      await revival;
    },
  };
}

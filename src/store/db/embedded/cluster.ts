// The database cluster. initdb creates it with its roles and its database in a separate folder, and one rename puts it
// in place. A crash at any moment therefore leaves either no database or a complete one.
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { clientRole } from "#/store/db/schema/row-security.ts";
import { type Account, giveTo, spawnOptions } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Place } from "./place.ts";

// The passwords of PostgreSQL's two roles, created once and stored next to the database.

/** 256 random bits each, in characters that need no quoting in SQL or in a URL. */
export interface Credentials {
  /** Password of `postgres`, PostgreSQL's superuser: for an operator with a problem, never used by the program. */
  readonly superuser: string;
  /** Password of `crossdock`, which owns the database and nothing else. */
  readonly application: string;
}

/** @throws when a database exists, but its passwords are gone */
export function loadOrMakeCredentials({ credentials, files }: Place): Credentials {
  if (existsSync(credentials)) return JSON.parse(readFileSync(credentials, "utf8")) as Credentials;
  if (existsSync(files)) {
    throw new Error(
      `${credentials} is missing, without which the database in ${files} cannot be opened: restore it from a backup, or move both away to start with an empty database`,
    );
  }
  const made = { superuser: randomBytes(32).toString("base64url"), application: randomBytes(32).toString("base64url") };
  const unfinished = `${credentials}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, credentials);
  return made;
}

const runFile = promisify(execFile);

export function isClusterMade(place: Place): boolean {
  return existsSync(place.files);
}

/** The caller holds the place's lock, and no cluster exists yet. */
export async function makeCluster(
  place: Place,
  binaries: Binaries,
  account: Account,
  credentials: Credentials,
): Promise<void> {
  removeUnfinished(place);
  const folder = `${place.files}.${randomBytes(4).toString("hex")}.new`;
  mkdirSync(folder, { mode: 0o700 });
  giveTo(account, folder);
  try {
    await initialise(folder, binaries, account);
    await makeRolesAndDatabase(folder, binaries, account, credentials);
    closeToStrangers(folder);
    await runFile(binaries.initdb, ["--sync-only", "-D", folder], spawnOptions(account));
    renameSync(folder, place.files);
    makeRenameDurable(dirname(place.files));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    const { stderr } = error as { stderr?: string };
    throw new Error(`the database could not be created in ${place.files}: ${stderr || (error as Error).message}`, {
      cause: error,
    });
  }
}

/** Without this fsync, a power failure could undo the rename, and lose every order of the first minutes with it. */
function makeRenameDurable(parent: string): void {
  if (process.platform === "win32") return; // folders cannot be synchronised there
  const descriptor = openSync(parent, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Removes what a killed start has left. Its initdb may still be running, so a failure to remove it does not matter. */
function removeUnfinished({ files }: Place): void {
  const unfinished = new RegExp(`^${basename(files)}\\.[0-9a-f]{8}\\.new$`);
  for (const name of readdirSync(dirname(files)).filter((name) => unfinished.test(name))) {
    try {
      rmSync(join(dirname(files), name), { recursive: true, force: true });
    } catch {
      // The next start finds it again.
    }
  }
}

/**
 * PostgreSQL's builtin provider collates by code point. The machine's locales, which may be broken or updated, have no
 * effect.
 */
async function initialise(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8"];
  // "trust" is replaced before the database is first started; --no-sync because everything is synchronised at the end.
  const args = ["-D", folder, "-U", "postgres", "--auth=trust", "--no-sync", "--no-instructions", ...locale];
  await runFile(binaries.initdb, args, spawnOptions(account));
}

/** Single-user mode needs neither a port nor a password, and no other connection can reach the database meanwhile. */
async function makeRolesAndDatabase(
  folder: string,
  binaries: Binaries,
  account: Account,
  credentials: Credentials,
): Promise<void> {
  const statements = [
    `alter role postgres password '${credentials.superuser}'`,
    // createdb lets tests clone template databases.
    `create role crossdock login nosuperuser createdb password '${credentials.application}'`,
    "create database crossdock owner crossdock",
    // The application may not create roles.
    `create role ${clientRole} nologin`,
    `grant ${clientRole} to crossdock`,
  ];
  const child = spawn(binaries.postgres, ["--single", "-F", "-D", folder, "postgres"], {
    ...spawnOptions(account),
    stdio: ["pipe", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  child.stdin.end(statements.map((statement) => `${statement};\n`).join(""));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // Single-user mode reports a failed statement and continues.
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(complaints)) throw new Error(`exit code ${code}: ${complaints}`);
}

function closeToStrangers(folder: string): void {
  const file = join(folder, "pg_hba.conf");
  writeFileSync(
    file,
    "# Made by Crossdock: this machine only, and only with a password.\nhost all all 127.0.0.1/32 scram-sha-256\n",
  );
  chmodSync(file, 0o600);
}

// PostgreSQL's settings for the default of one node on one machine. They are passed on the command line, so that a new
// release also changes them for existing databases. The caller's settings come last.

const mebibyte = 2 ** 20;

export function defaultSettings(): Record<string, string> {
  const memoryBytes = totalmem();
  const sharedBuffersMb = Math.round(Math.max(32, Math.min(1024, memoryBytes / mebibyte / 8)));
  return {
    cluster_name: "crossdock", // distinguishes these processes from other PostgreSQL servers in `ps`

    // Only this machine connects, and only over TCP: the path of a socket has to be short and writable.
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100", // seven roles with ten connections each, and room for the command line

    // Acknowledged data is on disk.
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",

    // At most an eighth of the memory, because Node, and perhaps a desktop, run on the same machine.
    shared_buffers: `${sharedBuffersMb}MB`,
    effective_cache_size: `${Math.round(Math.max(128, memoryBytes / mebibyte / 2))}MB`,
    maintenance_work_mem: "64MB",

    // After a crash, PostgreSQL replays the log since the last checkpoint. At this bound the replay takes seconds, and
    // the service resumes soon. Compressed page images make that bound go further.
    max_wal_size: "1GB",
    wal_compression: "on",

    // The background writer writes pages ahead of need. With the defaults, a busy hour's inserts find only dirty
    // buffers, and write those out themselves while a sender waits.
    bgwriter_delay: "50ms",
    bgwriter_lru_maxpages: "1000",
    bgwriter_lru_multiplier: "4",

    random_page_cost: "1.1", // on solid-state disks a random read costs hardly more than a sequential one
    jit: "off", // compilation costs more than these short statements take

    // People anywhere read the logs, and this program reads them when a start fails.
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_line_prefix: "%m [%p] ",
  };
}

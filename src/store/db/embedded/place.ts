// The location of the database files: the data directory, or a folder below /var/lib where PostgreSQL's account has no
// access to the data directory (contract/operations.md §3, CROSSDOCK_DATA_DIR).
import { randomInt } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Account, canEnter } from "./account.ts";

const sharedFolder = "/var/lib/crossdock";

export interface Place {
  /** The data directory, absolute and without symbolic links, so that every process uses the same spelling. */
  readonly dataDir: string;
  /** The folder that initdb creates; it need not exist yet. */
  readonly files: string;
  /** Folder for copies of PostgreSQL's programs. */
  readonly copies: string;
  readonly log: string;
  readonly credentials: string;
  readonly port: string;
  /** Held by the process that starts or stops PostgreSQL. */
  readonly lock: string;
  /** Shared by all processes that use PostgreSQL. The process that gets it exclusively is the last. */
  readonly users: string;
}

/**
 * Creates the data directory where it is missing.
 * @throws when the database of this data directory belongs to another user of the machine or has become unreachable
 */
export function preparePlace(dataDirAsGiven: string, account: Account): Place {
  const dataDir = makeDataDir(dataDirAsGiven, account);
  const isRoot = account.uid !== undefined;
  return {
    dataDir,
    files: findFiles(dataDir, account),
    copies: isRoot ? sharedFolder : dataDir,
    log: join(dataDir, "postgres.log"),
    credentials: join(dataDir, "postgres-credentials.json"),
    port: join(dataDir, "postgres-port"),
    lock: join(dataDir, "postgres-start.lock"),
    users: join(dataDir, "postgres-users.lock"),
  };
}

function makeDataDir(dataDir: string, account: Account): string {
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true });
    // As root, PostgreSQL's account may pass through the directory, but no other account may list it. Every secret in
    // it has its own mode.
    chmodSync(dataDir, account.uid === undefined ? 0o700 : 0o711);
  }
  return realpathSync(dataDir);
}

const nameFileOf = (dataDir: string) => join(dataDir, "postgres-name");

/** The folder of the database files of a data directory, if they are made. */
export function filesOf(dataDir: string): string {
  const nameFile = nameFileOf(dataDir);
  return existsSync(nameFile) ? join(sharedFolder, readFileSync(nameFile, "utf8").trim()) : join(dataDir, "postgres");
}

function findFiles(dataDir: string, account: Account): string {
  const files = filesOf(dataDir);
  const nameFile = nameFileOf(dataDir);
  const isRoot = account.uid !== undefined;

  if (existsSync(nameFile)) {
    if (!isRoot) {
      throw new Error(
        `the database of ${dataDir} is in ${files}, because root created it: start as root, or set another CROSSDOCK_DATA_DIR`,
      );
    }
    makeSharedFolder();
    return files;
  }
  if (!isRoot || canEnter(account, dataDir)) return files;
  if (existsSync(files)) {
    throw new Error(
      `${files} is not accessible to PostgreSQL's user ${account.uid}: allow it to pass ("chmod o+x" on the folders above)`,
    );
  }
  makeSharedFolder();
  const name = inventName();
  // Written to a temporary file and renamed, because a name that a crash truncates points to another database.
  writeFileSync(`${nameFile}.new`, `${name}\n`);
  renameSync(`${nameFile}.new`, nameFile);
  return join(sharedFolder, name);
}

function makeSharedFolder(): void {
  if (mkdirSync(sharedFolder, { recursive: true }) !== undefined) chmodSync(sharedFolder, 0o755);
}

/** A name that can be read out on the telephone, such as `rusobe-miladu`; 2 × 10^11 of them. */
function inventName(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const syllable = () => pick("bdfgklmnprstvwz") + pick("aeiou");
  const word = () => syllable() + syllable() + syllable();
  return `${word()}-${word()}`;
}

// The port of the embedded PostgreSQL: picked at the first start, then remembered, so that a tool configured with it
// still finds it.

/**
 * Below the ranges from which systems take the ports of outgoing connections, so that no such port causes a conflict.
 */
const lowest = 15_432;
const beyond = 32_000;

export function rememberedPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function rememberPort(file: string, port: number): void {
  writeFileSync(`${file}.new`, `${port}\n`);
  renameSync(`${file}.new`, file);
}

export async function pickPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, beyond);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${beyond} on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

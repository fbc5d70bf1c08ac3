// Where the database files lie: in the data directory, or below /var/lib where the data directory is closed to
// PostgreSQL's account (contract/operations.md §3, CROSSDOCK_DATA_DIR).
import { randomInt } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Account, canEnter } from "./account.ts";

const sharedFolder = "/var/lib/crossdock";

export interface Place {
  /** The data directory, absolute and free of links, so that every process spells it alike. */
  readonly dataDir: string;
  /** The folder that initdb makes; it need not exist yet. */
  readonly files: string;
  /** Where copies of PostgreSQL's programs may be kept. */
  readonly copies: string;
  readonly log: string;
  readonly credentials: string;
  readonly port: string;
  /** Held by whoever starts or stops PostgreSQL. */
  readonly lock: string;
  /** Shared by all who use PostgreSQL: whoever gets it alone is the last. */
  readonly users: string;
}

/**
 * Makes the data directory where it is missing.
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
    // As root it is passed through by PostgreSQL's account, and listed by nobody; every secret in it has a mode of its own.
    chmodSync(dataDir, account.uid === undefined ? 0o700 : 0o711);
  }
  return realpathSync(dataDir);
}

function findFiles(dataDir: string, account: Account): string {
  const inside = join(dataDir, "postgres");
  const nameFile = join(dataDir, "postgres-name");
  const isRoot = account.uid !== undefined;

  if (existsSync(nameFile)) {
    const outside = join(sharedFolder, readFileSync(nameFile, "utf8").trim());
    if (!isRoot) {
      throw new Error(
        `the database of ${dataDir} lies in ${outside}, because root made it: start as root, or name another CROSSDOCK_DATA_DIR`,
      );
    }
    makeSharedFolder();
    return outside;
  }
  if (!isRoot || canEnter(account, dataDir)) return inside;
  if (existsSync(inside)) {
    throw new Error(
      `${inside} is closed to PostgreSQL's user ${account.uid}: let it pass through ("chmod o+x" on the folders above)`,
    );
  }
  makeSharedFolder();
  const name = inventName();
  // Written aside and renamed, because a name cut off by a crash would name another database.
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

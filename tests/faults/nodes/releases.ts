// Two releases that follow each other, for a roll-out of the second next to the first.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "#/store/db/schema/migrator.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { lastRelease } from "../../support/releases.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface Release {
  /** Its `src/main.ts`. */
  readonly program: string;
  /** Runs its command line and returns the output. */
  run(environment: Readonly<Record<string, string>>, ...args: readonly string[]): string;
}

export interface ReleasePair {
  readonly previous: Release;
  readonly next: Release;
  /** Names of the migrations that the previous release lacks. */
  readonly lacks: readonly string[];
  /** Where the releases come from. */
  readonly source: string;
}

/**
 * The last release of `releases.json`, out of the repository's history, and this tree; where this tree has no migration
 * after it, a copy of this tree with further migrations.
 * @returns the reason as text if the history is unavailable
 */
export async function releasePair(): Promise<ReleasePair | string> {
  const { version, commit, migrations } = lastRelease;
  const reason = absenceOf(commit);
  if (reason !== undefined) return reason;
  const released = exportCommit(commit);
  const [theirs, ours] = await Promise.all([released, root].map((folder) => migrationsOf(folder)));
  assert(theirs && ours);
  assert.equal(theirs.length, migrations, "releases.json says how many migrations the release has");
  for (const [i, { name, sha256 }] of theirs.entries())
    assert.deepEqual([ours[i]?.name, ours[i]?.sha256], [name, sha256], `a migration of ${version} was changed`);
  const added = ours.slice(theirs.length).map(({ name }) => name);
  const next = added.length > 0 ? { folder: root, lacks: added } : await nextRelease();
  return {
    previous: releaseOf(released),
    next: releaseOf(next.folder),
    lacks: next.lacks,
    source: `${version} (commit ${commit.slice(0, 7)}) to ${added.length > 0 ? "this tree" : "a copy of this tree"}`,
  };
}

const migrationsOf = (folder: string) => readMigrations(path.join(folder, "migrations"));
const namesOf = async (folder: string) => (await migrationsOf(folder)).map(({ name }) => name);

const releaseOf = (folder: string): Release => ({
  program: path.join(folder, "src/main.ts"),
  run: (environment, ...args) =>
    execFileSync(process.execPath, [path.join(folder, "src/cli/main.ts"), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
});

/** A copy of this tree with further migrations. */
export async function nextRelease(): Promise<{ readonly folder: string; readonly lacks: readonly string[] }> {
  const names = await namesOf(root);
  const folder = copyWithMigrations(names.length);
  return { folder, lacks: (await namesOf(folder)).slice(names.length) };
}

/** The parts of a roll-out: a table, a column of a busy table, and indexes that are built concurrently, one of a table in months. */
export const nextMigrations = (newest: string): readonly { readonly name: string; readonly text: string }[] => [
  {
    name: "next_columns.sql",
    text: `-- beside: ${newest}

-- citus: distributed
create table order_remark (client_id text not null, order_id text not null, note text not null, primary key (client_id, order_id));
alter table sales_order add column gift_note text, add column is_gift boolean not null default false;
`,
  },
  {
    name: "next_index.sql",
    text: `-- no-transaction
-- beside: ${newest}
create index concurrently if not exists sales_order_gift_note on sales_order (client_id, gift_note) where is_gift;
create index concurrently if not exists stock_movement_gift on stock_movement (client_id, sku) where reason = 'GIFT';
`,
  },
];

const numbered = (number: number) => String(number).padStart(4, "0");

function copyWithMigrations(newest: number): string {
  const copy = emptyFolder("crossdock-next-");
  for (const entry of ["src", "schemas", "migrations", "samples", "docs", "package.json", "LICENSE"])
    cpSync(path.join(root, entry), path.join(copy, entry), { recursive: true });
  for (const entry of ["node_modules", "packages", "console"])
    symlinkSync(path.join(root, entry), path.join(copy, entry));
  for (const [i, { name, text }] of nextMigrations(numbered(newest)).entries())
    writeFileSync(path.join(copy, "migrations", `${numbered(newest + 1 + i)}_${name}`), text);
  return copy;
}

function emptyFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

function hasCommit(commit: string): boolean {
  try {
    return git("cat-file", "-t", commit) === "commit";
  } catch {
    return false;
  }
}

/** Reason why the clone lacks a commit; undefined if it has it. */
function absenceOf(commit: string): string | undefined {
  try {
    if (path.resolve(git("rev-parse", "--show-toplevel")) !== path.resolve(root)) return "the folder is not a clone";
    const isShallow = git("rev-parse", "--is-shallow-repository") === "true";
    if (hasCommit(commit)) return undefined;
    return isShallow
      ? `the clone is shallow and lacks ${commit}: run 'git fetch --unshallow'`
      : `the clone lacks ${commit}, which releases.json names`;
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    return code === "ENOENT" ? "git is not installed" : `git says: ${stderr?.trim().split("\n")[0] ?? code}`;
  }
}

/** Packages that a release imports under a former name. */
const renamed: Readonly<Record<string, string>> = { "prom-client": "@prometheus-io/client" };

/** Uses the installed packages; a newer release may only have added or renamed packages. */
function exportCommit(commit: string): string {
  const folder = emptyFolder("crossdock-previous-");
  const files = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  const installed = path.join(root, "node_modules");
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(installed)) symlinkSync(path.join(installed, name), path.join(modules, name));
  for (const [before, now] of Object.entries(renamed))
    symlinkSync(path.join(installed, now), path.join(modules, before), "dir");
  return folder;
}

// Two releases that follow each other, for a roll-out of the second next to the first.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "#/db/schema/migrator.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { checkedAfter } from "../../tidy/migration-rules.ts";

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
 * The release before the newest migration, from the repository's history, and this tree. Before the first migration
 * after 0.2.0, this tree and a copy of it with further migrations.
 * @returns the reason as text if the history is unavailable
 */
export async function releasePair(): Promise<ReleasePair | string> {
  const names = await namesOf(root);
  if (names.length === checkedAfter) {
    const { folder, lacks } = await nextRelease();
    return { previous: releaseOf(root), next: releaseOf(folder), lacks, source: "this tree and a copy of it" };
  }
  const reason = absenceOfHistory(names.at(-1) as string);
  if (reason !== undefined) return reason;
  const { commit, folder } = exportCommitBefore(names.at(-1) as string);
  const known = new Set(await namesOf(folder));
  return {
    previous: releaseOf(folder),
    next: releaseOf(root),
    lacks: names.filter((name) => !known.has(name)),
    source: `commit ${commit.slice(0, 7)} and this tree`,
  };
}

const namesOf = async (folder: string) =>
  (await readMigrations(path.join(folder, "migrations"))).map(({ name }) => name);

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

/** What a roll-out may contain: a table, a column of a busy table, and an index that is built concurrently. */
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

/** The commit that added a migration; empty if it is not committed yet. */
const addedBy = (migration: string) =>
  git("log", "--diff-filter=A", "--format=%H", "-1", "--", `migrations/${migration}`);

/** Reason why the history is unavailable; undefined if it is available. */
function absenceOfHistory(newest: string): string | undefined {
  try {
    if (git("rev-parse", "--is-shallow-repository") === "true") return "the clone is shallow";
    if (path.resolve(git("rev-parse", "--show-toplevel")) !== path.resolve(root)) return "the folder is no clone";
    const added = addedBy(newest);
    const isFirst = added !== "" && git("rev-list", "--parents", "-1", added).split(" ").length === 1;
    return isFirst ? "the history begins with this release" : undefined;
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    return code === "ENOENT" ? "git is not installed" : `git says: ${stderr?.trim().split("\n")[0] ?? code}`;
  }
}

/** Uses the installed packages; a newer release may only have added packages. */
function exportCommitBefore(newest: string): { readonly commit: string; readonly folder: string } {
  const added = addedBy(newest);
  const commit = git("rev-parse", "--verify", added === "" ? "HEAD" : `${added}^`);
  const folder = emptyFolder("crossdock-previous-");
  const files = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "dir");
  return { commit, folder };
}

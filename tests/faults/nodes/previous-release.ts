// Exports the release before the newest migration from the repository's history into a temporary folder.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "#/db/schema/migrator.ts";
import { atEnd } from "../../support/app/at-end.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const migrationsFolder = path.join(root, "migrations");

export interface PreviousRelease {
  readonly commit: string;
  readonly folder: string;
  /** Its `src/main.ts`. */
  readonly program: string;
  /** Runs its command line and returns the output. */
  run(environment: Readonly<Record<string, string>>, ...args: readonly string[]): string;
  /** Names of the migrations that it lacks. */
  readonly lacks: readonly string[];
}

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The commit that added a migration; empty if it is not committed yet. */
const addedBy = (migration: string) =>
  git("log", "--diff-filter=A", "--format=%H", "-1", "--", `migrations/${migration}`);

/** Reason why the history is unavailable; undefined if it is available. */
export async function absenceOfHistory(): Promise<string | undefined> {
  try {
    if (git("rev-parse", "--is-shallow-repository") === "true") return "the clone is shallow";
    if (path.resolve(git("rev-parse", "--show-toplevel")) !== path.resolve(root))
      return "the folder is not a clone of its own";
    const added = addedBy((await readMigrations(migrationsFolder)).at(-1)?.name ?? "");
    const isFirst = added !== "" && git("rev-list", "--parents", "-1", added).split(" ").length === 1;
    return isFirst ? "the history begins with this one" : undefined;
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    return code === "ENOENT" ? "git is not installed" : `git says: ${stderr?.trim().split("\n")[0] ?? code}`;
  }
}

/** Uses the installed packages; a newer release may only have added packages. */
export async function exportPreviousRelease(): Promise<PreviousRelease> {
  const migrations = await readMigrations(migrationsFolder);
  const added = addedBy(migrations.at(-1)?.name ?? "");
  const commit = git("rev-parse", "--verify", added === "" ? "HEAD" : `${added}^`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-previous-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "dir");
  const known = new Set((await readMigrations(path.join(folder, "migrations"))).map(({ name }) => name));
  return {
    commit,
    folder,
    program: path.join(folder, "src/main.ts"),
    run: (environment, ...args) =>
      execFileSync(process.execPath, [path.join(folder, "src/cli/main.ts"), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...environment },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      }),
    lacks: migrations.map(({ name }) => name).filter((name) => !known.has(name)),
  };
}

// A PostgreSQL cluster from the system's packages, with everything for backups, in a folder of the test. It also runs
// the scripts of deploy/backup like an operator.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { giveTo, postgresAccount } from "#/store/db/embedded/account.ts";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { freePort } from "../../support/app/free-port.ts";
import { endProcess } from "../../support/app/process.ts";

const scripts = fileURLToPath(new URL("../../../deploy/backup", import.meta.url));
const account = postgresAccount();

/**
 * Folder of the newest installed PostgreSQL's programs, from version 15 on; undefined if none has all required
 * programs.
 */
export function findPrograms(): string | undefined {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return undefined;
  const folders = readdirSync(root)
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(root, version, "bin"));
  const wanted = ["initdb", "pg_basebackup", "pg_verifybackup", "pg_dump", "psql"];
  return folders.find((folder) => wanted.every((name) => existsSync(path.join(folder, name))));
}

/** Without the programs, the test is skipped; under CI that is a failure. */
export function isLeftOut(programs: string | undefined, name: string): boolean {
  if (programs !== undefined) return false;
  if (process.env.CI === "true")
    throw new Error("there are no server programs of PostgreSQL, and under CI nothing is left out");
  test(name, (context) =>
    context.diagnostic(
      `LEFT OUT: '${name}' was not tried, because there are no server programs of PostgreSQL 15 or newer below /usr/lib/postgresql`,
    ),
  );
  return true;
}

/** Output and exit status of a program. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

export interface Site {
  /** Folder of the test, accessible to the user that runs PostgreSQL. */
  readonly folder: string;
  /** `backup.sh` or `restore.sh`, as PostgreSQL's user. */
  run(script: "backup.sh" | "restore.sh", args: readonly string[], environment?: Record<string, string>): Promise<Ran>;
  /** The same, and it must succeed. */
  must(
    script: "backup.sh" | "restore.sh",
    args: readonly string[],
    environment?: Record<string, string>,
  ): Promise<string>;
  /** Starts a script that runs until it is ended. */
  start(script: "backup.sh", args: readonly string[], environment: Record<string, string>): { end(): Promise<void> };
  program(name: string, args: readonly string[]): Ran;
  freePort(): Promise<number>;
}

/** @param programs folder of PostgreSQL's programs */
export function openSite(programs: string): Site {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-backup-"));
  chmodSync(folder, 0o755);
  giveTo(account, folder);
  // A copy, because PostgreSQL's user may have no access to the repository.
  const tools = path.join(folder, "tools");
  cpSync(scripts, tools, { recursive: true });
  for (const name of readdirSync(tools)) chmodSync(path.join(tools, name), 0o755);
  chmodSync(tools, 0o755);
  mkdirSync(path.join(folder, "backups"));
  giveTo(account, path.join(folder, "backups"));
  const endAll = () => {
    for (const name of readdirSync(folder)) for (const pid of processesIn(path.join(folder, name))) endProcess(pid);
  };
  process.once("exit", endAll);
  atEnd(async () => {
    endAll();
    process.off("exit", endAll);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const base = {
    PATH: process.env.PATH ?? "",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    PG_BIN: programs,
    BACKUP_DIR: path.join(folder, "backups"),
  };

  const run: Site["run"] = (script, args, environment = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(path.join(tools, script), args, {
        ...account,
        cwd: folder,
        env: { ...base, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      }
      child.once("error", reject);
      // Not `close`: the started cluster keeps the streams open.
      child.once("exit", (status) => setTimeout(() => resolve({ status, output }), 50));
    });

  return {
    folder,
    run,
    async must(script, args, environment) {
      const { status, output } = await run(script, args, environment);
      assert.equal(status, 0, `${script} ${args.join(" ")}:\n${output}`);
      return output;
    },
    start(script, args, environment) {
      const child = spawn(path.join(tools, script), args, {
        ...account,
        cwd: folder,
        env: { ...base, ...environment },
        stdio: "ignore",
      });
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      const end = async () => {
        child.kill("SIGINT");
        await ended;
      };
      atEnd(end);
      return { end };
    },
    program(name, args) {
      const { status, stdout, stderr, error } = spawnSync(path.join(programs, name), args, {
        ...account,
        cwd: folder,
        env: base,
        encoding: "utf8",
      });
      assert.ifError(error);
      return { status, output: stdout + stderr };
    },
    freePort,
  };
}

export interface Cluster {
  readonly data: string;
  readonly port: number;
  /** URL of the superuser in this database. */
  urlOf(database: string): string;
  /** kill -9 of all processes, and removal of the files. */
  destroy(): Promise<void>;
}

/** A cluster that archives its WAL by default, in small files so that a test need not write much. */
export async function startCluster(site: Site, { isArchiving = true } = {}): Promise<Cluster> {
  const data = path.join(site.folder, "cluster");
  const port = await site.freePort();
  const made = site.program("initdb", [
    ...["--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"],
    ...["--wal-segsize", "1", "--no-sync"],
  ]);
  assert.equal(made.status, 0, made.output);
  const archive = path.join(site.folder, "tools", "backup.sh");
  writeFileSync(
    path.join(data, "postgresql.auto.conf"),
    [
      ...[
        `archive_mode = ${isArchiving ? "on" : "off"}`,
        "archive_timeout = 5",
        "listen_addresses = '127.0.0.1'",
        "unix_socket_directories = ''",
      ],
      `archive_command = 'BACKUP_DIR="${path.join(site.folder, "backups")}" "${archive}" archive "%p" "%f"'`,
      "max_wal_size = 64MB\n",
    ].join("\n"),
  );
  const started = site.program("pg_ctl", [
    ...["start", "--silent", "--wait", "--pgdata", data, "--log", path.join(data, "log"), "--options", `-p ${port}`],
  ]);
  assert.equal(started.status, 0, started.output + readFileSync(path.join(data, "log"), "utf8"));
  return {
    data,
    port,
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async destroy() {
      for (const pid of processesIn(data)) endProcess(pid);
      await rm(data, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

// The operating system's account that PostgreSQL runs as, and what that account can reach.
import { spawnSync } from "node:child_process";
import { chownSync, readFileSync } from "node:fs";

/** Spread into the options of a child process; empty where PostgreSQL may run as we do. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: then it runs as postgres or, where there is none, as nobody. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
  // An image without either name still has the number that is nobody's by custom.
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/**
 * Environment of every PostgreSQL program: nothing of the caller's, because a LANG without its locale breaks initdb and
 * PG* variables would change what is started.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, TZ: "UTC", LC_ALL: "C", ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

/**
 * What every PostgreSQL program is spawned with. It stands in the root folder, because the caller's may be closed to
 * the account and PostgreSQL's programs stop when they cannot read their working directory.
 */
export function spawnOptions(account: Account) {
  return { ...account, cwd: "/", env: cleanEnvironment(), windowsHide: true } as const;
}

/**
 * Runs a program as the account and answers why it failed, or undefined when it ended well. It asks the kernel about
 * access instead of reading mode bits, which tell nothing of access lists and mounts.
 */
export function failureOf(account: Account, program: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, {
    ...spawnOptions(account),
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? (stderr.trim() || `exit code ${status}`));
}

/** Whether the account can go into a folder; each folder above it counts. */
export function canEnter(account: Account, folder: string): boolean {
  return account.uid === undefined || failureOf(account, "/bin/sh", ["-c", 'cd -- "$1"', "sh", folder]) === undefined;
}

export function giveTo(account: Account, path: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

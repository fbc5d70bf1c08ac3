// The operating system account that PostgreSQL runs as, and what that account can access.
import { spawnSync } from "node:child_process";
import { chownSync, readFileSync } from "node:fs";

/** Spread into the options of a child process; empty where PostgreSQL may run as the current user. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root. In that case it runs as postgres or, where that account is missing, as nobody. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
  // An image without either name still has the conventional user id of nobody.
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/**
 * Environment of every PostgreSQL program. It inherits no locale or PG* variables from the caller: a LANG without its
 * locale breaks initdb, and PG* variables change what is started.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, TZ: "UTC", LC_ALL: "C", ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

/**
 * Spawn options of every PostgreSQL program. Its working directory is the root folder, because the account may have no
 * access to the caller's, and PostgreSQL's programs stop when they cannot read their working directory.
 */
export function spawnOptions(account: Account) {
  return { ...account, cwd: "/", env: cleanEnvironment(), windowsHide: true } as const;
}

/**
 * Runs a program as the account. Returns why it failed, or undefined when it succeeded. The function lets the kernel
 * check access instead of reading mode bits, which do not reflect access control lists and mounts.
 */
export function failureOf(account: Account, program: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, {
    ...spawnOptions(account),
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? (stderr.trim() || `exit code ${status}`));
}

/** Whether the account can enter a folder; access to each parent folder counts. */
export function canEnter(account: Account, folder: string): boolean {
  return account.uid === undefined || failureOf(account, "/bin/sh", ["-c", 'cd -- "$1"', "sh", folder]) === undefined;
}

export function giveTo(account: Account, path: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

// OpenSSH's programs and lftp as users of an SFTP server. The default tier has no such programs: tests/interop does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { SftpServer } from "#/intake/sftp/index.ts";
import { type Program, startProgram } from "../app/program.ts";
import { localFile, localPath, password } from "./server.ts";
import type { KeyAccount, SftpPlace } from "./session.ts";

const localFolder = localPath("");

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end; a helper of OpenSSH enters the password. @param killing ends it by kill -9 */
export async function run(
  program: string,
  args: readonly string[],
  input = "",
  secret = password,
  killing?: AbortSignal,
): Promise<Ran> {
  const askPath = path.join(localFolder, `ask-${hash("sha1", secret)}`);
  // Written once, because another program may be reading it.
  if (!existsSync(askPath)) writeFileSync(askPath, `#!/bin/sh\necho '${secret}'\n`, { mode: 0o700 });
  const client = startProgram([program, ...args], {
    cwd: localFolder,
    input,
    env: {
      ...process.env,
      SSH_ASKPASS: askPath,
      SSH_ASKPASS_REQUIRE: "force",
      DISPLAY: ":0",
      HOME: localFolder,
      TZ: "UTC",
    },
    timeout: 60_000,
  });
  killing?.addEventListener("abort", () => void client.kill());
  const { code, stdout, stderr } = await client.ended;
  return { code, out: stdout, err: stderr };
}

/** A running server's address. */
export interface Reachable {
  readonly server: Pick<SftpServer, "host" | "port">;
}

/** Options that make OpenSSH's programs non-interactive, with the port in the syntax of each. */
export function sshOptions({ server }: Reachable, portLetter: "-P" | "-p", more: readonly string[] = []): string[] {
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=INFO", ...more];
  return [portLetter, String(server.port), ...options.flatMap((option) => ["-o", option])];
}

/** Why a program is unavailable; undefined if it is available. */
export function absenceOf(program: string, debianPackage: string): string | undefined {
  return spawnSync(program, ["--version"]).error ? `${program} is not installed (Debian: ${debianPackage})` : undefined;
}

/** A test of an optional program. @param why it is unavailable; undefined if it is available. */
export function withProgram(
  name: string,
  why: string | undefined,
  work: (context: TestContext) => Promise<void>,
): void {
  test(name, async (context) => {
    if (why === undefined) return work(context);
    context.diagnostic(`LEFT OUT: '${name}' was not tried, because ${why}`);
    assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${why}`);
  });
}

/** Runs `sftp -b`, which stops at the first command that fails. */
export function batch(
  sftp: Reachable,
  commands: readonly string[],
  user = "acme",
  more: readonly string[] = [],
  secret = password,
) {
  const file = localFile(`batch-${Math.random().toString(36).slice(2)}`, `${commands.join("\n")}\n`);
  // A batch disables every password prompt.
  const options = sshOptions(sftp, "-P", [...more, "BatchMode=no"]);
  return run("sftp", [...options, "-b", file, `${user}@${sftp.server.host}`], "", secret);
}

/** Starts `sftp`, which runs the commands and stops at the first failure. */
export function startBatch(place: SftpPlace, { username, key }: KeyAccount, commands: readonly string[]): Program {
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR"];
  return startProgram(
    [
      ...["sftp", "-R", "2", "-i", key.file, "-P", String(place.port), ...options.flatMap((option) => ["-o", option])],
      ...["-b", "-", `${username}@${place.host}`],
    ],
    // A killed sftp leaves its ssh, which finishes its work, so they are killed as one process group.
    { input: `${commands.join("\n")}\n`, detached: true },
  );
}

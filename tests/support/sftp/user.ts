// SFTP users of the running program with their client programs, and the operator at the command line.
import assert from "node:assert/strict";
import { commandLine } from "../app/cli.ts";
import type { TestServer } from "../app/server.ts";
import { absenceOf, batch, type Ran, run, sshOptions } from "./openssh.ts";
import type { SftpPlace } from "./session.ts";

export type { SftpPlace } from "./session.ts";

export interface SftpUser {
  /** `sftp -b`, which stops at the first command that fails. */
  batch(...commands: readonly string[]): Promise<Ran>;
  /** A batch that must succeed completely; returns its output. */
  done(...commands: readonly string[]): Promise<string>;
  /** A batch of one command that must fail with this message. */
  refused(command: string, words: RegExp): Promise<void>;
  /** Names in a folder. */
  names(folder: string): Promise<string[]>;
  scp(...args: readonly string[]): Promise<Ran>;
  lftp(...commands: readonly string[]): Promise<Ran>;
  at(place: SftpPlace): SftpUser;
  /** The same user with more options of OpenSSH, such as `BindAddress=127.0.0.9`. */
  with(...options: readonly string[]): SftpUser;
}

export const opensshAbsence = absenceOf("ssh", "apt-get install openssh-client");
export const lftpAbsence = opensshAbsence ?? absenceOf("lftp", "apt-get install lftp");

const lftpSsh = "ssh -a -x -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR";

/** A user with these credentials. */
export function sftpUser(
  place: SftpPlace,
  credentials: { readonly username: string; readonly password?: string },
  options: readonly string[] = [],
): SftpUser {
  const { username, password: secret = "" } = credentials;
  const reachable = { server: place };
  const user: SftpUser = {
    batch: (...commands) => batch(reachable, commands, username, options, secret),
    async done(...commands) {
      const { code, out, err } = await user.batch(...commands);
      assert.equal(code, 0, `${out}\n${err}`);
      return out;
    },
    async refused(command, words) {
      const { code, err } = await user.batch(command);
      assert.notEqual(code, 0, command);
      assert.match(err, words, command);
    },
    async names(folder) {
      const out = await user.done(`cd ${folder}`, "ls -1a");
      return out.split("\n").filter((line) => line !== "" && !line.startsWith("sftp> "));
    },
    scp: (...args) => run("scp", [...sshOptions(reachable, "-P", options), ...args], "", secret),
    lftp: (...commands) =>
      run(
        "lftp",
        [
          "-c",
          [
            `set sftp:connect-program "${lftpSsh}"`,
            "set net:max-retries 1; set net:timeout 20; set cmd:fail-exit yes",
            `open -u ${username},${secret} -p ${place.port} sftp://${place.host}`,
            ...commands,
          ].join("\n"),
        ],
        "",
        secret,
      ),
    at: (other) => sftpUser(other, credentials, options),
    with: (...more) => sftpUser(place, credentials, [...options, ...more]),
  };
  return user;
}

/** Output of `crossdock … --json`, run next to the server like an operator does. */
export async function crossdock(server: TestServer, ...args: readonly string[]): Promise<Record<string, never>> {
  const { code, stdout, stderr } = await commandLine(server)([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

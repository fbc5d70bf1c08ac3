// Clients that send files: ssh2's client as a library, and OpenSSH's sftp as used by a person or a script.
import { type ChildProcess, spawn } from "node:child_process";
import ssh2, { type Client, type SFTPWrapper } from "ssh2";
import type { KeyPair } from "../../support/sftp/server.ts";

export interface Door {
  readonly host: string;
  readonly port: number;
}

export interface KeyAccount {
  readonly username: string;
  readonly key: KeyPair;
}

export type Account = KeyAccount | { readonly username: string; readonly password: string };

/** The server rejected the request in SFTP. After any other error, the outcome for the file is unknown. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export interface SenderSession {
  readonly isOver: boolean;
  /** Opens, writes in concurrent parts of 32 KiB, and closes. Resolves when the close is confirmed. */
  put(path: string, bytes: Buffer): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  get(path: string): Promise<Buffer>;
  sizes(path: string): Promise<Map<string, number>>;
  end(): void;
}

const partBytes = 32 * 1024;
const sessions = new Set<Client>();

export function endSessions(): void {
  for (const client of sessions) client.destroy();
}

/** @throws if the connection is refused or lost */
export async function openSession(door: Door, account: Account): Promise<SenderSession> {
  const client = new ssh2.Client();
  sessions.add(client);
  let isOver = false;
  const lost = new Promise<never>((_, reject) => {
    client.on("error", reject);
    client.on("close", () => {
      isOver = true;
      sessions.delete(client);
      reject(new Error("the connection was lost"));
    });
  });
  lost.catch(() => {});
  const opened = new Promise<SFTPWrapper>((resolve, reject) => {
    client.on("ready", () => {
      // ssh2 writes a packet in pieces. With Nagle's algorithm, the second piece waits 40 ms for the acknowledgement of
      // the first.
      client.setNoDelay();
      client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)));
    });
  });
  opened.catch(() => {});
  const proof = "key" in account ? { privateKey: account.key.privateKey } : { password: account.password };
  client.connect({ ...door, ...proof, username: account.username, readyTimeout: 30_000 });
  const sftp = await Promise.race([opened, lost]).catch((error) => {
    client.destroy();
    throw error;
  });

  /** One request. It also fails if the connection is lost without an error from ssh2. */
  function ask<T>(send: (done: (error: Error | undefined | null, value: T) => void) => void): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      send((error, value) => {
        if (!error) resolve(value);
        // An SFTP status is a number; an error of the operating system is a string.
        else if (typeof (error as { code?: unknown }).code === "number") reject(new RefusedError(error.message));
        else reject(error);
      });
    });
    return Promise.race([answer, lost]);
  }

  return {
    get isOver() {
      return isOver;
    },
    async put(path, bytes) {
      const handle = await ask<Buffer>((done) => sftp.open(path, "w", done));
      const parts: Promise<unknown>[] = [];
      for (let at = 0; at < bytes.length; at += partBytes) {
        const length = Math.min(partBytes, bytes.length - at);
        parts.push(ask((done) => sftp.write(handle, bytes, at, length, at, (error) => done(error, undefined))));
      }
      await Promise.all(parts);
      await ask((done) => sftp.close(handle, (error) => done(error, undefined)));
    },
    rename: (from, to) => ask((done) => sftp.rename(from, to, (error) => done(error, undefined))),
    get: (path) => ask<Buffer>((done) => sftp.readFile(path, done)),
    async sizes(path) {
      const entries = await ask<{ filename: string; attrs: { size: number } }[]>((done) => sftp.readdir(path, done));
      return new Map(entries.map(({ filename, attrs }) => [filename, attrs.size]));
    },
    end() {
      client.end();
    },
  };
}

export interface Batch {
  readonly child: ChildProcess;
  /** Exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
}

/** Starts `sftp`, which runs the commands and stops at the first failure. */
export function startBatch(door: Door, { username, key }: KeyAccount, commands: readonly string[]): Batch {
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR"];
  const program = "sftp";
  const child = spawn(
    program,
    [
      ...["-R", "2", "-i", key.file, "-P", String(door.port), ...options.flatMap((option) => ["-o", option])],
      ...["-b", "-", `${username}@${door.host}`],
    ],
    // A killed sftp leaves its ssh, which finishes its work, so they are killed as one process group.
    { stdio: ["pipe", "ignore", "ignore"], detached: true },
  );
  child.stdin.on("error", () => {});
  child.stdin.end(`${commands.join("\n")}\n`);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
  return { child, ended };
}

/** kill -9 of the program and its child processes. */
export function killBatch({ child }: Batch): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

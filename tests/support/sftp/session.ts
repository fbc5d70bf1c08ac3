// Users of SFTP by ssh2's client, for tests that need no program of others.
import ssh2, { type Client, type SFTPWrapper } from "ssh2";
import type { KeyPair } from "./server.ts";

export interface SftpPlace {
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

export interface SftpSession {
  readonly isOver: boolean;
  /** Opens, writes in concurrent parts of 32 KiB, and closes. Resolves when the close is confirmed. */
  put(path: string, content: Buffer | string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  get(path: string): Promise<Buffer>;
  /** By the name of each entry of a folder. */
  sizes(path: string): Promise<Map<string, number>>;
  end(): void;
}

const partBytes = 32 * 1024;
const sessions = new Set<Client>();

export function endSessions(): void {
  for (const client of sessions) client.destroy();
}

/** @throws if the connection is refused or lost */
export async function openSession(place: SftpPlace, account: Account): Promise<SftpSession> {
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
  client.connect({ ...place, ...proof, username: account.username, readyTimeout: 30_000 });
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
    async put(path, content) {
      const bytes = Buffer.from(content);
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

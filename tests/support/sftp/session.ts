// A user of SFTP by ssh2's client, for tests that need no program of others.
import ssh2, { type SFTPWrapper } from "ssh2";
import { atEnd } from "../app/at-end.ts";

export interface SftpPlace {
  readonly host: string;
  readonly port: number;
}

export interface SftpSession {
  put(path: string, content: string): Promise<void>;
  get(path: string): Promise<string>;
  names(folder: string): Promise<string[]>;
  end(): void;
}

/** Logs in; rejects with ssh2's error. */
export async function openSession(
  { host, port }: SftpPlace,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SftpSession> {
  const client = new ssh2.Client();
  atEnd(() => client.destroy());
  await new Promise<void>((resolve, reject) => {
    client.once("ready", resolve).on("error", reject);
    client.connect({ host, port, username, password });
  });
  const sftp = await settle<SFTPWrapper>((end) => client.sftp(end));
  return {
    put: (path, content) => settle<void>((end) => sftp.writeFile(path, content, end)),
    get: async (path) => (await settle<Buffer>((end) => sftp.readFile(path, end))).toString(),
    names: async (folder) =>
      (await settle<{ filename: string }[]>((end) => sftp.readdir(folder, end))).map(({ filename }) => filename),
    end: () => void client.end(),
  };
}

type End<T> = (error: Error | null | undefined, value: T) => void;

const settle = <T>(start: (end: End<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });

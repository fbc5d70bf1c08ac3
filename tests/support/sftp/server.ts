// An SFTP server over folders in memory, and its users by ssh2.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import {
  type LogIn,
  openHostKeys,
  type SftpServer,
  type SftpServerContext,
  startSftpServer,
} from "#/intake/sftp/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { hashPassword } from "#/kernel/security/password.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createLogger, type Logger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { atEnd } from "../app/at-end.ts";
import { type MemoryFolders, memoryFolders } from "./memory-folders.ts";

export const password = "correct-horse-battery";

export interface TestSftp {
  readonly server: SftpServer;
  readonly folders: MemoryFolders;
  /** By user name: `acme` and `other` have the password, `keyed` a key. */
  readonly logIns: Map<string, LogIn>;
  readonly logged: Record<string, unknown>[];
  readonly fingerprints: readonly string[];
}

const secretBox = createSecretBox("a master key for tests only, 32 or more");
const passwordHash = await hashPassword(password);
const folder = mkdtempSync(path.join(tmpdir(), "crossdock-sftp-"));
chmodSync(folder, 0o755);
atEnd(() => rmSync(folder, { recursive: true, force: true }));

/** Private keys in the files that OpenSSH reads, each with its public half. */
export interface KeyPair {
  readonly file: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

export function makeKey(name: string, type: "ed25519" | "ecdsa" | "rsa"): KeyPair {
  const bits = { ed25519: 0, ecdsa: 256, rsa: 2_048 }[type];
  const make = () => ssh2.utils.generateKeyPairSync(type as "rsa", { bits });
  // The library generates an unreadable key for one of 256 Ed25519 keys.
  let pair = make();
  while (ssh2.utils.parseKey(pair.private) instanceof Error) pair = make();
  const file = path.join(folder, name);
  writeFileSync(file, pair.private, { mode: 0o600 });
  return { file, privateKey: pair.private, publicKey: pair.public.trim().split(" ").slice(0, 2).join(" ") };
}

/** A file in a separate local folder of the test. */
export function localFile(name: string, bytes: Buffer | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

export const localPath = (name: string): string => path.join(folder, name);

export interface TestSftpOptions extends Partial<Pick<SftpServerContext, "limits" | "port" | "clock" | "takeRate">> {
  readonly folders?: MemoryFolders;
  readonly logIns?: Map<string, LogIn>;
}

export async function startTestSftp(database: Database, options: TestSftpOptions = {}): Promise<TestSftp> {
  const folders = options.folders ?? memoryFolders();
  const logged: Record<string, unknown>[] = [];
  const log: Logger = createLogger({
    level: "debug",
    format: "json",
    destination: { write: (line) => void logged.push(JSON.parse(line)) },
  });
  const logIns =
    options.logIns ??
    new Map<string, LogIn>(
      ["acme", "other"].map((username) => [
        username,
        {
          clientId: username.toUpperCase(),
          credentialId: `credential-${username}`,
          passwordHash,
          publicKey: null,
          isSuspended: false,
        },
      ]),
    );
  const clock = options.clock ?? systemClock;
  const hostKeys = await openHostKeys({ database, clock, secretBox });
  const server = await startSftpServer({
    host: "127.0.0.1",
    port: options.port ?? 0,
    hostKeys,
    database,
    clock,
    log,
    ids: createIds(),
    openFolders: folders.open,
    takeRate: options.takeRate ?? (async () => 0),
    nameDelay: { of: () => 0, noteWrong: () => {} },
    logIns: {
      find: async (username) => logIns.get(username),
      listGood: async (credentialIds) =>
        [...logIns.values()]
          .filter(({ credentialId, isSuspended }) => credentialIds.includes(credentialId) && !isSuspended)
          .map(({ credentialId }) => credentialId),
    },
    ...(options.limits ? { limits: options.limits } : {}),
  });
  atEnd(() => server.stop());
  return { server, folders, logIns, logged, fingerprints: hostKeys.map(({ fingerprint }) => fingerprint) };
}

const clients = new Set<Client>();
atEnd(() => {
  for (const client of clients) client.destroy();
});

/** Logs in; rejects with ssh2's error. */
export function connect({ server }: TestSftp, config: Partial<ConnectConfig> = {}): Promise<Client> {
  const client = new ssh2.Client();
  clients.add(client);
  return new Promise((resolve, reject) => {
    client.on("ready", () => resolve(client));
    client.on("error", reject);
    client.on("close", () => reject(new Error("the connection was closed")));
    client.connect({ host: server.host, port: server.port, username: "acme", password, ...config });
  });
}

export function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)));
  });
}

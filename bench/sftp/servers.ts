import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import ssh2 from "ssh2";
import { createIds } from "#/kernel/values/ids.ts";
import { issueCredential, onboardClient } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { migrate } from "#/store/db/schema/migrator.ts";
import { makePartitions } from "#/store/db/schema/partitions.ts";
import { benchClient } from "../feeds/documents.ts";
import { findProgram, temporaryFolder } from "../feeds/machine.ts";

/** A server that receives files, and the credentials for it. */
export interface FileServer {
  readonly pid: number;
  readonly port: number;
  readonly username: string;
  readonly keyFile: string;
  /** The folder for the files of a feed. */
  folderOf(type: "NO" | "CAT"): string;
  stop(): Promise<void>;
}

export interface Key {
  readonly file: string;
  readonly publicKey: string;
}

export function makeKey(folder: string, name: string): Key {
  const pair = ssh2.utils.generateKeyPairSync("ed25519");
  const file = path.join(folder, name);
  writeFileSync(file, pair.private, { mode: 0o600 });
  return { file, publicKey: pair.public.trim().split(" ").slice(0, 2).join(" ") };
}

/** Creates the tables and a client. @returns the user name that its key opens */
async function makeClient(url: string, publicKey: string): Promise<string> {
  await migrate(url, fileURLToPath(new URL("../../migrations", import.meta.url)), {
    afterwards: (connection) => makePartitions(connection, Date.now()),
  });
  const database = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock bench" });
  const change = { actor: "bench", origin: "bench", at: new Date().toISOString(), ids: createIds() };
  try {
    return await database.transaction(async (tx) => {
      const facility = { facilityCode: "DC1", name: "DC1", country: "GB", timezone: "Europe/London" };
      await createFacility(tx, change, facility);
      const client = { clientId: benchClient, name: benchClient, facilities: ["DC1"], environment: "sandbox" } as const;
      const onboarded = await onboardClient(tx, change, client);
      if (!onboarded.ok) throw new Error(onboarded.fault);
      const request = { clientId: benchClient, kind: "sftp", environment: "sandbox", publicKey } as const;
      const issued = await issueCredential(tx, change, request);
      if (!issued.ok || !("sftp" in issued.value)) throw new Error("no credential was issued");
      return issued.value.sftp.username;
    });
  } finally {
    await database.close();
  }
}

/** Starts the program as `npm start` does, all roles in one process, on the given database. */
export async function startProduct(
  databaseUrl: string,
  key: Key,
  profileFolder: string | undefined,
): Promise<FileServer> {
  const username = await makeClient(databaseUrl, key.publicKey);
  const folder = temporaryFolder("product");
  const logFile = path.join(folder, "log");
  const log = openSync(logFile, "w");
  const profile = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const child = spawn(process.execPath, [...profile, fileURLToPath(new URL("../../src/main.ts", import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      CROSSDOCK_DATA_DIR: folder,
      CROSSDOCK_SECRET: "a master key for the bench, long enough",
      CROSSDOCK_SEED_DEMO: "false",
      CROSSDOCK_WAREHOUSE_SIM: "false",
      CROSSDOCK_LOG: "stdout",
      CROSSDOCK_LOG_FORMAT: "json",
      PORT: "0",
      CROSSDOCK_SFTP_PORT: "0",
      // At the default of 100/s the bench measures the limit: a session that has used up its rate waits.
      CROSSDOCK_RATE_LIMIT: "off",
    },
    stdio: ["ignore", log, log],
  });
  for (let waited = 0; ; waited += 100) {
    const served = /^.*"SFTP is served".*$/m.exec(readFileSync(logFile, "utf8"))?.[0];
    if (served !== undefined) {
      const { port } = JSON.parse(served) as { port: number };
      return {
        pid: child.pid as number,
        port,
        username,
        keyFile: key.file,
        folderOf: (type) => `/inbound/${type}`,
        stop: () => stop(child, "SIGINT"),
      };
    }
    if (waited > 60_000 || child.exitCode !== null) throw new Error(readFileSync(logFile, "utf8"));
    await sleep(100);
  }
}

/** Starts OpenSSH's server with its internal SFTP, which stores the files; undefined where it is not installed. */
export async function startOpenSsh(folder: string, key: Key): Promise<FileServer | undefined> {
  const program = findProgram("sshd") ?? findProgram("/usr/sbin/sshd");
  if (program === undefined) return undefined;
  const port = await freePort();
  const stored = path.join(folder, "stored");
  mkdirSync(stored);
  // When run as root, sshd requires this empty folder, which the service of its package creates.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const config = path.join(folder, "sshd_config");
  writeFileSync(path.join(folder, "authorized_keys"), `${key.publicKey}\n`, { mode: 0o600 });
  writeFileSync(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${makeKey(folder, "host-key").file}`,
      `AuthorizedKeysFile ${path.join(folder, "authorized_keys")}`,
      "StrictModes no",
      "PermitRootLogin yes",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "UsePAM no",
      "PidFile none",
      "MaxStartups 100",
      "Subsystem sftp internal-sftp",
      "",
    ].join("\n"),
  );
  const child = spawn(program, ["-D", "-f", config], { stdio: ["ignore", "ignore", "inherit"] });
  for (let attempts = 1; !(await answers(port)); attempts++) {
    if (attempts > 100 || child.exitCode !== null) throw new Error("sshd does not start");
    await sleep(50);
  }
  return {
    pid: child.pid as number,
    port,
    username: os.userInfo().username,
    keyFile: key.file,
    folderOf: () => stored,
    stop: () => stop(child, "SIGTERM"),
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await Promise.race([ended, sleep(20_000)]);
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

// The SSH server: its listener, its limits, and its checks while connections are open.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import ssh2, { type Algorithms, type Connection, type ParsedKey, type ServerConfig } from "ssh2";
import type { OpenFolders, Visitor } from "#/intake/sftp/file-system.ts";
import { purgeAccess } from "#/intake/sftp/server/access-repository.ts";
import { createAuthentication, type LogIns } from "#/intake/sftp/server/authentication.ts";
import { type HeldConnection, type HeldSession, holdConnection } from "#/intake/sftp/server/connection.ts";
import type { HostKey } from "#/intake/sftp/server/host-keys.ts";
import { createSessionSlots } from "#/intake/sftp/server/session-slots.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type NameDelay, networkOf } from "#/kernel/security/log-in-guard.ts";
import { createPasswordChecks } from "#/kernel/security/password.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

export interface SftpServerContext {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly hostKeys: readonly HostKey[];
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly logIns: LogIns;
  readonly nameDelay: NameDelay;
  readonly openFolders: OpenFolders;
  /**
   * Takes one unit of the credential's rate; returns the milliseconds until the next attempt where none is left, else 0.
   */
  takeRate(visitor: Visitor): Promise<number>;
  /** For tests; the others have their defaults. */
  readonly limits?: Partial<SftpLimits>;
}

export interface SftpLimits {
  /** Per client, over all nodes. */
  readonly sessionsMax: number;
  readonly connectionsMax: number;
  /** Connections that have not logged in. */
  readonly strangersMax: number;
  readonly strangersPerNetworkMax: number;
  /**
   * From the connection until the first log-in begins, and until one succeeds: a person may have to look up a password.
   */
  readonly firstLogInMsMax: number;
  readonly logInMsMax: number;
  /** Logged in, without a session. */
  readonly withoutSessionMsMax: number;
  readonly withoutRequestMsMax: number;
  /** The interval at which leases are renewed, and credentials checked. */
  readonly checkEveryMs: number;
  /** The time that requests in progress have when the server stops. */
  readonly graceMsMax: number;
  /** The part of it that files in transfer have to finish. */
  readonly transferMsMax: number;
}

const limitsDefault: SftpLimits = {
  sessionsMax: 8,
  connectionsMax: 500,
  strangersMax: 100,
  strangersPerNetworkMax: 16,
  firstLogInMsMax: 20_000,
  logInMsMax: minuteMs,
  withoutSessionMsMax: 30_000,
  withoutRequestMsMax: 10 * minuteMs,
  checkEveryMs: 8_000,
  graceMsMax: 3_000,
  transferMsMax: 2_000,
};

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  /**
   * Ends the sessions of revoked credentials and suspended clients at once; otherwise that takes up to `checkEveryMs`.
   */
  check(): Promise<void>;
  /** Lets files in transfer and requests in progress finish, then ends every session. */
  stop(): Promise<void>;
}

interface Guest {
  readonly socket: Socket;
  readonly address: string;
  readonly sinceMs: number;
  /** Undefined until the client has identified itself as SSH. */
  held: HeldConnection | undefined;
}

const sweepEveryMs = 1_000;
const purgeEveryMs = 10 * minuteMs;
const keptMs = dayMs;
const farewellMsMax = 1_000;
/** A file that has received no bytes for this time is not in transfer. */
const stalledMsMin = 500;
/** A last request may follow a transfer, such as the rename of a temporary name. */
const quietMsMin = 200;
const transferLookMs = 25;

export async function startSftpServer(context: SftpServerContext): Promise<SftpServer> {
  const { database, clock, ids, log } = context;
  const limits = { ...limitsDefault, ...context.limits };
  const guests = new Map<string, Guest>();
  const passwordChecks = await createPasswordChecks();
  const authentication = createAuthentication({
    database,
    clock,
    log,
    passwordChecks,
    logIns: context.logIns,
    nameDelay: context.nameDelay,
  });
  const slots = createSessionSlots({ database, clock, ids, sessionsMax: limits.sessionsMax });
  /** The remaining work of sessions whose connection is gone. */
  const leaving = new Set<Promise<unknown>>();
  let isStopping = false;
  let turnedAway = 0;
  let purgedMs = clock.now();
  let checking: Promise<void> | undefined;

  const ssh = new ssh2.Server({
    hostKeys: offeredKeys(context.hostKeys),
    algorithms,
    ident: "Crossdock",
    keepaliveInterval: 15_000,
    keepaliveCountMax: 3,
  });
  ssh.on("connection", (connection: Connection, info: { ip: string; port: number }) => {
    const guest = guests.get(keyOf(info.ip, info.port));
    if (guest === undefined || isStopping) {
      connection.on("error", () => {});
      connection.end();
      return;
    }
    const { socket, address } = guest;
    guest.held = holdConnection({
      connection,
      socket,
      address,
      authentication,
      slots,
      clock,
      log,
      openFolders: context.openFolders,
      takeRate: context.takeRate,
      sessionsMax: limits.sessionsMax,
    });
  });

  const isStranger = ({ held }: Guest) => held?.credentialId === undefined;

  function admit(socket: Socket): void {
    // A closed connection has no address any more.
    const { remoteAddress, remotePort } = socket;
    const address = remoteAddress === undefined ? "" : plain(remoteAddress);
    const strangers = [...guests.values()].filter(isStranger);
    const network = networkOf(address);
    const ofNetwork = strangers.filter((guest) => networkOf(guest.address) === network).length;
    const isFull =
      guests.size >= limits.connectionsMax ||
      strangers.length >= limits.strangersMax ||
      ofNetwork >= limits.strangersPerNetworkMax;
    if (remoteAddress === undefined || isStopping || isFull) {
      if (isFull) turnedAway++;
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    const key = keyOf(remoteAddress, remotePort as number);
    const guest: Guest = { socket, address, sinceMs: clock.now(), held: undefined };
    guests.set(key, guest);
    socket.once("close", () => {
      guests.delete(key);
      const rest = Promise.all([...(guest.held?.sessions ?? [])].map((session) => session.ended));
      leaving.add(rest);
      void rest.finally(() => leaving.delete(rest));
    });
    ssh.injectSocket(socket);
  }

  /** Why a connection must end; undefined where it may stay. */
  function overdueOf({ held, sinceMs }: Guest, nowMs: number): string | undefined {
    if (held === undefined || held.stage === "opened") {
      return nowMs - sinceMs > limits.firstLogInMsMax ? "No log-in in time." : undefined;
    }
    if (held.stage === "loggingIn") return nowMs - sinceMs > limits.logInMsMax ? "No log-in in time." : undefined;
    if (held.stage === "idle") {
      return nowMs - held.stageSinceMs > limits.withoutSessionMsMax ? "No session in time." : undefined;
    }
    const lastMs = Math.max(0, ...[...held.sessions].map(({ session }) => session.lastRequestMs));
    return nowMs - lastMs > limits.withoutRequestMsMax ? "No request for too long." : undefined;
  }

  function end({ held, socket }: Guest, reason: string): void {
    if (held === undefined) socket.destroy();
    else held.end(reason).catch((error: Error) => log.error({ err: error }, "an SSH connection did not end cleanly"));
  }

  const ended = new WeakSet<Guest>();
  const sweep = setInterval(() => {
    const nowMs = clock.now();
    for (const guest of guests.values()) {
      const reason = ended.has(guest) ? undefined : overdueOf(guest, nowMs);
      if (reason === undefined) continue;
      ended.add(guest);
      end(guest, reason);
    }
    if (turnedAway === 0) return;
    log.warn({ connections: turnedAway }, "SSH connections were refused: too many are open");
    turnedAway = 0;
  }, sweepEveryMs).unref();

  async function look(): Promise<void> {
    const inside = [...guests.values()].filter((guest) => !isStranger(guest));
    // Read before the leases are renewed: a session that begins meanwhile has a fresh lease.
    const sessions = inside.flatMap(({ held }) => [...(held?.sessions ?? [])]);
    if (sessions.length > 0) {
      const kept = await slots.renew(sessions.map(({ sessionId }) => sessionId));
      for (const { sessionId, session } of sessions) {
        if (!kept.has(sessionId)) session.end("Another session replaced this one while the database was unavailable.");
      }
    }
    if (inside.length > 0) {
      const credentialIds = [...new Set(inside.map(({ held }) => held?.credentialId as string))];
      const good = new Set(await context.logIns.listGood(credentialIds));
      for (const guest of inside) {
        if (good.has(guest.held?.credentialId as string)) continue;
        end(guest, "This credential was revoked, or its client was suspended.");
      }
    }
    if (clock.now() - purgedMs < purgeEveryMs) return;
    purgedMs = clock.now();
    await purgeAccess(database, purgedMs - keptMs);
  }

  /** Waits until no file is in transfer, but at most the time allowed for that. */
  async function transferred({ sessions }: HeldConnection): Promise<void> {
    for (const untilMs = clock.now() + limits.transferMsMax; clock.now() < untilMs; await sleep(transferLookMs)) {
      const nowMs = clock.now();
      const isAtWork = ({ isTransferring, lastRequestMs }: HeldSession["session"]) =>
        nowMs - lastRequestMs < (isTransferring ? stalledMsMin : quietMsMin);
      if (![...sessions].some(({ session }) => isAtWork(session))) return;
    }
  }

  function check(): Promise<void> {
    checking ??= look()
      .catch((error: Error) => log.warn({ err: error }, "SFTP sessions could not be checked"))
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }
  const checks = setInterval(() => void check(), limits.checkEveryMs).unref();

  const listener = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }, admit);
  listener.maxConnections = limits.connectionsMax + limits.strangersMax;
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject).listen(context.port, context.host, resolve);
  });
  const { address: host, port } = listener.address() as AddressInfo;

  return {
    host,
    port,
    check,
    async stop() {
      isStopping = true;
      clearInterval(sweep);
      clearInterval(checks);
      const closed = new Promise((resolve) => listener.close(resolve));
      const open = [...guests.values()];
      const ends = Promise.allSettled(
        open.map(async ({ held, socket }) => {
          if (held === undefined) return socket.destroy();
          await transferred(held);
          await held.end("The server is being stopped.");
        }),
      );
      const grace = new AbortController();
      await Promise.race([
        ends.then(() => Promise.all([...leaving, ...open.map(({ socket }) => gone(socket, grace.signal))])),
        sleep(limits.graceMsMax, undefined, { signal: grace.signal }).catch(() => {}),
      ]);
      grace.abort();
      for (const { socket } of guests.values()) socket.destroy();
      await checking;
      await closed;
    },
  };
}

/** A client closes the connection after the final message; the server does not wait for one that does not. */
async function gone(socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([closed, sleep(farewellMsMax, undefined, { signal }).catch(() => {})]);
}

function keyOf(address: string, port: number): string {
  return `${address} ${port}`;
}

/** An IPv4 address in its own form, where the listener uses IPv6. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** The signature algorithms of an RSA key (RFC 8332). */
const rsaSignatures = ["rsa-sha2-512", "rsa-sha2-256"] as const;

/**
 * The host keys in the form that ssh2 accepts. With an RSA key it also offers `ssh-rsa`, a signature with SHA-1,
 * whatever algorithms are configured. It therefore gets one key object for each of the other two signature algorithms,
 * which names, signs and shows the key accordingly.
 */
function offeredKeys(hostKeys: readonly HostKey[]): ServerConfig["hostKeys"] {
  return hostKeys.flatMap(({ algorithm, privateKey }): ServerConfig["hostKeys"][number][] => {
    if (algorithm !== "ssh-rsa") return [privateKey];
    const parsed = ssh2.utils.parseKey(privateKey) as ParsedKey;
    return rsaSignatures.map((type) => ({ key: Object.create(parsed, { type: { value: type } }) }));
  });
}

/**
 * The offered algorithms: the modern ones that OpenSSH, WinSCP, FileZilla and paramiko have in common. None uses SHA-1,
 * CBC or compression (whose few bytes can become any number). `rsa-sha2-…` is for clients that do not support Ed25519.
 */
const algorithms: Algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    // No larger group: unauthenticated clients could take 20 ms of the only thread for each, and clients that support
    // larger groups support the others.
    "diffie-hellman-group14-sha256",
  ],
  serverHostKey: ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"],
  // In the order of their speed here; the client's order decides.
  cipher: [
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
    "chacha20-poly1305@openssh.com",
  ],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  compress: ["none"],
};

// The SSH server: its listener, its bounds, and what it looks after while connections are open.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import ssh2, { type Algorithms, type Connection, type ParsedKey, type ServerConfig } from "ssh2";
import type { Database } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type NameDelay, networkOf } from "#/kernel/security/log-in-guard.ts";
import { createPasswordChecks } from "#/kernel/security/password-checks.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { OpenFolders, Visitor } from "#/sftp/file-system.ts";
import { purgeAccess } from "#/sftp/server/access-repository.ts";
import { createAuthentication } from "#/sftp/server/authentication.ts";
import { type HeldConnection, type HeldSession, holdConnection } from "#/sftp/server/connection.ts";
import type { HostKey } from "#/sftp/server/host-keys.ts";
import type { LogIns } from "#/sftp/server/log-in.ts";
import { createSessionSlots } from "#/sftp/server/session-slots.ts";

export interface SftpServerContext {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly hostKeys: readonly HostKey[];
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly logIns: LogIns;
  readonly nameDelay: NameDelay;
  readonly openFolders: OpenFolders;
  /** Takes one of the rate of a visitor's credential; answers in how many milliseconds to ask again where there is none. */
  takeRate(visitor: Visitor): Promise<number>;
  /** For tests; what is left out has its usual value. */
  readonly limits?: Partial<SftpLimits>;
}

export interface SftpLimits {
  /** Of a client, over all nodes. */
  readonly sessionsMax: number;
  readonly connectionsMax: number;
  /** Of these, who has not logged in. */
  readonly strangersMax: number;
  readonly strangersPerNetworkMax: number;
  /** Within this a stranger begins to log in; who has begun may be a person with a password to look up. */
  readonly firstLogInMsMax: number;
  readonly logInMsMax: number;
  /** Logged in, without any session. */
  readonly withoutSessionMsMax: number;
  readonly withoutRequestMsMax: number;
  /** How often leases are renewed, and credentials looked at. */
  readonly checkEveryMs: number;
  /** What requests under way have when the server stops. */
  readonly graceMsMax: number;
  /** Of that, what files on their way have to come to their end. */
  readonly transferMsMax: number;
}

const limitsDefault: SftpLimits = {
  sessionsMax: 8,
  connectionsMax: 500,
  strangersMax: 100,
  strangersPerNetworkMax: 16,
  firstLogInMsMax: 20_000,
  logInMsMax: 60_000,
  withoutSessionMsMax: 30_000,
  withoutRequestMsMax: 10 * 60_000,
  checkEveryMs: 8_000,
  graceMsMax: 3_000,
  transferMsMax: 2_000,
};

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  /** Ends at once what revoked credentials and suspended clients have open; else that takes `checkEveryMs`. */
  check(): Promise<void>;
  /** Lets files on their way and requests under way end, then ends every session. */
  stop(): Promise<void>;
}

interface Guest {
  readonly socket: Socket;
  readonly address: string;
  readonly sinceMs: number;
  /** Undefined until it has said that it speaks SSH. */
  held: HeldConnection | undefined;
}

const sweepEveryMs = 1_000;
const purgeEveryMs = 10 * 60_000;
const keptMs = 24 * 60 * 60_000;
const farewellMsMax = 1_000;
/** A file of which nothing has come for so long is not on its way. */
const stalledMsMin = 500;
/** Behind a transfer a last request may follow, such as the renaming of what was put under another name. */
const quietMsMin = 200;
const transferLookMs = 25;

export async function startSftpServer(context: SftpServerContext): Promise<SftpServer> {
  const { database, clock, ids, log } = context;
  const limits = { ...limitsDefault, ...context.limits };
  const guests = new Map<string, Guest>();
  const passwordChecks = await createPasswordChecks();
  const authentication = createAuthentication({
    ...{ database, clock, log, passwordChecks },
    ...{ logIns: context.logIns, nameDelay: context.nameDelay },
  });
  const slots = createSessionSlots({ database, clock, ids, sessionsMax: limits.sessionsMax });
  /** What goes on of sessions whose connection is gone. */
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
      ...{ connection, socket, address, authentication, slots, clock, log },
      openFolders: context.openFolders,
      takeRate: context.takeRate,
      sessionsMax: limits.sessionsMax,
    });
  });

  const isStranger = ({ held }: Guest) => held?.credentialId === undefined;

  function admit(socket: Socket): void {
    // A connection that is gone already has no address any more.
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

  /** Why a connection is to end, if it is. */
  function overdueOf({ held, sinceMs }: Guest, nowMs: number): string | undefined {
    if (held === undefined || held.stage === "opened") {
      return nowMs - sinceMs > limits.firstLogInMsMax ? "There was no log-in." : undefined;
    }
    if (held.stage === "loggingIn") return nowMs - sinceMs > limits.logInMsMax ? "There was no log-in." : undefined;
    if (held.stage === "idle") {
      return nowMs - held.stageSinceMs > limits.withoutSessionMsMax ? "There was no session." : undefined;
    }
    const lastMs = Math.max(0, ...[...held.sessions].map(({ session }) => session.lastRequestMs));
    return nowMs - lastMs > limits.withoutRequestMsMax ? "There was no request for too long." : undefined;
  }

  function end({ held, socket }: Guest, reason: string): void {
    if (held === undefined) socket.destroy();
    else held.end(reason).catch((error: Error) => log.error({ err: error }, "an SSH connection did not end in order"));
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
    log.warn({ connections: turnedAway }, "SSH connections were turned away: too many are open");
    turnedAway = 0;
  }, sweepEveryMs).unref();

  async function look(): Promise<void> {
    const inside = [...guests.values()].filter((guest) => !isStranger(guest));
    // As they were before the leases are: a session that begins meanwhile has a fresh one.
    const sessions = inside.flatMap(({ held }) => [...(held?.sessions ?? [])]);
    if (sessions.length > 0) {
      const kept = await slots.renew(sessions.map(({ sessionId }) => sessionId));
      for (const { sessionId, session } of sessions) {
        if (!kept.has(sessionId)) session.end("Another session took the place of this one while the store was away.");
      }
    }
    if (inside.length > 0) {
      const credentialIds = [...new Set(inside.map(({ held }) => held?.credentialId as string))];
      const good = new Set(await context.logIns.listGood(credentialIds));
      for (const guest of inside) {
        if (good.has(guest.held?.credentialId as string)) continue;
        end(guest, "This credential has been revoked, or its client suspended.");
      }
    }
    if (clock.now() - purgedMs < purgeEveryMs) return;
    purgedMs = clock.now();
    await purgeAccess(database, purgedMs - keptMs);
  }

  /** Until no file is on its way, or for as long as one may take now. */
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
      .catch((error: Error) => log.warn({ err: error }, "SFTP sessions could not be looked after"))
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

/** A client that was told to go closes the connection; one that does not is not waited for. */
async function gone(socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([closed, sleep(farewellMsMax, undefined, { signal }).catch(() => {})]);
}

function keyOf(address: string, port: number): string {
  return `${address} ${port}`;
}

/** An address of IPv4 as such, where the listener is one of IPv6. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** What an RSA key signs as (RFC 8332). */
const rsaSignatures = ["rsa-sha2-512", "rsa-sha2-256"] as const;

/**
 * The host keys as ssh2 takes them. Given an RSA key it offers `ssh-rsa` too, a signature with SHA-1, whatever algorithms
 * it is told; so it is given one of each of the other two kinds of signature, by which it names, signs and shows the key.
 */
function offeredKeys(hostKeys: readonly HostKey[]): ServerConfig["hostKeys"] {
  return hostKeys.flatMap(({ algorithm, privateKey }): ServerConfig["hostKeys"][number][] => {
    if (algorithm !== "ssh-rsa") return [privateKey];
    const parsed = ssh2.utils.parseKey(privateKey) as ParsedKey;
    return rsaSignatures.map((type) => ({ key: Object.create(parsed, { type: { value: type } }) }));
  });
}

/**
 * What is offered to clients: the modern ones that OpenSSH, WinSCP, FileZilla and paramiko have in common, and none with
 * SHA-1, CBC or compression (whose few bytes can become any number). `rsa-sha2-…` is for clients that do not know Ed25519.
 */
const algorithms: Algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    // None of the larger groups: strangers could have 20 ms of our only thread for each, and who knows them knows the others.
    "diffie-hellman-group14-sha256",
  ],
  serverHostKey: ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"],
  // In the order of their speed here; that of the client decides.
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

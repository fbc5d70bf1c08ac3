// One SSH connection: log-in, and its sessions. It serves SFTP only.

import type { Socket } from "node:net";
import type { AuthContext, AuthenticationType, Connection, ServerChannel, Session as SshSession } from "ssh2";
import ssh2, { type PublicKeyAuthContext } from "ssh2";
import type { OpenFolders, Visitor } from "#/intake/sftp/file-system.ts";
import type { Authentication, LogInResult } from "#/intake/sftp/server/authentication.ts";
import type { Wire } from "#/intake/sftp/server/output.ts";
import { disconnectForNow, refuseSession, sendBanner } from "#/intake/sftp/server/refused-session.ts";
import { answerMsMax, type Session, startSession } from "#/intake/sftp/server/session.ts";
import type { SessionSlots } from "#/intake/sftp/server/session-slots.ts";
import type { Clock } from "#/kernel/clock.ts";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { isUnavailable } from "#/store/db/errors.ts";

export interface ConnectionContext {
  readonly connection: Connection;
  readonly socket: Socket;
  readonly address: string;
  readonly authentication: Authentication;
  readonly slots: SessionSlots;
  readonly openFolders: OpenFolders;
  takeRate(visitor: Visitor): Promise<number>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessionsMax: number;
}

/** A session with its id. */
export interface HeldSession {
  readonly sessionId: string;
  readonly session: Session;
  /** Resolves when the session's slot is free again, too. */
  readonly ended: Promise<void>;
}

export interface HeldConnection {
  /** The stage of the connection: opened, at its first log-in, logged in without a session, with a session. */
  readonly stage: "opened" | "loggingIn" | "idle" | "serving";
  readonly stageSinceMs: number;
  /** The credential of the logged-in client. */
  readonly credentialId: string | undefined;
  readonly sessions: ReadonlySet<HeldSession>;
  /** Ends the connection after the requests in progress. */
  end(reason: string): Promise<void>;
}

// Not keyboard-interactive: after a typing error OpenSSH asks a person six times instead of three, each a wrong log-in.
const methods: AuthenticationType[] = ["publickey", "password"];
/** Some clients have many keys, each of which is an attempt. */
const attemptsMax = 30;
const passwordsMax = 6;
/** Opened by the client, with or without requests. */
const channelsMax = 16;
/** The time that a client has to read the final message and to disconnect. */
const farewellMsMax = 1_000;
/** The time that the requests of a lost connection have to finish. */
const leftoverMsMax = 30_000;
/**
 * The bytes that the operating system has not accepted yet. It reports only when all are written, so the limit must be
 * large enough.
 */
const unsentBytesMax = 1024 * 1024;
const notServed = "This server supports SFTP only: no commands, and no copying without SFTP (leave out the -O of scp).";

export function holdConnection(context: ConnectionContext): HeldConnection {
  const { connection, socket, address, authentication, slots, clock, log } = context;
  const sessions = new Set<HeldSession>();
  let stage: HeldConnection["stage"] = "opened";
  let stageSinceMs = clock.now();
  let visitor: Visitor | undefined;
  let attempts = 0;
  let channels = 0;
  let passwords = 0;
  let unknownKeys = 0;
  /** A wrong log-in of this connection has been counted. */
  let isCounted = false;
  let isEnding = false;

  function goTo(next: HeldConnection["stage"]): void {
    stage = next;
    stageSinceMs = clock.now();
  }

  function leave(): void {
    connection.end();
    setTimeout(() => socket.destroy(), farewellMsMax).unref();
  }

  connection.on("error", (error: Error & { level?: string }) => {
    if (error.level !== "socket")
      log.info({ remoteAddress: address, reason: error.message }, "an SSH connection violated the protocol");
    setTimeout(() => socket.destroy(), farewellMsMax).unref();
  });

  connection.on("close", () => {
    // Earlier requests still finish. Nothing else limits a session whose connection is gone.
    setTimeout(() => {
      for (const { session } of sessions) session.end("The connection was lost.");
    }, leftoverMsMax).unref();
    if (visitor !== undefined || unknownKeys === 0 || isCounted) return;
    log.info({ remoteAddress: address, method: "publickey" }, "SFTP log-in refused");
    metrics.sftpLogIns.inc({ outcome: "refused" });
    authentication
      .noteUnknownKeys(address)
      .catch((error: Error) => log.warn({ err: error }, "a wrong log-in could not be counted"));
  });

  function settle(authContext: AuthContext, result: LogInResult): void {
    if (result.kind === "accepted") {
      const { clientId, credentialId } = result.logIn;
      metrics.sftpLogIns.inc({ outcome: "accepted" });
      visitor = { clientId, credentialId, actor: `sftp:${authContext.username}`, origin: address };
      goTo("idle");
      authContext.accept();
      return;
    }
    const reason = result.kind === "wrong" ? "wrong" : result.text;
    if (authContext.method !== "publickey" || result.kind === "refused") {
      log.info({ remoteAddress: address, method: authContext.method, reason }, "SFTP log-in refused");
      metrics.sftpLogIns.inc({ outcome: "refused" });
    }
    if (result.kind === "away") {
      // A refused log-in would read as a wrong password.
      sendBanner(connection, result.text);
      disconnectForNow(connection);
      setTimeout(() => socket.destroy(), farewellMsMax).unref();
      return;
    }
    if (result.kind === "refused") sendBanner(connection, result.text);
    authContext.reject(result.kind === "refused" ? [] : methods);
    if (result.kind === "refused" || passwords >= passwordsMax) leave();
  }

  async function authenticate(authContext: AuthContext): Promise<LogInResult | "known" | "none"> {
    if (authContext.method === "password") {
      // A password change arrives as an object, and is not supported.
      return typeof authContext.password === "string"
        ? authenticatePassword(authContext.username, authContext.password)
        : "none";
    }
    if (authContext.method === "publickey") return authenticateKey(authContext);
    return "none";
  }

  function authenticatePassword(username: string, password: string): Promise<LogInResult> {
    passwords++;
    isCounted = true;
    return authentication.byPassword(address, username, password);
  }

  async function authenticateKey(publicKeyAuthContext: PublicKeyAuthContext): Promise<LogInResult | "known"> {
    const result = await authentication.isKeyOf(address, publicKeyAuthContext.username, publicKeyAuthContext.key.data);
    if (result === "known" && publicKeyAuthContext.signature !== undefined) {
      isCounted = true;
      return authentication.bySignature(address, publicKeyAuthContext.username, (publicKey) =>
        isSignedWith(publicKey, publicKeyAuthContext),
      );
    }
    if (result !== "known" && result.kind === "wrong") unknownKeys++;
    return result;
  }

  connection.on("authentication", (authContext) => {
    // With "none" a client queries the methods, before it asks a person for a password.
    if (stage === "opened") goTo("loggingIn");
    if (authContext.method === "none" || isEnding) {
      authContext.reject(methods);
      return;
    }
    if (++attempts > attemptsMax) {
      authContext.reject([]);
      leave();
      return;
    }
    authenticate(authContext)
      .then((result) => {
        // The client has disconnected; ssh2 throws on an answer.
        if (socket.destroyed) return;
        if (result === "known") authContext.accept();
        else if (result === "none") authContext.reject(methods);
        else settle(authContext, result);
      })
      .catch((error: Error) => {
        log.error({ err: error, remoteAddress: address }, "a log-in could not be checked");
        socket.destroy();
      });
  });

  async function serve(channel: ServerChannel, who: NonNullable<typeof visitor>): Promise<void> {
    const deadline = { atMs: performance.now() + answerMsMax };
    const slot = await withDeadline(deadline, () => slots.take(who.clientId, who.credentialId)).catch(
      (error: Error) => {
        log.warn({ err: error, clientId: who.clientId }, "an SFTP session could not be opened");
        return isUnavailable(error) ? ("away" as const) : Promise.reject(error);
      },
    );
    if (slot === undefined || slot === "away") {
      const many = `${context.sessionsMax} sessions of client ${who.clientId} are open, which is the maximum.`;
      log.info({ remoteAddress: address, clientId: who.clientId, reason: slot ?? "sessions" }, "SFTP session refused");
      refuseSession(channel, slot === "away" ? "The database cannot be reached: try again in a minute." : many);
      return;
    }
    const { sessionId, free } = slot;
    const beganMs = clock.now();
    const fields = { sessionId, clientId: who.clientId, credentialId: who.credentialId };
    log.info({ ...fields, remoteAddress: address }, "SFTP session began");
    const session = startSession({
      channel,
      wire,
      clock,
      folders: context.openFolders(who),
      takeRate: () => context.takeRate(who),
      log: log.child(fields),
    });
    const held: HeldSession = { sessionId, session, ended: finish() };
    sessions.add(held);
    metrics.sftpSessions.inc();
    goTo("serving");
    if (isEnding) session.end("The server is being stopped.");

    async function finish(): Promise<void> {
      await session.ended;
      metrics.sftpSessions.dec();
      log.info({ ...fields, durationMs: clock.now() - beganMs, ...session.counts }, "SFTP session ended");
      // If the database is unavailable, the lease expires.
      await free().catch((error: Error) => log.debug({ err: error }, "a session's slot could not be released"));
      sessions.delete(held);
      if (sessions.size === 0) goTo("idle");
    }
  }

  connection.on("session", (accept, reject) => {
    if (channels >= channelsMax) {
      reject();
      return;
    }
    const session = accept() as SshSession;
    channels++;
    session.once("close", () => {
      channels--;
    });
    session.on("subsystem", (open, refuse, { name }) => {
      if (name !== "sftp" || visitor === undefined || isEnding) {
        refuse?.();
        return;
      }
      const channel = open?.() as ServerChannel | undefined;
      if (channel === undefined) return;
      serve(channel, visitor).catch((error: Error) => {
        log.error({ err: error }, "an SFTP session failed");
        leave();
      });
    });
    session.on("exec", (open, refuse, { command }) => {
      // Without a message, the user cannot know what to change about scp.
      if (!/^scp\s/.test(command)) {
        refuse?.();
        return;
      }
      const channel = open?.() as ServerChannel | undefined;
      channel?.on("error", () => {});
      channel?.stderr.write(`${notServed}\n`);
      channel?.exit(1);
      channel?.end();
    });
  });

  const holding = new Set<ServerChannel>();
  const drains = new Set<() => void>();
  const onDrain = () => {
    const works = [...drains];
    drains.clear();
    for (const work of works) work();
  };
  socket.on("drain", onDrain).on("close", onDrain);
  let isCorked = false;
  const wire: Wire = {
    cork() {
      if (isCorked) return;
      isCorked = true;
      socket.cork();
      process.nextTick(() => {
        isCorked = false;
        socket.uncork();
      });
    },
    hold(channel, isHeld) {
      const before = holding.size;
      if (isHeld) holding.add(channel);
      else holding.delete(channel);
      if (before === 0 && holding.size > 0) socket.pause();
      if (before > 0 && holding.size === 0) socket.resume();
    },
    isFull: () => socket.writableLength > unsentBytesMax && !socket.destroyed,
    onDrain: (work) => drains.add(work),
  };

  return {
    get stage() {
      return stage;
    },
    get stageSinceMs() {
      return stageSinceMs;
    },
    get credentialId() {
      return visitor?.credentialId;
    },
    sessions,
    async end(reason) {
      isEnding = true;
      for (const { session } of sessions) session.end(reason);
      await Promise.all([...sessions].map(({ ended }) => ended));
      leave();
    },
  };
}

type SignedKey = Pick<PublicKeyAuthContext, "key" | "signature" | "blob" | "hashAlgo">;

const rsaHashes: ReadonlySet<string | undefined> = new Set(["sha256", "sha512"]);

/**
 * Whether the client's log-in signature was made with this key; a signature with SHA-1 is invalid.
 * @param publicKey `type base64`
 */
export function isSignedWith(publicKey: string, { key, signature, blob, hashAlgo }: SignedKey): boolean {
  if (signature === undefined || blob === undefined) return false;
  const [type] = publicKey.split(" ");
  if (type !== key.algo || (type === "ssh-rsa" && !rsaHashes.has(hashAlgo))) return false;
  const parsed = ssh2.utils.parseKey(publicKey);
  // `verify` can also return an error, which is truthy.
  return !(parsed instanceof Error) && parsed.verify(blob, signature, hashAlgo) === true;
}

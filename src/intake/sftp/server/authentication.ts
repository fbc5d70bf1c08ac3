// Log-in: wrong log-ins slow an address down and lock it out, never the client (contract sftp.md).
import { setTimeout as sleep } from "node:timers/promises";
import { findAddress, forgetWrong, noteWrong, type StoredFailures } from "#/intake/sftp/server/access-repository.ts";
import { answerMsMax } from "#/intake/sftp/server/session.ts";
import type { Clock } from "#/kernel/clock.ts";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import { type NameDelay, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { PasswordChecks } from "#/kernel/security/password.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Database } from "#/store/db/database.ts";
import { isUnavailable } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

/** A live credential for a log-in, as the clients' module provides it. */
export interface LogIn {
  readonly clientId: string;
  readonly credentialId: string;
  /** Argon2id in the PHC string format; a credential has this or a key. */
  readonly passwordHash: string | null;
  /** `type base64` in OpenSSH's format. */
  readonly publicKey: string | null;
  readonly isSuspended: boolean;
}

export interface LogIns {
  /** The one live credential of a user name. */
  find(username: string): Promise<LogIn | undefined>;
  /** Those of the credentials whose sessions may continue: not revoked, and not of a suspended client. */
  listGood(credentialIds: readonly string[]): Promise<readonly string[]>;
}

export type LogInResult =
  | { readonly kind: "accepted"; readonly logIn: LogIn }
  /** Unknown user, wrong password, wrong key: clients cannot tell them apart. */
  | { readonly kind: "wrong" }
  /** No log-in is possible at present; the text may be shown. */
  | { readonly kind: "refused"; readonly text: string }
  /** Nothing is known about the log-in: the client should try again. */
  | { readonly kind: "away"; readonly text: string };

export interface Authentication {
  byPassword(address: string, username: string, password: string): Promise<LogInResult>;
  /** @param verify whether the client has the private key of this public key, `type base64`. */
  bySignature(address: string, username: string, verify: (publicKey: string) => boolean): Promise<LogInResult>;
  /** Whether the key belongs to the user, so that a signature is worth checking. Never counts as a wrong log-in. */
  isKeyOf(address: string, username: string, key: Buffer): Promise<LogInResult | "known">;
  /** The client offered only unknown keys, and disconnected. */
  noteUnknownKeys(address: string): Promise<void>;
}

type Pause = (ms: number) => Promise<void>;

interface AuthenticationContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly logIns: LogIns;
  readonly passwordChecks: PasswordChecks;
  readonly nameDelay: NameDelay;
  /** For tests: delays an answer. */
  readonly delay?: (ms: number) => Promise<unknown>;
}

const away: LogInResult = { kind: "away", text: "The database cannot be reached: try again in a minute." };
const none: WrongLogIns = { count: 0, lockedUntilMs: undefined };
const wrong: LogInResult = { kind: "wrong" };

export function createAuthentication(context: AuthenticationContext): Authentication {
  const {
    database,
    clock,
    log,
    logIns,
    passwordChecks,
    nameDelay,
    delay = (ms) => sleep(ms, undefined, { ref: false }),
  } = context;
  /**
   * The last log-in in progress of each network: they run one after the other, so that each sees the result of the
   * previous one.
   */
  const lanes = new Map<string, Promise<unknown>>();
  /** When a log-in last found the database away, on the monotonic clock. Those that waited for it do not ask again. */
  let foundAwayMs = Number.NEGATIVE_INFINITY;

  const wrongLogInsOf = ({ failures, lastFailedAt, lockedUntil }: StoredFailures): WrongLogIns => {
    const isForgotten = lockedUntil === null && Date.parse(lastFailedAt) < clock.now() - forgottenAfterMs;
    const lockedUntilMs = lockedUntil === null ? undefined : Date.parse(lockedUntil);
    return isForgotten ? none : { count: failures, lockedUntilMs };
  };

  async function known(place: string): Promise<WrongLogIns> {
    const row = await findAddress(database, place);
    return row ? wrongLogInsOf(row) : none;
  }

  async function note(place: string): Promise<WrongLogIns> {
    const atMs = clock.now();
    const row = await noteWrong(database, {
      address: place,
      atMs,
      wrongMax: wrongLogInsMax,
      forgottenBeforeMs: atMs - forgottenAfterMs,
      lockUntilMs: atMs + lockOutMs,
    });
    const noted = wrongLogInsOf(row);
    if (noted.count === wrongLogInsMax) log.warn({ remoteAddress: place }, "an address was locked out of SFTP");
    return noted;
  }

  async function inLane<T>(place: string, work: () => Promise<T>): Promise<T> {
    const before = lanes.get(place);
    const working = (before ?? Promise.resolve()).then(work, work);
    const lane = working.then(
      () => {},
      () => {},
    );
    lanes.set(place, lane);
    try {
      return await working;
    } finally {
      if (lanes.get(place) === lane) lanes.delete(place);
    }
  }

  const lockedOut = (noted: WrongLogIns): LogInResult => ({
    kind: "refused",
    text: describeLockOut(noted, clock.now()),
  });

  /** @param prove whether the log-in is correct; undefined where this cannot be decided now. */
  function authenticate(
    address: string,
    username: string,
    prove: (logIn: LogIn | undefined, pause: Pause) => Promise<boolean | undefined>,
  ): Promise<LogInResult> {
    const place = networkOf(address);
    const cameMs = performance.now();
    return inLane(place, () =>
      orAway(cameMs, async (pause) => {
        const before = await known(place);
        if (isLockedOut(before, clock.now())) return lockedOut(before);
        const logIn = await logIns.find(username);
        const isRight = await prove(logIn, pause);
        if (isRight === undefined) {
          return { kind: "refused", text: "Too many log-ins at the same time: try again in a minute." };
        }
        if (!isRight || logIn === undefined) {
          const noted = await note(place);
          await pause(delayAfter(noted));
          return isLockedOut(noted, clock.now()) ? lockedOut(noted) : wrong;
        }
        if (before !== none) await forgetWrong(database, place, clock.now());
        return logIn.isSuspended
          ? { kind: "refused", text: `Client ${logIn.clientId} is suspended: contact the operator of this service.` }
          : { kind: "accepted", logIn };
      }),
    );
  }

  /** @param work delays its answer with `pause`, which does not use up its time */
  async function orAway<T>(cameMs: number, work: (pause: Pause) => Promise<T>): Promise<T | LogInResult> {
    if (foundAwayMs > cameMs) return away;
    const deadline = { atMs: performance.now() + answerMsMax };
    const pause: Pause = async (ms) => {
      await delay(ms);
      deadline.atMs += ms;
    };
    try {
      return await withDeadline(deadline, () => work(pause));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, "a log-in could not be checked");
      foundAwayMs = performance.now();
      return away;
    }
  }

  return {
    byPassword: (address, username, password) =>
      authenticate(address, username, async (logIn, pause) => {
        const heldBackMs = nameDelay.of(username);
        if (heldBackMs > 0) await pause(heldBackMs);
        const isRight = await passwordChecks.check(networkOf(address), password, logIn?.passwordHash ?? undefined);
        if (isRight === false) nameDelay.noteWrong(username);
        return isRight;
      }),

    bySignature: (address, username, verify) =>
      authenticate(address, username, async (logIn) => {
        const publicKey = logIn?.publicKey ?? undefined;
        return publicKey !== undefined && verify(publicKey);
      }),

    isKeyOf: (address, username, key) =>
      orAway(performance.now(), async (): Promise<LogInResult | "known"> => {
        const before = await known(networkOf(address));
        if (isLockedOut(before, clock.now())) return lockedOut(before);
        const logIn = await logIns.find(username);
        const stored = logIn?.publicKey?.split(" ")[1];
        return stored !== undefined && key.equals(Buffer.from(stored, "base64")) ? "known" : wrong;
      }),

    async noteUnknownKeys(address) {
      const place = networkOf(address);
      await inLane(place, async () => {
        if (!isLockedOut(await known(place), clock.now())) await note(place);
      });
    },
  };
}

/** The wrong log-ins from an address since its last correct one. */
interface WrongLogIns {
  readonly count: number;
  readonly lockedUntilMs: number | undefined;
}

/** The number in a row after which the address is locked out (contract sftp.md). */
export const wrongLogInsMax = 10;
const lockOutMs = 15 * minuteMs;
/** A wrong log-in is forgotten when none has followed for this time. */
const forgottenAfterMs = hourMs;

const delayMsFirst = 200;
const delayMsMax = 2_000;

/** The delay of the answer to the nth wrong log-in in a row. Other log-ins of the address wait meanwhile. */
export function delayAfter({ count }: WrongLogIns): number {
  return count < 1 ? 0 : Math.min(delayMsMax, delayMsFirst * 2 ** (count - 1));
}

/** A lock with a later end than possible was set by a clock that was ahead. */
export function isLockedOut({ lockedUntilMs }: WrongLogIns, nowMs: number): boolean {
  return lockedUntilMs !== undefined && lockedUntilMs > nowMs && lockedUntilMs <= nowMs + lockOutMs + aheadMsMax;
}

/** For the user who waits. */
export function describeLockOut({ lockedUntilMs = 0 }: WrongLogIns, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((lockedUntilMs - nowMs) / minuteMs));
  return `Too many wrong log-ins from this address: try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}

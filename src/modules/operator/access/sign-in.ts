import { createHash } from "node:crypto";
import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { StoreUnavailableError } from "#/db/errors.ts";
import type { RateLimiter, Take } from "#/http/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { createGate } from "#/kernel/gate.ts";
import { hashPassword, isPasswordOf } from "#/kernel/password.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { makeSessionId, sessionHash } from "#/modules/operator/access/cookie.ts";
import { faultOfPassword, sessionMsMax } from "#/modules/operator/access/domain.ts";
import * as sessions from "#/modules/operator/access/session-repository.ts";
import * as users from "#/modules/operator/access/user-repository.ts";
import { type User, userOf } from "#/modules/operator/access/users.ts";

export interface SignInContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
}

export interface Proof {
  readonly userName: string;
  readonly password: string;
  /** Where the request came from. */
  readonly address: string;
}

export type SignInRefusal =
  | { readonly kind: "throttled"; readonly take: Take }
  | { readonly kind: "refused" }
  | { readonly kind: "bad-password"; readonly detail: string };

export interface SignedIn {
  readonly user: User;
  readonly sessionId: string;
  readonly endsAt: string;
}

export interface SignIn {
  signIn(proof: Proof, change: Change): Promise<Result<SignedIn, SignInRefusal>>;
  /** The session goes on, the user's others end. @param sessionId of the request. */
  changePassword(proof: Proof, wanted: string, sessionId: string, change: Change): Promise<Result<null, SignInRefusal>>;
}

/** Tries of one user name from one address: right and wrong ones alike, so that a guesser who is stopped learns nothing more. */
const triesOfUser = { perSecond: 1 / 20, burst: 10 };
/** Tries from one address, whatever the names: a firm behind one address signs in within a minute. */
const triesOfAddress = { perSecond: 1, burst: 60 };

/** Each verification takes 19 MiB and 27 ms of a processor. */
const verificationsMax = 2;
const waitingMax = 100;

/**
 * Signing in by user name and password, argon2id (contract operations.md §5). A name that does not exist takes as long as
 * one that does, and nobody is told which of name and password is wrong.
 */
export function createSignIn({ database, clock, limiter }: SignInContext): SignIn {
  const gate = createGate(verificationsMax);
  let waiting = 0;
  let nobody: Promise<string> | undefined;

  async function isRight(password: string, hash: string | undefined): Promise<boolean> {
    if (waiting >= waitingMax) throw new StoreUnavailableError("too many sign-ins wait for their turn");
    waiting++;
    try {
      return await gate(async () => {
        nobody ??= hashPassword("nobody has this password");
        const isSame = await isPasswordOf(password, hash ?? (await nobody));
        return isSame && hash !== undefined;
      });
    } finally {
      waiting--;
    }
  }

  function throttled({ userName, address }: Proof): Take | undefined {
    const takes = [
      limiter.take(keyOf("sign-in address", address), triesOfAddress),
      limiter.take(keyOf("sign-in user", address, userName.toLowerCase()), triesOfUser),
    ];
    return takes.find(({ isAllowed }) => !isAllowed);
  }

  /** The user whose name and password these are. */
  async function prove(proof: Proof, change: Change): Promise<Result<users.UserProofRow, SignInRefusal>> {
    const take = throttled(proof);
    if (take) return refused({ kind: "throttled", take });
    const row = await users.findUser(database, proof.userName);
    const isProved = await isRight(proof.password, row?.password_hash);
    if (row && isProved && !row.is_suspended) return ok(row);
    await database.transaction(async (tx) => {
      // A name that nobody has may be a password in the wrong field.
      const objectId = row?.user_name ?? "(unknown)";
      const why = !row || !isProved ? "name or password" : "suspended";
      recordAudit(tx, platformClient, change, {
        action: "sign-in-refused",
        objectType: "user",
        objectId,
        detail: { why },
      });
    });
    return refused({ kind: "refused" });
  }

  return {
    async signIn(proof, change) {
      const proved = await prove(proof, change);
      if (!proved.ok) return proved;
      const user = { ...userOf(proved.value), lastSignInAt: change.at };
      const sessionId = makeSessionId();
      const endsAt = new Date(clock.now() + sessionMsMax).toISOString();
      await database.transaction(async (tx) => {
        sessions.deleteEnded(tx, change.at);
        sessions.insertSession(tx, {
          ...{ sha256: sessionHash(sessionId), userName: user.userName, accessVersion: proved.value.access_version },
          ...{ at: change.at, endsAt, origin: change.origin },
        });
        users.noteSignIn(tx, user.userName, change.at);
        const actor = `user:${user.userName}`;
        const entry = { action: "sign-in", objectType: "user", objectId: user.userName };
        recordAudit(tx, platformClient, { ...change, actor }, entry);
      });
      return ok({ user, sessionId, endsAt });
    },
    async changePassword(proof, wanted, sessionId, change) {
      const fault = faultOfPassword(wanted, proof.userName);
      if (fault !== undefined) return refused({ kind: "bad-password", detail: fault });
      const proved = await prove(proof, change);
      if (!proved.ok) return proved;
      const { user_name: userName } = proved.value;
      const passwordHash = await gate(() => hashPassword(wanted));
      await database.transaction(async (tx) => {
        const version = await users.setPassword(tx, userName, passwordHash);
        sessions.keepOnly(tx, sessionHash(sessionId), userName, version);
        recordAudit(tx, platformClient, change, { action: "change-password", objectType: "user", objectId: userName });
      });
      return ok(null);
    },
  };
}

/** Hashed: the key is bounded in length, and no address is stored. */
function keyOf(what: string, ...parts: readonly string[]): string {
  return `${what} ${createHash("sha256").update(parts.join(" ")).digest("base64url")}`;
}

import { setTimeout as sleep } from "node:timers/promises";
import { nextStepOf } from "#/console-api/access/factors/next-step.ts";
import type { SignInMethods } from "#/console-api/access/hooks.ts";
import { faultOfClientNames, faultOfPassword } from "#/console-api/access/passwords.ts";
import { countRefusal } from "#/console-api/access/refusal-repository.ts";
import { sessionHash } from "#/console-api/access/sign-in/cookie.ts";
import { openSession, openStep, type SignedIn } from "#/console-api/access/sign-in/open-session.ts";
import * as sessions from "#/console-api/access/sign-in/session-repository.ts";
import * as users from "#/console-api/access/user-repository.ts";
import type { SignInStep } from "#/http/access/operator-role.ts";
import type { RateLimiter, Take } from "#/http/access/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { createNameDelay, logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import { createPasswordChecks, hashPassword, type PasswordChecks } from "#/kernel/security/password.ts";
import { listClients } from "#/modules/clients/index.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

export interface SignInContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly signInMethods: Pick<SignInMethods, "secondFactorOf">;
  /** For tests: how long an answer is delayed. */
  readonly delay?: (ms: number) => Promise<unknown>;
}

export interface Proof {
  readonly userName: string;
  readonly password: string;
  /** Source address of the request. */
  readonly address: string;
}

export type SignInRefusal =
  | { readonly kind: "throttled"; readonly take: Take }
  | { readonly kind: "refused" }
  | { readonly kind: "bad-password"; readonly detail: string };

/** Result of name and password: the session, or a session that waits for the second step. */
export interface FirstStep extends SignedIn {
  readonly step: SignInStep;
}

export interface SignIn {
  signIn(proof: Proof, change: Change): Promise<Result<FirstStep, SignInRefusal>>;
  /** Whether name and password match. */
  checkPassword(proof: Proof, change: Change): Promise<Result<null, SignInRefusal>>;
  /** The current session continues, and the user's others end. @param sessionId of the request. */
  changePassword(proof: Proof, wanted: string, sessionId: string, change: Change): Promise<Result<null, SignInRefusal>>;
}

/**
 * Attempts per user name and network. Right and wrong attempts count alike, so that a throttled guesser learns nothing
 * more.
 */
export const triesOfUser = { perSecond: 1 / 20, burst: 10 };
/**
 * Attempts per network, whatever the names: the users of a company behind one address can all sign in within a minute.
 */
export const triesOfNetwork = { perSecond: 1, burst: 60 };

/** The answer for a network whose waiting places are all taken. */
const busy: Take = { isAllowed: false, limit: triesOfNetwork, remaining: 0, resetSeconds: 2, retryAfterSeconds: 2 };

/**
 * Sign-in by user name and password, argon2id (contract operations.md §5). The check of a missing name takes as long as
 * that of an existing one, and the answer does not reveal which of name and password is wrong.
 */
export function createSignIn({ database, clock, limiter, signInMethods, delay = sleep }: SignInContext): SignIn {
  const nameDelay = createNameDelay(limiter, "sign-in");
  let checking: Promise<PasswordChecks> | undefined;

  function throttled({ userName, address }: Proof): Take | undefined {
    const network = networkOf(address);
    const ofNetwork = limiter.take(logInKey("sign-in network", network), triesOfNetwork);
    // A name beyond that writes nothing: with a counter for each, a stranger could fill the store.
    if (!ofNetwork.isAllowed) return ofNetwork;
    const ofUser = limiter.take(logInKey("sign-in user", network, userName.toLowerCase()), triesOfUser);
    return ofUser.isAllowed ? undefined : ofUser;
  }

  /** The user with this name and password. */
  async function prove(proof: Proof, change: Change): Promise<Result<users.UserProof, SignInRefusal>> {
    const take = throttled(proof);
    if (take) return refused({ kind: "throttled", take });
    const heldBackMs = nameDelay.of(proof.userName);
    if (heldBackMs > 0) await delay(heldBackMs);
    const row = await users.findUser(database, proof.userName);
    // A user of the identity provider has a password that no one knows.
    const hash = row?.identityProvider === null ? row.passwordHash : undefined;
    checking ??= createPasswordChecks();
    const isProved = await (await checking).check(networkOf(proof.address), proof.password, hash);
    if (isProved === undefined) return refused({ kind: "throttled", take: busy });
    if (row && isProved && !row.isSuspended) return ok(row);
    if (!isProved) nameDelay.noteWrong(proof.userName);
    // Refusals are counted and not audited: with a row for each, a guesser could fill the store.
    await countRefusal(database, {
      userName: row?.userName,
      reason: isProved ? "SUSPENDED" : "NAME_OR_PASSWORD",
      at: change.at,
      origin: change.origin,
    });
    return refused({ kind: "refused" });
  }

  return {
    async signIn(proof, change) {
      const proved = await prove(proof, change);
      if (!proved.ok) return proved;
      const row = proved.value;
      return database.transaction(async (tx) => {
        const step = await nextStepOf(tx, row, signInMethods.secondFactorOf);
        const opened =
          step === "DONE"
            ? openSession(tx, clock, change, { row, by: "password" })
            : openStep(tx, clock, change, { row, step });
        return ok({ ...opened, step });
      });
    },
    async checkPassword(proof, change) {
      const proved = await prove(proof, change);
      return proved.ok ? ok(null) : proved;
    },
    async changePassword(proof, wanted, sessionId, change) {
      const fault = faultOfPassword(wanted, proof.userName);
      if (fault !== undefined) return refused({ kind: "bad-password", detail: fault });
      const proved = await prove(proof, change);
      if (!proved.ok) return proved;
      const { userName, clientIds } = proved.value;
      const known = (await listClients(database)).filter(({ clientId }) => clientIds?.includes(clientId) ?? true);
      const names = known.flatMap(({ clientId, name }) => [clientId, name]);
      const named = faultOfClientNames(wanted, names);
      if (named !== undefined) return refused({ kind: "bad-password", detail: named });
      const passwordHash = await hashPassword(wanted);
      await database.transaction(async (tx) => {
        const version = await users.setPassword(tx, userName, passwordHash);
        sessions.keepOnly(tx, sessionHash(sessionId), userName, version);
        recordAudit(tx.of(platformClient, change), {
          action: "change-password",
          objectType: "user",
          objectId: userName,
        });
      });
      return ok(null);
    },
  };
}

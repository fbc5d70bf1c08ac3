// Users who sign in through the identity provider. They are created at their first sign-in, and get the role and the
// limits of their groups at each sign-in.

import { createHash } from "node:crypto";
import { isUserName } from "#/console-api/access/domain.ts";
import { countRefusal } from "#/console-api/access/refusal-repository.ts";
import type { Identity } from "#/console-api/access/sign-in/identity-provider.ts";
import { openSession, type SignedIn } from "#/console-api/access/sign-in/open-session.ts";
import * as sessions from "#/console-api/access/sign-in/session-repository.ts";
import * as repository from "#/console-api/access/user-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { ProviderConfig } from "#/kernel/config/config.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type Access, accessOf } from "#/kernel/security/access-rules.ts";
import { hashPassword, makePassword } from "#/kernel/security/password.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

export type IdentityRefusal = "no-group" | "suspended";

export interface ProviderSignInContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly provider: Pick<ProviderConfig, "issuer" | "nameClaim" | "groupsClaim" | "access">;
}

/**
 * The session of a caller that has proved an identity. @param change by `anonymous`: the function determines the user.
 */
export async function signInIdentity(
  { database, clock, provider }: ProviderSignInContext,
  identity: Identity,
  change: Change,
): Promise<Result<SignedIn, IdentityRefusal>> {
  const { issuer, nameClaim, groupsClaim } = provider;
  const { subject, claims } = identity;
  const access = accessOf(provider.access, groupsIn(claims[groupsClaim]));
  const names = userNamesFrom([claims[nameClaim], claims.email], subject);
  return database.transaction(async (tx) => {
    // Sign-ins run one at a time: the first sign-in of an identity creates the user.
    await repository.lockUsers(tx);
    const found = await repository.findUserOfIdentity(tx, issuer, subject);
    if (!access || found?.isSuspended) {
      if (found) sessions.deleteSessionsOf(tx, found.userName);
      const reason = access ? "SUSPENDED" : "NO_GROUP";
      await countRefusal(tx, { userName: found?.userName, reason, at: change.at, origin: change.origin });
      return refused(access ? "suspended" : "no-group");
    }
    const byGroups: Change = { ...change, actor: "identity-provider" };
    const user = found
      ? adapt(tx, byGroups, found, access)
      : await insert(tx, byGroups, { names, access, issuer, subject });
    return ok(openSession(tx, clock, change, { row: user, by: issuer }));
  });
}

/** Some providers send a claim with one group as a text. */
function groupsIn(claim: unknown): ReadonlySet<string> {
  const list = Array.isArray(claim) ? claim : [claim];
  return new Set(list.filter((group) => typeof group === "string"));
}

interface FirstSignIn {
  readonly names: Iterable<string>;
  readonly access: Access;
  readonly issuer: string;
  readonly subject: string;
}

async function insert(
  tx: Transaction,
  change: Change,
  { names, access, ...rest }: FirstSignIn,
): Promise<repository.UserProof> {
  // A password that no one knows: older releases treat a missing one as a fault.
  const passwordHash = await hashPassword(makePassword());
  for (const userName of names) {
    if (!(await repository.insertUser(tx, { ...rest, ...access, passwordHash, userName, at: change.at }))) continue;
    recordAudit(tx.of(platformClient, change), {
      action: "create",
      objectType: "user",
      objectId: userName,
      detail: { ...access, by: rest.issuer },
    });
    break;
  }
  const made = await repository.findUserOfIdentity(tx, rest.issuer, rest.subject);
  if (!made) throw new Error("the names of a user have no end");
  return made;
}

function adapt(tx: Transaction, change: Change, row: repository.UserProof, access: Access): repository.UserProof {
  if (JSON.stringify(pick(row)) === JSON.stringify(pick(access))) return row;
  repository.setAccess(tx, row.userName, { ...access, isSuspended: row.isSuspended });
  sessions.deleteSessionsOf(tx, row.userName);
  recordAudit(tx.of(platformClient, change), {
    action: "change",
    objectType: "user",
    objectId: row.userName,
    detail: { ...access },
  });
  return { ...row, ...pick(access), accessVersion: row.accessVersion + 1 };
}

const pick = ({ role, clientIds, facilityCodes }: Access): Access => ({ role, clientIds, facilityCodes });

const lengthMax = 64;

/**
 * Names for a new user, the best first: the text of a claim, in the letters of user names. Where the name is taken,
 * also by a local account, a number follows, and finally a text that only this subject has: a name alone proves
 * nothing.
 */
export function userNamesFrom(claims: readonly unknown[], subject: string): readonly string[] {
  const subjectHash = createHash("sha256").update(subject).digest("hex").slice(0, 16);
  const stem = claims.flatMap((claim) => (typeof claim === "string" ? plain(claim) : [])).find(isUserName) ?? "user";
  const short = stem.slice(0, lengthMax - subjectHash.length - 1);
  return [stem, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${short}-${number}`), `${short}-${subjectHash}`];
}

function plain(claim: string): string {
  return claim
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._@+-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, lengthMax);
}

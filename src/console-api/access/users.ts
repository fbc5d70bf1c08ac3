import { isUserName, isUserRole, type UserRole, userRoles } from "#/console-api/access/domain.ts";
import { deleteSessionsOf, endSession } from "#/console-api/access/sign-in/session-repository.ts";
import type { User } from "#/console-api/access/user-repository.ts";
import * as repository from "#/console-api/access/user-repository.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { hashPassword, makePassword } from "#/kernel/security/password.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";

/** The limits of what a user may see and do; null: no limit. */
type UserLimits = Pick<User, "clientIds" | "facilityCodes">;

/** Why a user is not created or changed. */
export interface UserRefusal extends Refusal {
  /** The field at fault. */
  readonly field?: "userName" | "role" | "clientIds" | "facilityCodes";
}

export interface NewUser extends Partial<UserLimits> {
  readonly userName: string;
  readonly role: string;
}

export interface MadeUser {
  readonly user: User;
  /** Shown once, in this answer only. */
  readonly password: string;
}

/** Creates a console user with a random password. The answer is the only place where the password appears. */
export async function createUser(
  tx: Transaction,
  change: Change,
  { userName, role, clientIds = null, facilityCodes = null }: NewUser,
): Promise<Result<MadeUser, UserRefusal>> {
  if (!isUserRole(role)) {
    return unprocessable("role", `'${role}' is not a role; the roles are ${userRoles.join(", ")}`);
  }
  if (!isUserName(userName)) {
    return unprocessable(
      "userName",
      `'${userName}' cannot be a user name: use 1 to 64 letters, digits and . _ @ + -, beginning with a letter or digit`,
    );
  }
  const fault =
    faultOfDeveloper({ role, clientIds, facilityCodes }) ?? (await faultOfLimits(tx, { clientIds, facilityCodes }));
  if (fault) return fault;
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  const row = { userName, role, clientIds, facilityCodes, passwordHash, at: change.at };
  if (!(await repository.insertUser(tx, row))) {
    return refused({ kind: "conflict", field: "userName", detail: `user '${userName}' exists already` });
  }
  recordAudit(tx.of(platformClient, change), {
    action: "create",
    objectType: "user",
    objectId: userName,
    detail: { role, ...limitsOf({ clientIds, facilityCodes }) },
  });
  const user = {
    userName,
    role,
    clientIds,
    facilityCodes,
    isSuspended: false,
    createdAt: change.at,
    lastSignInAt: null,
    identityProvider: null,
  };
  return ok({ user, password });
}

/** An omitted field stays unchanged. An empty list is not a limit at all: with it as a limit, a user could see nothing. */
export interface UserChanges extends Partial<UserLimits> {
  readonly role?: UserRole;
  readonly isSuspended?: boolean;
}

/**
 * Changes the permissions of a user, and ends the user's sessions. At least one user must remain who may do everything.
 */
export async function changeUser(
  tx: Transaction,
  change: Change,
  userName: string,
  changes: UserChanges,
): Promise<Result<User, UserRefusal>> {
  const fault = await faultOfLimits(tx, changes);
  if (fault) return fault;
  await repository.lockUsers(tx);
  const row = await repository.findUser(tx, userName);
  if (!row) return unknownUser(userName);
  const before = userOf(row);
  const after: User = { ...before, ...changes };
  const ofRole = faultOfDeveloper(after);
  if (ofRole) return ofRole;
  const changed = (["role", "isSuspended", "clientIds", "facilityCodes"] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return ok(before);
  if (before.identityProvider !== null && changed.some((name) => name !== "isSuspended")) {
    return refused({ kind: "conflict", detail: byGroups(before) });
  }
  if (
    mayEverything(before) &&
    !mayEverything(after) &&
    (await repository.countOtherAdmins(tx, before.userName)) === 0
  ) {
    return refused({
      kind: "conflict",
      detail: "this is the last admin without limits: without one, users can no longer be managed",
    });
  }
  repository.setAccess(tx, before.userName, after);
  deleteSessionsOf(tx, before.userName);
  const onlySuspends = changed.length === 1 && changed[0] === "isSuspended";
  recordAudit(tx.of(platformClient, change), {
    action: onlySuspends ? (after.isSuspended ? "suspend" : "resume") : "change",
    objectType: "user",
    objectId: before.userName,
    detail: Object.fromEntries(changed.map((name) => [name, after[name]])),
  });
  return ok(after);
}

/** Sets a new random password, for a user who has lost the old one, and ends the user's sessions. */
export async function resetPassword(
  tx: Transaction,
  change: Change,
  userName: string,
): Promise<Result<MadeUser, UserRefusal>> {
  const row = await repository.findUser(tx, userName);
  if (!row) return unknownUser(userName);
  if (row.identityProvider !== null) {
    return refused({
      kind: "conflict",
      detail: `user '${row.userName}' signs in through ${row.identityProvider} and has no password here`,
    });
  }
  const password = makePassword();
  await repository.setPassword(tx, row.userName, await hashPassword(password));
  deleteSessionsOf(tx, row.userName);
  recordAudit(tx.of(platformClient, change), {
    action: "reset-password",
    objectType: "user",
    objectId: row.userName,
  });
  return ok({ user: userOf(row), password });
}

/** Ends one session of a user, or all sessions where none is named; the user may sign in again. */
export async function revokeSessions(
  tx: Transaction,
  change: Change,
  userName: string,
  sha256: Buffer | undefined,
): Promise<Result<User, UserRefusal>> {
  const row = await repository.findUser(tx, userName);
  if (!row) return unknownUser(userName);
  if (sha256 === undefined) deleteSessionsOf(tx, row.userName);
  else if (!(await endSession(tx, row.userName, sha256))) {
    return refused({ kind: "notFound", detail: `user '${row.userName}' has no such session; it may have ended` });
  }
  recordAudit(tx.of(platformClient, change), {
    action: "revoke-sessions",
    objectType: "user",
    objectId: row.userName,
    detail: { sessions: sha256 === undefined ? "all" : "one" },
  });
  return ok(userOf(row));
}

export async function showUser(tx: Tx, userName: string): Promise<Result<User, UserRefusal>> {
  const row = await repository.findUser(tx, userName);
  return row ? ok(userOf(row)) : unknownUser(userName);
}

/** Without the proofs. */
export const userOf = ({ passwordHash, accessVersion, ...user }: repository.UserProof): User => user;

const byGroups = ({ userName, identityProvider }: User) =>
  `role and limits of user '${userName}' come from the groups at ${identityProvider}; change the groups there, or the rules of CROSSDOCK_OIDC_ACCESS`;

function mayEverything({ role, isSuspended, clientIds, facilityCodes }: User): boolean {
  return role === "admin" && !isSuspended && clientIds === null && facilityCodes === null;
}

function limitsOf({ clientIds, facilityCodes }: UserLimits): Record<string, readonly string[]> {
  return { ...(clientIds ? { clientIds } : {}), ...(facilityCodes ? { facilityCodes } : {}) };
}

async function faultOfLimits(
  tx: Tx,
  { clientIds, facilityCodes }: Partial<UserLimits>,
): Promise<Result<never, UserRefusal> | undefined> {
  if (clientIds) {
    const known = await repository.listKnownClients(tx, clientIds);
    const unknown = clientIds.find((clientId) => !known.includes(clientId));
    if (unknown !== undefined) return unprocessable("clientIds", `client '${unknown}' does not exist`);
  }
  if (facilityCodes) {
    const known = await repository.listKnownFacilities(tx, facilityCodes);
    const unknown = facilityCodes.find((code) => !known.includes(code));
    if (unknown !== undefined) return unprocessable("facilityCodes", `facility '${unknown}' does not exist`);
  }
  return undefined;
}

function faultOfDeveloper({
  role,
  clientIds,
  facilityCodes,
}: Pick<User, "role" | keyof UserLimits>): Result<never, UserRefusal> | undefined {
  if (role !== "developer") return undefined;
  if (clientIds?.length !== 1) return unprocessable("clientIds", "a developer is limited to exactly one client");
  return facilityCodes === null
    ? undefined
    : unprocessable("facilityCodes", "a developer is not limited to facilities: leave them out");
}

function unprocessable(field: NonNullable<UserRefusal["field"]>, detail: string): Result<never, UserRefusal> {
  return refused({ kind: "unprocessable", field, detail });
}

function unknownUser(userName: string): Result<never, UserRefusal> {
  return refused({ kind: "notFound", detail: `user '${userName}' does not exist` });
}

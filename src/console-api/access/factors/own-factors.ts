// Second factors of a user: enrolment, renaming, removal and reset; each change is audited.

import { factorsMax } from "#/console-api/access/domain.ts";
import type { Factor } from "#/console-api/access/factors/factor-repository.ts";
import * as repository from "#/console-api/access/factors/factor-repository.ts";
import { makeRecoveryCodes, recoveryCodeHash } from "#/console-api/access/factors/recovery-codes.ts";
import { deleteOthers, deleteSessionsOf } from "#/console-api/access/sign-in/session-repository.ts";
import { findUser, type User } from "#/console-api/access/user-repository.ts";
import { type UserRefusal, userOf } from "#/console-api/access/users.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";

export const listOwn = (tx: Tx, userName: string): Promise<Factor[]> =>
  repository.listFactors(tx, userName, factorsMax);

export interface AddedFactor {
  readonly factor: Factor;
  /** Only with the first factor. */
  readonly recoveryCodes: readonly string[] | null;
}

/**
 * Enrols a factor, and with the first one the recovery codes. The user's other sessions then end, because they have no
 * second step.
 *
 * @param insert inserts the row of this factor; returns whether no such factor existed.
 * @param sha256 of the session that continues.
 */
export async function addFactor(
  tx: Transaction,
  change: Change,
  added: Pick<Factor, "factorId" | "kind" | "name"> & { readonly userName: string; readonly sha256: Buffer },
  insert: () => Promise<boolean>,
): Promise<Result<AddedFactor, Refusal>> {
  const { userName, sha256, ...rest } = added;
  await repository.lockFactorsOf(tx, userName);
  const before = await repository.listFactors(tx, userName, factorsMax);
  // A new authenticator app replaces the previous one.
  if (added.kind === "TOTP") repository.deleteTotp(tx, userName);
  else if (before.length === factorsMax) {
    return refused(conflict(`there are ${factorsMax} factors already: remove one first`));
  }
  if (!(await insert())) return refused(conflict("this passkey is already enrolled"));
  const recoveryCodes = before.length === 0 ? makeRecoveryCodes() : null;
  if (recoveryCodes) {
    keepRecoveryCodes(tx, userName, recoveryCodes);
    deleteOthers(tx, sha256, userName);
  }
  audit(tx, change, userName, "add-factor", { kind: added.kind, name: added.name });
  return ok({ factor: { ...rest, createdAt: change.at, lastUsedAt: null }, recoveryCodes });
}

export async function renameFactor(
  tx: Transaction,
  change: Change,
  { userName, factorId, name }: { readonly userName: string; readonly factorId: string; readonly name: string },
): Promise<Result<Factor, Refusal>> {
  if (!(await repository.renameFactor(tx, userName, factorId, name))) return refused(unknownFactor);
  audit(tx, change, userName, "rename-factor", { name });
  const factor = (await listOwn(tx, userName)).find((candidate) => candidate.factorId === factorId);
  return factor ? ok(factor) : refused(unknownFactor);
}

/** @param isRequired whether the role requires a factor: the last one then stays. */
export async function removeFactor(
  tx: Transaction,
  change: Change,
  {
    userName,
    factorId,
    isRequired,
  }: { readonly userName: string; readonly factorId: string; readonly isRequired: boolean },
): Promise<Result<null, Refusal>> {
  await repository.lockFactorsOf(tx, userName);
  const ownFactors = await listOwn(tx, userName);
  const factor = ownFactors.find((candidate) => candidate.factorId === factorId);
  if (!factor) return refused(unknownFactor);
  const isLast = ownFactors.length === 1;
  if (isLast && isRequired) {
    return refused(conflict("the role requires a second factor, and this is the last one: enrol another first"));
  }
  repository.deleteFactor(tx, userName, factorId);
  if (isLast) repository.deleteRecoveryCodes(tx, userName);
  audit(tx, change, userName, "remove-factor", { kind: factor.kind, name: factor.name });
  return ok(null);
}

export async function renewRecoveryCodes(
  tx: Transaction,
  change: Change,
  userName: string,
): Promise<Result<readonly string[], Refusal>> {
  await repository.lockFactorsOf(tx, userName);
  if ((await repository.listFactors(tx, userName, 1)).length === 0) {
    return refused(conflict("recovery codes need a second factor, and the user has none"));
  }
  const codes = makeRecoveryCodes();
  keepRecoveryCodes(tx, userName, codes);
  audit(tx, change, userName, "renew-recovery-codes");
  return ok(codes);
}

/** For a user who has lost everything: deletes factors and recovery codes, and ends the user's sessions. */
export async function resetFactors(
  tx: Transaction,
  change: Change,
  userName: string,
): Promise<Result<User, UserRefusal>> {
  const row = await findUser(tx, userName);
  if (!row) return refused(notFound(`user '${userName}' does not exist`));
  if (row.identityProvider !== null) {
    return refused(
      conflict(`user '${row.userName}' signs in by ${row.identityProvider} and has no second factor here`),
    );
  }
  await repository.lockFactorsOf(tx, row.userName);
  const gone = await repository.deleteFactors(tx, row.userName);
  repository.deleteRecoveryCodes(tx, row.userName);
  deleteSessionsOf(tx, row.userName);
  audit(tx, change, row.userName, "reset-factors", { factors: gone.map(({ kind }) => kind).sort() });
  return ok(userOf(row));
}

const unknownFactor: Refusal = notFound("the user has no such factor");

function keepRecoveryCodes(tx: Transaction, userName: string, codes: readonly string[]): void {
  const hashes = codes.map((code) => recoveryCodeHash(userName, code));
  repository.replaceRecoveryCodes(tx, userName, hashes);
}

function audit(
  tx: Transaction,
  change: Change,
  userName: string,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
) {
  recordAudit(tx.of(platformClient, change), { action, objectType: "user", objectId: userName, detail });
}

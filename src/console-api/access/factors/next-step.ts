import { type FactorName, factorsMax } from "#/console-api/access/domain.ts";
import * as factors from "#/console-api/access/factors/factor-repository.ts";
import type { User } from "#/console-api/access/user-repository.ts";
import type { OperatorRole, SignInStep } from "#/http/access/operator-role.ts";
import type { Tx } from "#/store/db/database.ts";

/** The next step after the right password. @param required roles that need a second factor. */
export async function nextStepOf(tx: Tx, user: User, required: readonly OperatorRole[]): Promise<SignInStep> {
  // The identity provider is responsible for the second factor of its users.
  if (user.identityProvider !== null) return "DONE";
  if ((await factors.listFactors(tx, user.userName, 1)).length > 0) return "FACTOR";
  return required.includes(user.role) ? "ENROLMENT" : "DONE";
}

export type ProofMethod = FactorName | "PASSWORD";

/**
 * The means by which a local user proves their identity in addition to the password, or the password alone where there
 * is not a factor.
 */
export async function methodsOf(tx: Tx, userName: string): Promise<ProofMethod[]> {
  const [ownFactors, codes] = await Promise.all([
    factors.listFactors(tx, userName, factorsMax),
    factors.countRecoveryCodes(tx, userName),
  ]);
  if (ownFactors.length === 0) return ["PASSWORD"];
  const has = (kind: factors.FactorKind) => ownFactors.some((factor) => factor.kind === kind);
  const all = { PASSKEY: has("PASSKEY"), TOTP: has("TOTP"), RECOVERY_CODE: codes > 0 } as const;
  return (Object.keys(all) as FactorName[]).filter((name) => all[name]);
}

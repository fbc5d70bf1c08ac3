import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { hashPassword, makePassword } from "#/kernel/password.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isUserName, isUserRole, type UserRole, userRoles } from "#/modules/operator/domain.ts";
import * as repository from "#/modules/operator/repository.ts";

export interface User {
  readonly username: string;
  readonly role: UserRole;
  readonly createdAt: string;
}

/** A console user with a random password, which is answered here and nowhere else. Refused when the name is bad or taken. */
export async function createUser(
  tx: Transaction,
  change: Change,
  { username, role }: { readonly username: string; readonly role: string },
): Promise<Result<{ readonly username: string; readonly password: string }, string>> {
  if (!isUserRole(role)) return refused(`'${role}' is no role; the roles are ${userRoles.join(", ")}`);
  if (!isUserName(username)) {
    return refused(
      `'${username}' cannot be a user name: it has 1 to 64 letters, digits and . _ @ + -, and starts with a letter or digit`,
    );
  }
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  if (!(await repository.insertUser(tx, { userName: username, role, passwordHash, at: change.at }))) {
    return refused(`user '${username}' exists already`);
  }
  recordAudit(tx, platformClient, change, {
    action: "create",
    objectType: "user",
    objectId: username,
    detail: { role },
  });
  return ok({ username, password });
}

export async function listUsers(tx: Tx): Promise<readonly User[]> {
  const rows = await repository.listUsers(tx);
  return rows.map(({ user_name, role, created_at }) => ({ username: user_name, role, createdAt: created_at }));
}

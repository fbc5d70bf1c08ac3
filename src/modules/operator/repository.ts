import type { Transaction, Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import type { UserRole } from "#/modules/operator/domain.ts";

const listMax = 10_000;

export interface UserRow {
  readonly user_name: string;
  readonly role: UserRole;
  readonly created_at: string;
}

/** Answers whether it was inserted: not where the name is taken, ignoring case. */
export async function insertUser(
  tx: Transaction,
  user: { userName: string; role: UserRole; passwordHash: string; at: string },
): Promise<boolean> {
  const { userName, role, passwordHash, at } = user;
  const rows = await tx.query(
    sql`insert into console_user (user_name, role, password_hash, created_at)
      select ${userName}, ${role}, ${passwordHash}, ${at}::timestamptz
      where not exists (select from console_user where lower(user_name) = lower(${userName}))
      on conflict do nothing returning user_name`,
  );
  return rows.length > 0;
}

export function listUsers(tx: Tx): Promise<UserRow[]> {
  return tx.query(sql`select user_name, role, created_at from console_user order by user_name limit ${listMax}`);
}

import type { Static } from "typebox";
import { factor } from "#/console-api/access/factors/contract.ts";
import type { Passkey } from "#/console-api/access/factors/passkeys.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import type { Resealed, SealedTable } from "#/store/db/schema/sealed-table.ts";
import { sql } from "#/store/db/sql.ts";

export type Factor = Static<typeof factor>;
export type FactorKind = Factor["kind"];

const columns = columnsOf(factor, "console_factor");

/** Factors in the order in which they were added. */
export function listFactors(tx: Tx, userName: string, limit: number): Promise<Factor[]> {
  return tx.query(
    sql`select ${columns} from console_factor where user_name = ${userName}
      order by created_at, factor_id limit ${limit}`,
  );
}

/**
 * Locks the row to the end of the transaction: a user's codes are checked one after the other, so that no code is
 * accepted twice.
 */
export async function lockTotp(tx: Transaction, userName: string): Promise<Totp | undefined> {
  const rows = await tx.query<Totp>(
    sql`select factor_id as "factorId", secret_sealed as "secretSealed", last_step as step, wrong_codes as "wrongCodes"
      from console_factor
      where user_name = ${userName} and kind = 'TOTP' limit 1 for update`,
  );
  return rows[0];
}

export interface NewTotp {
  readonly factorId: string;
  readonly userName: string;
  readonly name: string;
  readonly secretSealed: string;
  /** The step of the last accepted code. */
  readonly step: number;
  readonly at: string;
}

type Totp = Pick<NewTotp, "factorId" | "secretSealed" | "step"> & { readonly wrongCodes: number };

export function insertTotp(tx: Transaction, { factorId, userName, name, secretSealed, step, at }: NewTotp): void {
  tx.send(
    sql`insert into console_factor (factor_id, user_name, kind, name, created_at, secret_sealed, last_step)
      values (${factorId}, ${userName}, 'TOTP', ${name}, ${at}::timestamptz, ${secretSealed}, ${step})`,
  );
}

export function noteRightCode(tx: Transaction, factorId: string, step: number, at: string): void {
  tx.send(
    sql`update console_factor set last_step = ${step}, wrong_codes = 0, last_used_at = ${at}::timestamptz
      where factor_id = ${factorId}`,
  );
}

export function noteWrongCode(tx: Transaction, factorId: string): void {
  tx.send(sql`update console_factor set wrong_codes = wrong_codes + 1 where factor_id = ${factorId}`);
}

/** Resets the count of wrong codes after another proof: earlier wrong codes have no meaning any more. */
export function forgetWrongCodes(tx: Transaction, userName: string): void {
  tx.send(
    sql`update console_factor set wrong_codes = 0 where user_name = ${userName} and kind = 'TOTP' and wrong_codes > 0`,
  );
}

type StoredPasskey = Passkey & { readonly factorId: string };

const passkeyColumns = sql`factor_id as "factorId", credential_id as "credentialId", public_key as "publicKey",
  sign_count as "signCount", transports`;

export function listPasskeys(tx: Tx, userName: string, limit: number): Promise<StoredPasskey[]> {
  return tx.query(
    sql`select ${passkeyColumns} from console_factor
      where user_name = ${userName} and kind = 'PASSKEY' order by factor_id limit ${limit}`,
  );
}

/** Locks the row to the end of the transaction: uses of a passkey are checked one after the other, by its counter. */
export async function lockPasskey(
  tx: Transaction,
  userName: string,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const rows = await tx.query<StoredPasskey>(
    sql`select ${passkeyColumns} from console_factor
      where credential_id = ${credentialId} and user_name = ${userName} limit 1 for update`,
  );
  return rows[0];
}

export interface NewPasskey extends StoredPasskey {
  readonly userName: string;
  readonly name: string;
  readonly at: string;
}

/** Returns whether it was inserted; false where a user has the passkey already. */
export async function insertPasskey(tx: Tx, newPasskey: NewPasskey): Promise<boolean> {
  const rows = await tx.query(
    sql`insert into console_factor (factor_id, user_name, kind, name, created_at, credential_id, public_key, sign_count,
        transports)
      values (${newPasskey.factorId}, ${newPasskey.userName}, 'PASSKEY', ${newPasskey.name}, ${newPasskey.at}::timestamptz, ${newPasskey.credentialId},
        ${Buffer.from(newPasskey.publicKey)}, ${newPasskey.signCount}, ${newPasskey.transports}::text[])
      on conflict do nothing returning factor_id`,
  );
  return rows.length > 0;
}

export function notePasskeyUse(tx: Transaction, factorId: string, signCount: number, at: string): void {
  tx.send(
    sql`update console_factor set sign_count = ${signCount}, last_used_at = ${at}::timestamptz
      where factor_id = ${factorId}`,
  );
}

/** Returns whether the factor existed. */
export async function renameFactor(tx: Tx, userName: string, factorId: string, name: string): Promise<boolean> {
  const rows = await tx.query(
    sql`update console_factor set name = ${name} where factor_id = ${factorId} and user_name = ${userName}
      returning factor_id`,
  );
  return rows.length > 0;
}

export function deleteFactor(tx: Transaction, userName: string, factorId: string): void {
  tx.send(sql`delete from console_factor where factor_id = ${factorId} and user_name = ${userName}`);
}

/** Returns the deleted factors. */
export function deleteFactors(tx: Tx, userName: string): Promise<Pick<Factor, "kind">[]> {
  return tx.query(sql`delete from console_factor where user_name = ${userName} returning kind`);
}

export function deleteTotp(tx: Transaction, userName: string): void {
  tx.send(sql`delete from console_factor where user_name = ${userName} and kind = 'TOTP'`);
}

export function replaceRecoveryCodes(tx: Transaction, userName: string, hashes: readonly Buffer[]): void {
  deleteRecoveryCodes(tx, userName);
  for (const hash of hashes) {
    tx.send(sql`insert into console_recovery_code (user_name, code_sha256) values (${userName}, ${hash})`);
  }
}

export function deleteRecoveryCodes(tx: Transaction, userName: string): void {
  tx.send(sql`delete from console_recovery_code where user_name = ${userName}`);
}

/** Returns whether the code existed and was unused. */
export async function useRecoveryCode(tx: Tx, userName: string, sha256: Buffer, at: string): Promise<boolean> {
  const rows = await tx.query(
    sql`update console_recovery_code set used_at = ${at}::timestamptz
      where user_name = ${userName} and code_sha256 = ${sha256} and used_at is null returning user_name`,
  );
  return rows.length > 0;
}

export async function countRecoveryCodes(tx: Tx, userName: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*) as count from console_recovery_code where user_name = ${userName} and used_at is null`,
  );
  return rows[0]?.count ?? 0;
}

/** Locks the user, so that changes of factors run one after the other: each change first reads the existing factors. */
export async function lockFactorsOf(tx: Transaction, userName: string): Promise<void> {
  await tx.query(sql`select user_name from console_user where user_name = ${userName} limit 1 for update`);
}

/** The context under which a TOTP secret is sealed. */
export const totpContext = (factorId: string) => `console_factor ${factorId}`;

const beforeAll = "00000000-0000-0000-0000-000000000000";

/** The second-factor data that is sealed under the master key: the secrets of TOTP. */
export const sealedFactors: SealedTable = {
  table: "console_factor",
  columns: ["secret_sealed"],
  isOfClients: false,
  async list(tx, after, limit) {
    const rows = await tx.plain.query<{ factor_id: string; secret_sealed: string | null }>(
      sql`select factor_id, secret_sealed from console_factor
        where factor_id > ${after === "" ? beforeAll : after}::uuid order by factor_id limit ${limit}`,
    );
    return rows.map(({ factor_id: key, secret_sealed: sealed }) => ({
      key,
      texts: sealed === null ? [] : [{ column: "secret_sealed", sealed, context: totpContext(key) }],
    }));
  },
  replace: (tx, _column, texts) => replaceSealed(tx.plain, texts),
};

async function replaceSealed(tx: Transaction, texts: readonly Resealed[]): Promise<number> {
  const records = JSON.stringify(texts.map(({ key, before, after }) => ({ key, before, after })));
  const rows = await tx.query(
    sql`update console_factor f set secret_sealed = x.after
      from json_to_recordset(${records}::json) as x(key uuid, before text, after text)
      where f.factor_id = x.key and f.secret_sealed = x.before returning f.factor_id`,
  );
  return rows.length;
}

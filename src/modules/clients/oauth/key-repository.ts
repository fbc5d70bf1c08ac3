import type { JWK } from "jose";
import type { Transaction, Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

export interface SigningKeyRow {
  readonly key_id: string;
  readonly public_jwk: JWK;
  readonly private_jwk_encrypted: string;
  readonly created_at: string;
  /** No token is signed with it from here on. */
  readonly retires_at: string;
}

/** Keys that retire after the given moment, newest first. */
export function listSigningKeys(tx: Tx, retiringAfter: string): Promise<SigningKeyRow[]> {
  return tx.query(
    sql`select key_id, public_jwk, private_jwk_encrypted, created_at, retires_at from signing_key
      where retires_at > ${retiringAfter}::timestamptz order by created_at desc, key_id limit 100`,
  );
}

export async function insertSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.query(
    sql`insert into signing_key (key_id, public_jwk, private_jwk_encrypted, created_at, retires_at)
      values (${key.key_id}, ${JSON.stringify(key.public_jwk)}::jsonb, ${key.private_jwk_encrypted},
        ${key.created_at}::timestamptz, ${key.retires_at}::timestamptz)`,
  );
}

export async function deleteSigningKeys(tx: Tx, retiredBefore: string): Promise<void> {
  await tx.query(sql`delete from signing_key where retires_at < ${retiredBefore}::timestamptz`);
}

/** Any number that nothing else locks on; the same on all nodes. */
const signingKeyLock = 7_233_042_027;

/** Held to the end of the transaction: one node at a time looks whether a key is needed, and makes it. */
export async function lockSigningKeys(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${signingKeyLock}::bigint) is null as locked`);
}

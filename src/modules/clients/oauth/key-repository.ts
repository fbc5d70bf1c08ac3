import type { JWK } from "jose";
import type { Transaction, Tx } from "#/store/db/database.ts";
import type { Resealed, SealedRow, SealedTable } from "#/store/db/schema/sealed-table.ts";
import { sql } from "#/store/db/sql.ts";

export interface StoredSigningKey {
  readonly keyId: string;
  readonly publicJwk: JWK;
  readonly privateJwkEncrypted: string;
  readonly createdAt: string;
  /** It signs from this moment, and is published before. */
  readonly signsFrom: string;
  /** It signs no token from this moment. */
  readonly retiresAt: string;
}

/** Keys that retire after the given moment, newest first. */
export function listSigningKeys(tx: Tx, retiringAfter: string): Promise<StoredSigningKey[]> {
  return tx.query(
    sql`select key_id as "keyId", public_jwk as "publicJwk", private_jwk_encrypted as "privateJwkEncrypted",
        created_at as "createdAt", coalesce(signs_from, created_at) as "signsFrom", retires_at as "retiresAt"
      from signing_key
      where retires_at > ${retiringAfter}::timestamptz order by coalesce(signs_from, created_at) desc, key_id limit 100`,
  );
}

export async function insertSigningKey(tx: Tx, key: StoredSigningKey): Promise<void> {
  await tx.query(
    sql`insert into signing_key (key_id, public_jwk, private_jwk_encrypted, created_at, signs_from, retires_at)
      values (${key.keyId}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.privateJwkEncrypted},
        ${key.createdAt}::timestamptz, ${key.signsFrom}::timestamptz, ${key.retiresAt}::timestamptz)`,
  );
}

/** @returns the number of deleted keys. */
export async function deleteSigningKeys(tx: Tx, retiredBefore: string): Promise<number> {
  const rows = await tx.query(
    sql`delete from signing_key where retires_at < ${retiredBefore}::timestamptz returning key_id`,
  );
  return rows.length;
}

/** Ends keys that would sign beyond a moment at that moment. @returns their number. */
export async function retireSigningKeys(tx: Tx, at: string, except: string): Promise<number> {
  const rows = await tx.query(
    sql`update signing_key set retires_at = ${at}::timestamptz
      where retires_at > ${at}::timestamptz and key_id <> ${except} returning key_id`,
  );
  return rows.length;
}

/** Deletes the other keys: their tokens become invalid. @returns the number of keys. */
export async function deleteOtherSigningKeys(tx: Tx, keyId: string): Promise<number> {
  const rows = await tx.query(sql`delete from signing_key where key_id <> ${keyId} returning key_id`);
  return rows.length;
}

/** Keys after an id, in the order of their ids. */
export function listSealedSigningKeys(tx: Tx, after: string, limit: number): Promise<SealedSigningKey[]> {
  return tx.query(
    sql`select key_id as "keyId", private_jwk_encrypted as "privateJwkEncrypted" from signing_key where key_id > ${after} order by key_id limit ${limit}`,
  );
}

export type SealedSigningKey = Pick<StoredSigningKey, "keyId" | "privateJwkEncrypted">;

export async function replaceSealedSigningKeys(tx: Tx, texts: readonly Resealed[]): Promise<number> {
  const rows = await tx.query(
    sql`update signing_key k set private_jwk_encrypted = x.after
      from json_to_recordset(${JSON.stringify(texts)}::json) as x(key text, before text, after text)
      where k.key_id = x.key and k.private_jwk_encrypted = x.before returning k.key_id`,
  );
  return rows.length;
}

/** An arbitrary number that no other lock uses; the same on all nodes. */
const signingKeyLock = 7_233_042_027;

/** Locks until the end of the transaction: one node at a time checks whether a key is needed, and creates it. */
export async function lockSigningKeys(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${signingKeyLock}::bigint) is null as locked`);
}

const column = "private_jwk_encrypted";

/** The context under which a signing key's private half is sealed. */
export function signingKeyContext(keyId: string): string {
  return `signing_key ${keyId}`;
}

const rowOf = ({ keyId, privateJwkEncrypted: sealed }: SealedSigningKey): SealedRow => ({
  key: keyId,
  texts: [{ column, sealed, context: signingKeyContext(keyId) }],
});

/** The sealed columns of the keys of access tokens. */
export const sealedSigningKeys: SealedTable = {
  table: "signing_key",
  columns: [column],
  isOfClients: false,
  list: async (tx, after, limit) => (await listSealedSigningKeys(tx.plain, after, limit)).map(rowOf),
  replace: (tx, _column, texts) => replaceSealedSigningKeys(tx.plain, texts),
};

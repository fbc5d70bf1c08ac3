import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

export interface StoredAnswer {
  readonly operation: string;
  readonly body_sha256: Buffer;
  readonly status: number;
  readonly answer: { readonly headers: Readonly<Record<string, string>>; readonly body: object | null };
}

/** Written so that no index matches: the look-up uses the key, and must not scan all keys that have not expired. */
const isExpired = (at: string) => sql`(expires_at - ${at}::timestamptz <= interval '0')`;

export async function findAnswer(tx: ClientTx, key: string, at: string): Promise<StoredAnswer | undefined> {
  const rows = await tx.query<StoredAnswer>(sql`select operation, body_sha256, status, answer from rest_idempotency
      where client_id = ${tenant} and idempotency_key = ${key} and ${isExpired(at)} is false limit 1`);
  return rows[0];
}

export interface NewAnswer {
  readonly key: string;
  readonly operation: string;
  readonly bodySha256: Buffer;
  readonly status: number;
  readonly answer: object;
  readonly at: string;
  readonly expiresAt: string;
}

/**
 * The primary key decides: a key that another transaction bound first fails this transaction, which is then retried.
 */
export function keepAnswer(tx: ClientTransaction, newAnswer: NewAnswer): void {
  tx.send(sql`delete from rest_idempotency
      where client_id = ${tenant} and idempotency_key = ${newAnswer.key} and ${isExpired(newAnswer.at)}`);
  tx.send(sql`insert into rest_idempotency (client_id, idempotency_key, operation, body_sha256, status, answer, expires_at)
      values (${tenant}, ${newAnswer.key}, ${newAnswer.operation}, ${newAnswer.bodySha256}, ${newAnswer.status}, ${JSON.stringify(newAnswer.answer)}::json,
        ${newAnswer.expiresAt}::timestamptz)`);
}

/** Deletes expired answers. @returns how many were deleted; fewer than `limit`: none are left. */
export async function purgeAnswers(tx: ClientTx, at: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from rest_idempotency r
      where r.client_id = ${tenant} and r.idempotency_key = any(array(
        select o.idempotency_key from rest_idempotency o
        where o.client_id = ${tenant} and o.expires_at > '-infinity' and o.expires_at < ${at}::timestamptz
        order by o.expires_at limit ${limit}))
      returning r.status`);
  return rows.length;
}

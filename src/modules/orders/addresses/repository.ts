import type { CorrectedFields } from "#/modules/labels/index.ts";
import type { AddressVerdict } from "#/modules/orders/addresses/verdicts.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

const addressCheck = table("address_check", ["order_id"], {
  order_id: "text",
  verdict: "text",
  address_key: "text?",
  reason: "text?",
  correction: "jsonb?",
  source_code: "text?",
  checked_at: "timestamptz?",
  due_at: "timestamptz?",
  deadline_at: "timestamptz",
});
const insertAll = insertInto(addressCheck, { onConflict: "replace" });

export const insertChecks = insertAll.send;

export interface StoredCheck {
  readonly verdict: AddressVerdict;
  /** In words of the verifier. */
  readonly reason: string | null;
  readonly correction: CorrectedFields | null;
  readonly sourceCode: string | null;
  /** When the verifier answered, ISO 8601 UTC. */
  readonly checkedAt: string | null;
}

const columns = sql`c.verdict, c.reason, c.correction, c.source_code as "sourceCode", c.checked_at as "checkedAt"`;

/** The latest answers about these addresses since a moment, by key. */
export async function findAnswers(
  tx: ClientTx,
  keys: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, StoredCheck>> {
  const rows = await tx.query<StoredCheck & { readonly addressKey: string }>(
    sql`select distinct on (c.address_key) c.address_key as "addressKey", ${columns} from address_check c
      where c.client_id = ${tenant} and c.address_key = any(${keys}::text[]) and c.checked_at is not null
        and c.checked_at > ${since}::timestamptz
      order by c.address_key, c.checked_at desc limit 1000`,
  );
  return new Map(rows.map(({ addressKey, ...answer }) => [addressKey, answer]));
}

/** The check of an order, if it is about this address. */
export async function findCheck(tx: ClientTx, orderId: string, addressKey: string): Promise<StoredCheck | undefined> {
  const rows = await tx.query<StoredCheck>(sql`select ${columns} from address_check c
      where c.client_id = ${tenant} and c.order_id = ${orderId} and c.address_key = ${addressKey} limit 1`);
  return rows[0];
}

export interface DueCheck {
  readonly orderId: string;
  readonly addressKey: string;
  readonly deadlineAt: string;
}

/** Due checks, claimed until the lease ends: a worker that dies leaves them to another one. */
export function claimChecks(
  tx: ClientTx,
  { at, leaseUntil, limit }: { readonly at: string; readonly leaseUntil: string; readonly limit: number },
): Promise<DueCheck[]> {
  return tx.query(sql`update address_check c set due_at = ${leaseUntil}::timestamptz
      from (select order_id from address_check
        where client_id = ${tenant} and due_at is not null and due_at <= ${at}::timestamptz
        order by due_at limit ${limit} for no key update skip locked) d
      where c.client_id = ${tenant} and c.order_id = d.order_id
      returning c.order_id as "orderId", c.address_key as "addressKey", c.deadline_at as "deadlineAt"`);
}

/** Plans another attempt, unless the order has another address by now. */
export function postponeCheck(tx: ClientTransaction, { orderId, addressKey }: DueCheck, dueAt: string): void {
  tx.send(sql`update address_check set due_at = ${dueAt}::timestamptz
      where client_id = ${tenant} and order_id = ${orderId} and address_key = ${addressKey} and due_at is not null`);
}

/** Ends a check. @returns false: the order has another address by now, or the check has ended */
export async function endCheck(
  tx: ClientTransaction,
  { orderId, addressKey }: DueCheck,
  { verdict, reason, correction, sourceCode, checkedAt }: StoredCheck,
): Promise<boolean> {
  const rows = await tx.query(sql`update address_check set verdict = ${verdict}, reason = ${reason},
        correction = ${correction && JSON.stringify(correction)}::jsonb, source_code = ${sourceCode},
        checked_at = ${checkedAt}::timestamptz, due_at = null
      where client_id = ${tenant} and order_id = ${orderId} and address_key = ${addressKey} and due_at is not null
      returning order_id`);
  return rows.length > 0;
}

// Blanking the feed documents of orders: the bytes go, what was judged of them stays without the values.
import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantSend } from "#/db/tenant.ts";
import { dropPayloads } from "#/feeds/repository.ts";

export interface BlankedFeed {
  readonly token: string;
  readonly ack: Buffer;
  readonly findings: object | null;
}

/** Hash, keys and token stay: a document that is sent again is known as one that was there before. */
export function blankFeeds(tx: Transaction, clientId: string, feeds: readonly BlankedFeed[]): void {
  if (feeds.length === 0) return;
  const tokens = feeds.map(({ token }) => token);
  const rows = feeds.map(({ token, ack, findings }) => ({ k: token, a: ack.toString(), f: findings }));
  dropPayloads(tx, clientId, tokens);
  tenantSend(
    tx,
    clientId,
    sql`update feed_document d set ack = convert_to(x.a, 'UTF8'), findings = x.f
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(k uuid, a text, f jsonb)
      where d.client_id = ${tenant} and d.token = x.k`,
  );
  // Its file leaves /archive or /rejected with its bytes; the ACK that is still listed is as long as it is now.
  const sizes = feeds.map(({ token, ack }) => ({ k: token, a: ack.length }));
  const files = sql`json_to_recordset(${JSON.stringify(sizes)}::json) as x(k uuid, a integer)`;
  tenantSend(
    tx,
    clientId,
    sql`update feed_file f set filed_as = null, ack_bytes = x.a from ${files}
      where f.client_id = ${tenant} and f.is_accepted = true and f.token = any(${tokens}::uuid[]) and f.token = x.k
        and f.ordinal > 0`,
  );
  tenantSend(
    tx,
    clientId,
    sql`update feed_file f set filed_as = null, ack_bytes = x.a from ${files}
      where f.client_id = ${tenant} and f.is_accepted = false and f.token = any(${tokens}::uuid[]) and f.token = x.k
        and f.ordinal > 0`,
  );
}

import type { Channel } from "#/intake/feeds/intake/submission.ts";
import type { PayloadEncoding } from "#/intake/feeds/payload.ts";
import type { Findings } from "#/intake/feeds/repository.ts";
import { accepted, type FeedState } from "#/intake/feeds/states.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface DocumentWithPayload {
  readonly feed_type: FeedType;
  readonly channel: Channel;
  readonly state: FeedState;
  readonly received_at: string;
  readonly unparked_at: string | null;
  /** Null where the payload must not be stored; the following columns are then null too. */
  readonly content_type: string | null;
  readonly encoding: PayloadEncoding | null;
  readonly payload: Buffer | null;
}

export async function findDocumentWithPayload(tx: ClientTx, token: string): Promise<DocumentWithPayload | undefined> {
  const rows =
    await tx.query<DocumentWithPayload>(sql`select d.feed_type, d.channel, d.state, d.received_at, d.unparked_at, p.content_type, p.encoding, p.payload
      from feed_document d left join feed_payload p on p.client_id = ${tenant} and p.token = ${token}::uuid
      where d.client_id = ${tenant} and d.token = ${token}::uuid limit 1`);
  return rows[0];
}

export interface LockedDocument {
  readonly token: string;
  readonly feed_type: FeedType;
  readonly state: FeedState;
  readonly object_id: string | null;
  readonly findings: Findings | null;
  readonly ack: Buffer;
}

/** Locks and reads the documents; no other transaction settles them before this one ends. */
export function lockDocuments(tx: ClientTransaction, tokens: readonly string[]): Promise<LockedDocument[]> {
  return tx.query(sql`select token, feed_type, state, object_id, findings, ack from feed_document
      where client_id = ${tenant} and token = any(${tokens}::uuid[]) order by token limit 1000 for update`);
}

/** Settles a reprocessed document that is still in the state in which it was validated. */
export async function settleDocument(
  tx: ClientTransaction,
  document: {
    readonly token: string;
    readonly from: FeedState;
    readonly state: FeedState;
    readonly ack: Buffer;
    readonly findings: Findings | undefined;
    readonly at: string;
  },
): Promise<boolean> {
  const { token, from, state, ack, findings, at } = document;
  const rows =
    await tx.query(sql`update feed_document set state = ${state}, ack = ${ack}, findings = ${JSON.stringify(findings ?? null)}::jsonb,
        completed_at = case when ${state} = 'REJECTED' then ${at}::timestamptz end,
        unparked_at = case when ${state} = 'ACCEPTED' then ${at}::timestamptz end
      where client_id = ${tenant} and token = ${token}::uuid and state = ${from}
      returning token`);
  return rows.length === 1;
}

/** Moves a document to a state in which it waits for an outcome, without validating it. */
export async function moveDocument(
  tx: ClientTransaction,
  document: {
    readonly token: string;
    readonly from: FeedState;
    readonly state: FeedState;
    readonly findings: Findings | null;
  },
): Promise<boolean> {
  const { token, from, state, findings } = document;
  const rows = await tx.query(sql`update feed_document set state = ${state}, completed_at = null, overdue_at = null,
        findings = ${JSON.stringify(findings)}::jsonb
      where client_id = ${tenant} and token = ${token}::uuid and state = ${from}
      returning token`);
  return rows.length === 1;
}

/** The documents whose object has a later accepted document, with the token of that one. */
export function findOvertaken(
  tx: ClientTx,
  feedType: FeedType,
  documents: readonly { readonly token: string; readonly objectId: string }[],
): Promise<{ token: string; later: string }[]> {
  const rows = documents.map(({ token, objectId }) => ({ token, object_id: objectId }));
  // The query uses the smallest token and not the first row: the order of receipt makes PostgreSQL scan all later
  // documents.
  return tx.query(sql`select given.token, l.later
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(token uuid, object_id text) cross join lateral (
        select min(d.token::text) as later from feed_document d
        where d.client_id = ${tenant} and d.object_id = given.object_id and d.object_id > '' and d.token > given.token
          and d.feed_type = ${feedType} and d.state in ${accepted}
      ) l
      where l.later is not null limit 1000`);
}

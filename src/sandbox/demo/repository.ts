// The demo's own state, and rows of its past that no API accepts.

import { feedDocument } from "#/intake/feeds/tables.ts";
import type { ClientTransaction, ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

export interface DemoStage {
  readonly stage: string;
  readonly started_at: string;
  readonly done_at: string | null;
}

const stagesMax = 100;

export function listStages(tx: Tx): Promise<DemoStage[]> {
  return tx.query(sql`select stage, started_at, done_at from demo_stage order by started_at, stage limit ${stagesMax}`);
}

/** Returns whether the stage is new. If two nodes begin a stage concurrently, the second waits for the first. */
export async function beginStage(tx: Tx, stage: string, at: string): Promise<boolean> {
  const rows = await tx.query(
    sql`insert into demo_stage (stage, started_at) values (${stage}, ${at}::timestamptz)
      on conflict (stage) do nothing returning stage`,
  );
  return rows.length > 0;
}

export async function endStage(tx: Tx, stage: string, at: string): Promise<void> {
  await tx.query(sql`update demo_stage set done_at = ${at}::timestamptz where stage = ${stage}`);
}

/** Whether an event of the client waits to be published. */
export async function hasPending(tx: ClientTx): Promise<boolean> {
  const rows = await tx.query(sql`select o.outbox_id from outbox o where o.client_id = ${tenant} and o.state = 'PENDING'
      order by o.object_id limit 1`);
  return rows.length > 0;
}

/** An accepted document of the past, whose result is in the store. */
export interface PastDocument {
  readonly token: string;
  readonly type: string;
  readonly channel: "HTTP" | "SFTP";
  readonly objectId: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly settledAt: string;
  readonly sha256: Buffer;
  readonly payload: Buffer;
  readonly ack: Buffer;
}

const insertSettled = insertInto(feedDocument, {
  columns: ["token", "feed_type", "channel", "state", "object_id", "received_at", "completed_at", "body_bytes"],
  with: { sha256_base64: "text", ack_base64: "text" },
  also: { body_sha256: sql`decode(given.sha256_base64, 'base64')`, ack: sql`decode(given.ack_base64, 'base64')` },
});

export function insertPastDocuments(tx: ClientTransaction, documents: readonly PastDocument[]): void {
  const rows = documents.map((document) => ({
    token: document.token,
    feed_type: document.type,
    channel: document.channel,
    state: "PROCESSED",
    object_id: document.objectId,
    received_at: document.receivedAt,
    completed_at: document.settledAt,
    body_bytes: document.payload.byteLength,
    sha256_base64: document.sha256.toString("base64"),
    ack_base64: document.ack.toString("base64"),
  }));
  insertSettled.send(tx, rows);
  const payloads = documents.map(({ token, payload }) => ({ token, payload: payload.toString("base64") }));
  tx.send(sql`insert into feed_payload (client_id, token, content_type, encoding, payload)
      select t.client_id, given.token, 'application/xml', 'identity', decode(given.payload, 'base64')
      from tenant t cross join json_to_recordset(${JSON.stringify(payloads)}::json) as given(token uuid, payload text)
      where t.client_id = ${tenant}`);
}

/** Sets the demo's clients that are worked by hand. An operator's earlier choice stays. */
export async function keepByHand(tx: Tx, clientIds: readonly string[], at: string): Promise<void> {
  await tx.query(
    sql`insert into warehouse_sim_setting (only_row, speed, manual_client_ids, changed_at, changed_by)
      values (true, null, ${clientIds}::text[], ${at}::timestamptz, 'seed')
      on conflict (only_row) do nothing returning only_row`,
  );
}

/** Locks the demo until the transaction ends, so that only one of several nodes creates it. */
export async function lockDemo(tx: Transaction, stage: string): Promise<void> {
  await tx.query(sql`select stage from demo_stage where stage = ${stage} limit 1 for update`);
}

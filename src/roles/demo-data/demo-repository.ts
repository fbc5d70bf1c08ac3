// What the demo keeps of its own making, and rows of its past that no door would take.
import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

export interface DemoStage {
  readonly stage: string;
  readonly begun_at: string;
  readonly done_at: string | null;
}

const stagesMax = 100;

export function listStages(tx: Tx): Promise<DemoStage[]> {
  return tx.query(sql`select stage, begun_at, done_at from demo_stage order by begun_at, stage limit ${stagesMax}`);
}

/** Answers whether it was not there: of two that begin a stage at once, the second one waits for the first. */
export async function beginStage(tx: Tx, stage: string, at: string): Promise<boolean> {
  const rows = await tx.query(
    sql`insert into demo_stage (stage, begun_at) values (${stage}, ${at}::timestamptz)
      on conflict (stage) do nothing returning stage`,
  );
  return rows.length > 0;
}

export async function endStage(tx: Tx, stage: string, at: string): Promise<void> {
  await tx.query(sql`update demo_stage set done_at = ${at}::timestamptz where stage = ${stage}`);
}

/** Whether something of the client waits to be published. */
export async function hasPending(tx: Tx, clientId: string): Promise<boolean> {
  const rows = await tenantQuery(
    tx,
    clientId,
    sql`select o.outbox_id from outbox o where o.client_id = ${tenant} and o.state = 'PENDING' limit 1`,
  );
  return rows.length > 0;
}

/** A document of the past, which was accepted and led to what stands in the store. */
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

export function insertPastDocuments(tx: Transaction, clientId: string, documents: readonly PastDocument[]): void {
  const rows = documents.map((document) => ({
    ...{ k: document.token, t: document.type, c: document.channel, o: document.objectId },
    ...{ r: document.receivedAt, s: document.settledAt, h: document.sha256.toString("base64") },
    ...{ n: document.payload.byteLength, p: document.payload.toString("base64"), a: document.ack.toString("base64") },
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into feed_document as d (client_id, token, feed_type, channel, state, object_id, received_at, settled_at,
        body_sha256, body_bytes, ack)
      select t.client_id, x.k, x.t, x.c, 'PROCESSED', x.o, x.r, x.s, decode(x.h, 'base64'), x.n, decode(x.a, 'base64')
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(k uuid, t text, c text, o text,
        r timestamptz, s timestamptz, h text, n integer, a text)
      where t.client_id = ${tenant}`,
  );
  tenantSend(
    tx,
    clientId,
    sql`insert into feed_payload as d (client_id, token, content_type, encoding, payload)
      select t.client_id, x.k, 'application/xml', 'identity', decode(x.p, 'base64')
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(k uuid, p text)
      where t.client_id = ${tenant}`,
  );
}

/** The demo's own choice of who is worked by hand; what somebody has chosen before stays. */
export async function keepByHand(tx: Tx, clientIds: readonly string[], at: string): Promise<void> {
  await tx.query(
    sql`insert into warehouse_sim_setting (only_row, speed, by_hand, changed_at, changed_by)
      values (true, null, ${clientIds}::text[], ${at}::timestamptz, 'seed')
      on conflict (only_row) do nothing returning only_row`,
  );
}

/** Locks the demo until the transaction ends, so that of several nodes one makes it. */
export async function lockDemo(tx: Transaction, stage: string): Promise<void> {
  await tx.query(sql`select stage from demo_stage where stage = ${stage} limit 1 for update`);
}

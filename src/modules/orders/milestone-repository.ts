import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

/** A track-and-trace code of an order or one of its parcels (lifecycle.md §9). */
export interface Milestone {
  readonly orderId: string;
  readonly milestoneId: string;
  readonly olpnId?: string | undefined;
  readonly code: number;
  /** When it happened, ISO 8601 UTC. */
  readonly at: string;
  readonly receivedAt: string;
  readonly location?: string | undefined;
  readonly text?: string | undefined;
  /** The carrier's own word. */
  readonly rawCode?: string | undefined;
}

export function insertMilestones(tx: Transaction, clientId: string, milestones: readonly Milestone[]): void {
  if (milestones.length === 0) return;
  const rows = milestones.map((milestone) => ({
    o: milestone.orderId,
    i: milestone.milestoneId,
    p: milestone.olpnId,
    c: milestone.code,
    a: milestone.at,
    r: milestone.receivedAt,
    l: milestone.location,
    t: milestone.text,
    w: milestone.rawCode,
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into order_milestone as m
        (client_id, order_id, milestone_id, olpn_id, code, at, received_at, location, text, raw_code)
      select t.client_id, x.o, x.i, x.p, x.c, x.a, x.r, x.l, x.t, x.w
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, i uuid, p text, c smallint,
        a timestamptz, r timestamptz, l text, t text, w text)
      where t.client_id = ${tenant}`,
  );
}

export interface MilestoneRow {
  readonly order_id: string;
  readonly olpn_id: string | null;
  readonly code: number;
  readonly at: string;
}

/** What has happened to these orders, at most `limit` of it. */
export function listMilestones(
  tx: Tx,
  clientId: string,
  orderIds: readonly string[],
  limit: number,
): Promise<MilestoneRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select order_id, olpn_id, code, at from order_milestone
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by order_id, at, code, milestone_id limit ${limit}`,
  );
}

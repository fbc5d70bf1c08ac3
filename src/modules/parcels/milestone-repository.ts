import type { ClientTx } from "#/db/database.ts";
import { byColumn, setOf } from "#/db/row-set.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { CarrierCode } from "#/modules/parcels/domain.ts";

/** A parcel's code in order_milestone. */
export interface ParcelMilestone extends CarrierCode {
  readonly orderId: string;
  readonly olpnId: string;
  readonly receivedAt: string;
  readonly location: string | undefined;
  readonly text: string | undefined;
  /** The carrier's own code. */
  readonly rawCode: string | undefined;
}

const milestonesMax = 200_000;

interface ParcelMilestoneRow {
  readonly order_id: string;
  readonly olpn_id: string;
  readonly code: number;
  readonly at: string;
  readonly received_at: string;
  readonly location: string | null;
  readonly text: string | null;
  readonly raw_code: string | null;
}

/** The milestones of these orders' parcels, in the order of their events. */
export async function listParcelMilestones(tx: ClientTx, orderIds: readonly string[]): Promise<ParcelMilestone[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx.query<ParcelMilestoneRow>(
    setOf(
      orderIds,
      (ids) => sql`select order_id, olpn_id, code, at, received_at, location, text, raw_code from order_milestone
        where client_id = ${tenant} and order_id = any(${ids}::text[]) and olpn_id is not null
        order by order_id, at, received_at, milestone_id limit ${milestonesMax}`,
      { keys: byColumn("order_id") },
    ),
  );
  return rows.map(milestoneOf);
}

/** The milestones of some parcels of one order. */
export async function listMilestonesOf(
  tx: ClientTx,
  orderId: string,
  olpnIds: readonly string[],
): Promise<ParcelMilestone[]> {
  if (olpnIds.length === 0) return [];
  const rows =
    await tx.query<ParcelMilestoneRow>(sql`select order_id, olpn_id, code, at, received_at, location, text, raw_code from order_milestone
      where client_id = ${tenant} and order_id = ${orderId} and olpn_id = any(${olpnIds}::text[])
      order by at, received_at, milestone_id limit ${milestonesMax}`);
  return rows.map(milestoneOf);
}

const milestoneOf = (row: ParcelMilestoneRow): ParcelMilestone => ({
  orderId: row.order_id,
  olpnId: row.olpn_id,
  code: row.code,
  at: row.at,
  receivedAt: row.received_at,
  location: row.location ?? undefined,
  text: row.text ?? undefined,
  rawCode: row.raw_code ?? undefined,
});

import Type from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { type OlpnEvent, olpnEvent } from "#/modules/parcels/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** A parcel's code in order_milestone. */
export interface ParcelMilestone extends Omit<OlpnEvent, "name"> {
  readonly orderId: string;
  readonly olpnId: string;
  /** The carrier's own code. */
  readonly rawCode: string | null;
}

const milestonesMax = 200_000;
const columns = sql`order_id as "orderId", olpn_id as "olpnId", raw_code as "rawCode",
  ${columnsOf(Type.Omit(olpnEvent, ["name"]), "order_milestone")}`;

/** The milestones of these orders' parcels, in the order of their events. */
export async function listParcelMilestones(tx: ClientTx, orderIds: readonly string[]): Promise<ParcelMilestone[]> {
  if (orderIds.length === 0) return [];
  return tx.query(
    setOf(
      orderIds,
      (ids) => sql`select ${columns} from order_milestone
        where client_id = ${tenant} and order_id = any(${ids}::text[]) and olpn_id is not null
        order by order_id, at, received_at, milestone_id limit ${milestonesMax}`,
      { reads: "order_milestone", keys: byColumn("orderId") },
    ),
  );
}

/** The milestones of some parcels of one order. */
export async function listMilestonesOf(
  tx: ClientTx,
  orderId: string,
  olpnIds: readonly string[],
): Promise<ParcelMilestone[]> {
  if (olpnIds.length === 0) return [];
  return tx.query(sql`select ${columns} from order_milestone
      where client_id = ${tenant} and order_id = ${orderId} and olpn_id = any(${olpnIds}::text[])
      order by at, received_at, milestone_id limit ${milestonesMax}`);
}

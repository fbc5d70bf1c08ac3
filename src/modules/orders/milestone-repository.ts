import { eventCodes } from "#/kernel/event-codes.ts";
import { orderMilestone } from "#/modules/orders/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

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
  /** The carrier's own code. */
  readonly rawCode?: string | undefined;
}

const insertAll = insertInto(orderMilestone);

export function insertMilestones(tx: ClientTransaction, milestones: readonly Milestone[]): void {
  const rows = milestones.map((milestone) => ({
    order_id: milestone.orderId,
    milestone_id: milestone.milestoneId,
    olpn_id: milestone.olpnId,
    code: milestone.code,
    at: milestone.at,
    received_at: milestone.receivedAt,
    location: milestone.location,
    text: milestone.text,
    raw_code: milestone.rawCode,
  }));
  insertAll.send(tx, rows);
}

/** Codes at which an order stands aside; they leave its milestone as it is (lifecycle.md §9). */
const asides: ReadonlySet<number> = new Set([35, 48]);

/** Whether the code is a step forward in the life of its order, which an order makes once. */
export const isForward = (code: number): boolean => eventCodes[code]?.isException !== true && !asides.has(code);

const forwardCodes = Object.keys(eventCodes).map(Number).filter(isForward);

/** The highest code about each whole order that is a step forward; an order without codes is missing. */
export async function findReached(tx: ClientTx, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await tx.query<{ readonly order_id: string; readonly code: number }>(
    setOf(
      orderIds,
      (set) => sql`select order_id, max(code) as code from order_milestone
        where client_id = ${tenant} and order_id = any(${set}::text[]) and olpn_id is null
          and code = any(${forwardCodes}::smallint[])
        group by order_id limit ${set.length}`,
      { reads: "order_milestone", keys: byColumn("order_id") },
    ),
  );
  return new Map(rows.map(({ order_id, code }) => [order_id, code]));
}

/** The first codes of every order: Order Received and Order Validated. */
export const codesOfReceipt = [10, 20] as const;

export type ListedMilestone = Pick<Milestone, "orderId" | "code" | "at">;

/** Milestones of these orders, at most `limit`. */
export function listMilestones(tx: ClientTx, orderIds: readonly string[], limit: number): Promise<ListedMilestone[]> {
  return tx.query(sql`select order_id as "orderId", code, at from order_milestone
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by order_id, at, code, milestone_id limit ${limit}`);
}

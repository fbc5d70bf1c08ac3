import type { RoutingRule } from "#/intake/feeds/intake/definition.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { RoutingCandidate } from "#/modules/orders/routing/router.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

/** A choice among facilities, with its reasons. */
export interface RoutingDecision {
  readonly rule: RoutingRule;
  /** Of an order that moved for lack of stock. */
  readonly movedFrom: string | null;
  readonly candidates: readonly RoutingCandidate[];
}

const insertAll = insertInto(
  table("routing_decision", ["order_id", "decision_id"], {
    order_id: "text",
    decision_id: "uuid",
    rule: "text",
    moved_from: "text?",
    candidates: "json",
  }),
);

export function insertDecisions(
  tx: UnitOfWork,
  decisions: readonly (RoutingDecision & { readonly orderId: string })[],
): void {
  if (decisions.length === 0) return;
  const rows = decisions.map(({ orderId, rule, movedFrom, candidates }) => ({
    order_id: orderId,
    decision_id: tx.change.ids.next(Date.parse(tx.change.at)),
    rule,
    moved_from: movedFrom ?? undefined,
    candidates: candidates.map(({ facilityCode, lacks, measure }) => [facilityCode, lacks, measure]),
  }));
  insertAll.send(tx, rows);
}

type StoredCandidate = readonly [facilityCode: string, lacks: string | null, measure: string | null];

/** The latest decision about an order. @param fromMs no decision of the order is older */
export async function findDecision(
  tx: ClientTx,
  orderId: string,
  fromMs: number,
): Promise<RoutingDecision | undefined> {
  const rows = await tx.query<
    Omit<RoutingDecision, "candidates"> & { readonly candidates: readonly StoredCandidate[] }
  >(sql`select rule, moved_from as "movedFrom", candidates from routing_decision
      where client_id = ${tenant} and order_id = ${orderId} and decision_id > ${idBoundary(fromMs)}::uuid
      order by decision_id desc limit 1`);
  return rows.map((row) => ({
    ...row,
    candidates: row.candidates.map(([facilityCode, lacks, measure]) => ({ facilityCode, lacks, measure })),
  }))[0];
}

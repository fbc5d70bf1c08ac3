import type { Choice } from "#/modules/carriers/decision/decide.ts";
import {
  type CarrierRequest,
  choiceOf,
  packDecision,
  type StoredChoice,
  type StoredDecision,
  unpackDecision,
} from "#/modules/carriers/determination/decision-record.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

/** The purpose of a decision: a requested shipment, an order, or a packed parcel. */
export type Purpose = "SHIPMENT" | "ORDER" | "PARCEL";

export interface NewDecision {
  readonly decisionId: string;
  readonly orderId: string | undefined;
  readonly olpnId: string | undefined;
  readonly purpose: Purpose;
  readonly owner: string;
  readonly dataVersion: number;
  /** ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly request: CarrierRequest;
  readonly decision: StoredDecision;
}

const insertAll = insertInto(
  table("carrier_decision", ["decision_id"], {
    decision_id: "uuid",
    order_id: "text?",
    olpn_id: "text?",
    purpose: "text",
    owner: "text",
    data_version: "integer",
    decided_at: "timestamptz",
    request: "jsonb",
    decision: "json",
  }),
);

/** Stores decisions that were made together, in one statement. */
export function insertDecisions(tx: ClientTransaction, decisions: readonly NewDecision[]): void {
  const rows = decisions.map((decision) => ({
    decision_id: decision.decisionId,
    order_id: decision.orderId,
    olpn_id: decision.olpnId,
    purpose: decision.purpose,
    owner: decision.owner,
    data_version: decision.dataVersion,
    decided_at: decision.decidedAt,
    request: decision.request,
    decision: packDecision(tx, decision.decision),
  }));
  insertAll.send(tx, rows);
}

/** A stored decision, with the objects that it is about. */
type FoundDecision = Pick<NewDecision, "owner" | "dataVersion" | "decidedAt" | "decision"> &
  Readonly<Record<"orderId" | "olpnId", string | null>>;

export async function findDecision(tx: ClientTx, decisionId: string): Promise<FoundDecision | undefined> {
  const rows =
    await tx.query<FoundDecision>(sql`select order_id as "orderId", olpn_id as "olpnId", owner, data_version as "dataVersion", decided_at as "decidedAt",
        decision
      from carrier_decision
      where client_id = ${tenant} and decision_id = ${decisionId} limit 1`);
  const [row] = rows;
  return row && { ...row, decision: unpackDecision(row.decision) };
}

/** The fields of a decision that a back-test needs. */
export interface PastDecision {
  readonly decisionId: string;
  readonly decidedAt: string;
  readonly request: CarrierRequest;
  readonly chosen: Choice | null;
}

/**
 * Decisions by time, after the first id and before the last one. It leaves out decisions whose request was blanked with
 * the personal data of its order.
 */
export async function listPastDecisions(
  tx: ClientTx,
  { after, before, limit }: { readonly after: string; readonly before: string; readonly limit: number },
): Promise<PastDecision[]> {
  const rows = await tx.query<
    Omit<PastDecision, "chosen"> & { readonly first: StoredChoice | null }
  >(sql`select decision_id as "decisionId", decided_at as "decidedAt", request, decision->'choices'->0 as first from carrier_decision
      where client_id = ${tenant} and decision_id > ${after} and decision_id < ${before} and not request ? 'isBlanked'
      order by decision_id limit ${limit}`);
  return rows.map(({ first, ...past }) => ({ ...past, chosen: first && choiceOf(first) }));
}

/** The result of a decision about an order or one of its parcels. */
export interface LatestDecision {
  readonly decisionId: string;
  readonly olpnId: string | null;
  readonly decidedAt: string;
  readonly chosen: Choice | null;
  /** Number of services that did not fit. */
  readonly rejected: number;
}

/** The latest decision about an order. @param firstId no decision of the order has a smaller id */
export async function findLatestDecision(
  tx: ClientTx,
  orderId: string,
  firstId: string,
): Promise<LatestDecision | undefined> {
  const rows = await tx.query<
    Omit<LatestDecision, "chosen"> & { readonly first: StoredChoice | null }
  >(sql`select decision_id::text as "decisionId", olpn_id as "olpnId", decided_at as "decidedAt", decision->'choices'->0 as first,
        json_array_length(decision->'rejected') as rejected
      from carrier_decision
      where client_id = ${tenant} and order_id = ${orderId} and decision_id > ${firstId}::uuid
      order by decision_id desc limit 1`);
  return rows.map(({ first, ...latest }) => ({ ...latest, chosen: first && choiceOf(first) }))[0];
}

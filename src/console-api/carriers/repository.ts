import {
  type DecisionSummary,
  decision,
  type SetSummary,
  type StoredSet,
  setSummary,
  storedSet,
} from "#/console-api/carriers/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";

/** The owner of the operator's default is an empty text in the store. */
const clientId = sql`nullif(owner, '')`;

const summaryColumns = columnsOf(setSummary, "carrier_data", {
  clientId,
  services: sql`jsonb_array_length(coalesce(data->'services', '[]'))`,
  rateCards: sql`jsonb_array_length(coalesce(data->'rateCards', '[]'))`,
  rules: sql`jsonb_array_length(coalesce(data->'rules', '[]'))`,
});
const setColumns = columnsOf(storedSet, "carrier_data", { clientId });

/** Versions of an owner's sets before the given one, the newest first. */
export function listSets(tx: Tx, owner: string, before: number, limit: number): Promise<SetSummary[]> {
  return tx.query(
    sql`select ${summaryColumns}
      from carrier_data where owner = ${owner} and version < ${before} order by version desc limit ${limit}`,
  );
}

/** A version of the owner's sets; without a version, the active set. */
export async function findSet(tx: Tx, owner: string, version: number | undefined): Promise<StoredSet | undefined> {
  const rows = await tx.query<StoredSet>(
    sql`select ${setColumns} from carrier_data
      where owner = ${owner} and activated_at is not null and version = coalesce(${version ?? null}::integer, (
        select max(version) from carrier_data where owner = ${owner} and activated_at is not null))
      limit 1`,
  );
  return rows[0];
}

const decisionColumns = columnsOf(decision, "carrier_decision", {
  distributionCentre: sql`request->>'distributionCentre'`,
  country: sql`request->'shipTo'->>'country'`,
  carrierCode: sql`decision->'choices'->0->>0`,
  serviceCode: sql`decision->'choices'->0->>1`,
});

export interface DecisionPageRequest {
  readonly orderId: string | undefined;
  /** Null: all. */
  readonly facilityCodes: readonly string[] | null;
  /** Ids below `before`, and not below `from`. */
  readonly before: string;
  readonly from: string;
  readonly limit: number;
}

/** The last of the newest `looked` decisions, without any filter; undefined where there are fewer. */
export async function findReachOfDecisions(tx: ClientTx, before: string, looked: number): Promise<string | undefined> {
  const rows = await tx.query<{
    decision_id: string;
  }>(sql`select decision_id from carrier_decision where client_id = ${tenant} and decision_id < ${before}::uuid
      order by decision_id desc limit 1 offset ${looked - 1}`);
  return rows[0]?.decision_id;
}

/** Decisions of a client before the given one, the newest first; only those of an order where an order is named. */
export function listDecisions(tx: ClientTx, of: DecisionPageRequest): Promise<DecisionSummary[]> {
  const { facilityCodes } = of;
  const conditions = allOf([
    of.orderId === undefined ? undefined : sql`order_id = ${of.orderId} and order_id is not null`,
    facilityCodes === null ? undefined : sql`request->>'distributionCentre' = any(${facilityCodes}::text[])`,
  ]);
  return tx.query(sql`select ${decisionColumns}
      from carrier_decision
      where client_id = ${tenant} and decision_id >= ${of.from}::uuid and decision_id < ${of.before}::uuid and ${conditions}
      order by decision_id desc limit ${of.limit}`);
}

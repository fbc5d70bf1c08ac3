import type { ClientTx, Tx } from "#/db/database.ts";
import { allOf, sql, tenant } from "#/db/sql.ts";

/** A set of carrier data without its contents. */
export interface SetRow {
  readonly owner: string;
  readonly version: number;
  readonly note: string | null;
  readonly created_by: string;
  /** Null while it is a draft. */
  readonly activated_at: string | null;
  readonly services: number;
  readonly rate_cards: number;
  readonly rules: number;
}

/** Versions of an owner's sets before the given one, the newest first. */
export function listSets(tx: Tx, owner: string, before: number, limit: number): Promise<SetRow[]> {
  return tx.query(
    sql`select owner, version, note, created_by, activated_at,
        jsonb_array_length(coalesce(data->'services', '[]')) as services,
        jsonb_array_length(coalesce(data->'rateCards', '[]')) as rate_cards,
        jsonb_array_length(coalesce(data->'rules', '[]')) as rules
      from carrier_data where owner = ${owner} and version < ${before} order by version desc limit ${limit}`,
  );
}

export interface WholeSetRow {
  readonly owner: string;
  readonly version: number;
  readonly note: string | null;
  readonly created_by: string;
  readonly activated_at: string | null;
  readonly data: object;
}

/** A version of the owner's sets; without a version, the active set. */
export async function findSet(tx: Tx, owner: string, version: number | undefined): Promise<WholeSetRow | undefined> {
  const rows = await tx.query<WholeSetRow>(
    sql`select owner, version, note, created_by, activated_at, data from carrier_data
      where owner = ${owner} and activated_at is not null and version = coalesce(${version ?? null}::integer, (
        select max(version) from carrier_data where owner = ${owner} and activated_at is not null))
      limit 1`,
  );
  return rows[0];
}

export interface DecisionSummaryRow {
  readonly decision_id: string;
  readonly order_id: string | null;
  readonly olpn_id: string | null;
  readonly purpose: string;
  readonly data_version: number;
  readonly decided_at: string;
  readonly facility: string;
  readonly country: string;
  /** Carrier and service; null where none was eligible. */
  readonly carrier_code: string | null;
  readonly service_code: string | null;
}

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
export function listDecisions(tx: ClientTx, of: DecisionPageRequest): Promise<DecisionSummaryRow[]> {
  const { facilityCodes } = of;
  const conditions = allOf([
    of.orderId === undefined ? undefined : sql`order_id = ${of.orderId} and order_id is not null`,
    facilityCodes === null ? undefined : sql`request->>'distributionCentre' = any(${facilityCodes}::text[])`,
  ]);
  return tx.query(sql`select decision_id, order_id, olpn_id, purpose, data_version, decided_at,
        request->>'distributionCentre' as facility, request->'shipTo'->>'country' as country,
        decision->'choices'->0->>0 as carrier_code, decision->'choices'->0->>1 as service_code
      from carrier_decision
      where client_id = ${tenant} and decision_id >= ${of.from}::uuid and decision_id < ${of.before}::uuid and ${conditions}
      order by decision_id desc limit ${of.limit}`);
}

// Operators' requests to the simulated warehouse, and the state it shows them. The tables belong to the platform.

import type { FaultRates } from "#/kernel/config/parsers.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

export interface SimSettingRow {
  readonly speed: string | null;
  readonly faults: Partial<FaultRates> | null;
  readonly manual_client_ids: readonly string[];
  readonly silent_facility_codes: readonly string[];
  readonly changed_at: string;
  readonly changed_by: string;
}

/** Undefined if no operator has changed a setting. */
export async function findSettings(tx: Tx): Promise<SimSettingRow | undefined> {
  const rows = await tx.query<SimSettingRow>(
    sql`select speed, faults, manual_client_ids, silent_facility_codes, changed_at, changed_by from warehouse_sim_setting where only_row limit 1`,
  );
  return rows[0];
}

/** Leaves a new facility to another warehouse system: in the transaction of its creation, so that no task is taken. */
export async function silenceFacility(tx: Tx, { at, actor }: Change, facilityCode: string): Promise<void> {
  await tx.query(
    sql`insert into warehouse_sim_setting (only_row, silent_facility_codes, changed_at, changed_by)
      values (true, array[${facilityCode}::text], ${at}::timestamptz, ${actor})
      on conflict (only_row) do update set changed_at = excluded.changed_at, changed_by = excluded.changed_by,
        silent_facility_codes = warehouse_sim_setting.silent_facility_codes || excluded.silent_facility_codes
      returning only_row`,
  );
}

export interface AskedStep {
  readonly step_id: string;
  readonly client_id: string | null;
  readonly facility_code: string | null;
  readonly object_id: string | null;
  readonly known_state: unknown;
}

const stepsMax = 100;

/** Steps that were requested after a given time and are not done. No caller waits for older ones. */
export function listAskedSteps(tx: Tx, since: string): Promise<AskedStep[]> {
  return tx.query(
    sql`select step_id, client_id, facility_code, object_id, known_state from warehouse_sim_step
      where done_at is null and requested_at > ${since}::timestamptz order by requested_at limit ${stepsMax}`,
  );
}

export async function endStep(tx: Tx, stepId: string, at: string, outcome: object): Promise<void> {
  await tx.query(
    sql`update warehouse_sim_step set done_at = ${at}::timestamptz, outcome = ${JSON.stringify(outcome)}::jsonb
      where step_id = ${stepId}::uuid and done_at is null`,
  );
}

/** Deletes old steps, which no caller reads. */
export async function purgeSteps(tx: Tx, before: string): Promise<void> {
  await tx.query(sql`delete from warehouse_sim_step where requested_at < ${before}::timestamptz`);
}

export async function showFacility(tx: Tx, facilityCode: string, at: string, shown: object): Promise<void> {
  await tx.query(
    sql`insert into warehouse_sim_facility (facility_code, seen_at, state)
      values (${facilityCode}, ${at}::timestamptz, ${JSON.stringify(shown)}::jsonb)
      on conflict (facility_code) do update set seen_at = excluded.seen_at, state = excluded.state
      returning facility_code`,
  );
}

export async function hideFacilities(tx: Tx, facilityCodes: readonly string[]): Promise<void> {
  await tx.query(sql`delete from warehouse_sim_facility where facility_code = any(${facilityCodes}::text[])`);
}

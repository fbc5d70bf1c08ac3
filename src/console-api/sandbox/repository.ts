import Type from "typebox";
import { type FaultRates, type SandboxRecord, sandbox } from "#/console-api/sandbox/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface Setting extends Pick<SandboxRecord, "byHand" | "silent"> {
  /** Null: as configured, here and below. */
  readonly speed: number | null;
  readonly faults: Partial<FaultRates> | null;
  readonly changedAt: string;
  readonly changedBy: string;
}

const settingColumns = columnsOf(Type.Omit(sandbox, ["isOn", "facilities"]), "warehouse_sim_setting", {
  byHand: sql`manual_client_ids`,
  silent: sql`silent_facility_codes`,
});

/** The setting of the simulated warehouse; undefined where none was ever stored. */
export async function findSetting(tx: Tx): Promise<Setting | undefined> {
  const rows = await tx.query<Setting>(sql`select ${settingColumns} from warehouse_sim_setting where only_row limit 1`);
  return rows[0];
}

/** Reads and locks the setting: the next transaction that changes it sees this change. */
export async function lockSetting(tx: Transaction, at: string, by: string): Promise<Setting> {
  await tx.query(
    sql`insert into warehouse_sim_setting (only_row, changed_at, changed_by) values (true, ${at}::timestamptz, ${by})
      on conflict (only_row) do nothing returning only_row`,
  );
  const rows = await tx.query<Setting>(
    sql`select ${settingColumns} from warehouse_sim_setting where only_row limit 1 for update`,
  );
  return rows[0] as Setting;
}

export async function putSetting(tx: Transaction, setting: Setting): Promise<void> {
  const { speed, faults, byHand, silent, changedAt, changedBy } = setting;
  await tx.query(
    sql`update warehouse_sim_setting set speed = ${speed}::numeric,
        faults = ${faults === null ? null : JSON.stringify(faults)}::jsonb, manual_client_ids = ${byHand}::text[],
        silent_facility_codes = ${silent}::text[], changed_at = ${changedAt}::timestamptz, changed_by = ${changedBy}
      where only_row`,
  );
}

type Shown = SandboxRecord["facilities"][number];

export interface SimulatedFacility extends Pick<Shown, "facilityCode" | "seenAt"> {
  readonly state: {
    readonly configured: { readonly speed: number; readonly faults: FaultRates };
    readonly inHand: number;
    readonly jobs: readonly (Omit<Shown["jobs"][number], "isByHand" | "orderId"> & { readonly orderId?: string })[];
    readonly reports: readonly (Omit<Shown["reports"][number], "reason"> & { readonly reason?: string })[];
  };
}

const facilitiesMax = 1_000;

/** The reports of the simulated warehouse since a moment: an older report belongs to a warehouse that has died. */
export function listFacilities(tx: Tx, since: string): Promise<SimulatedFacility[]> {
  return tx.query(
    sql`select facility_code as "facilityCode", seen_at as "seenAt", state from warehouse_sim_facility where seen_at > ${since}::timestamptz
      order by facility_code limit ${facilitiesMax}`,
  );
}

export interface AskedStep {
  readonly stepId: string;
  readonly clientId: string | undefined;
  readonly facilityCode: string | undefined;
  readonly objectId: string | undefined;
  readonly known: object | undefined;
  readonly by: string;
  readonly at: string;
}

export async function insertStep(tx: Tx, step: AskedStep): Promise<void> {
  const known = step.known === undefined ? null : JSON.stringify(step.known);
  await tx.query(
    sql`insert into warehouse_sim_step (step_id, client_id, facility_code, object_id, known_state, requested_by, requested_at)
      values (${step.stepId}::uuid, ${step.clientId ?? null}, ${step.facilityCode ?? null}, ${step.objectId ?? null},
        ${known}::jsonb, ${step.by}, ${step.at}::timestamptz)`,
  );
}

export interface StepOutcome {
  readonly done: readonly string[];
  readonly reason?: "REFUSED" | "SILENT";
  readonly text?: string;
}

/** Undefined while the step is unfinished. */
export async function findOutcome(tx: Tx, stepId: string): Promise<StepOutcome | undefined> {
  const rows = await tx.query<{ outcome: StepOutcome | null }>(
    sql`select outcome from warehouse_sim_step where step_id = ${stepId}::uuid limit 1`,
  );
  return rows[0]?.outcome ?? undefined;
}

export interface OrderPlace {
  readonly distribution_centre: string;
  readonly is_held: boolean;
}

export async function findOrderPlace(tx: ClientTx, orderId: string): Promise<OrderPlace | undefined> {
  const rows = await tx.query<OrderPlace>(sql`select distribution_centre, holds <> '[]' as is_held from sales_order
      where client_id = ${tenant} and order_id = ${orderId} limit 1`);
  return rows[0];
}

/** Facilities of any object of the client with this identifier: order, parcel, purchase order, return, work order or transfer. */
export async function listFacilitiesOf(tx: ClientTx, objectId: string): Promise<string[]> {
  // The tasks of a purchase order append the vendor's order after a slash.
  const [poNumber] = objectId.split("/");
  const rows = await tx.query<{
    facility_code: string;
  }>(sql`(select unnest(array_prepend(distribution_centre, split_facilities)) as facility_code from sales_order
        where client_id = ${tenant} and order_id = ${objectId} limit 10)
      union (select facility_code from parcel where client_id = ${tenant} and olpn_id = ${objectId} limit 1)
      union (select distribution_centre from purchase_order
        where client_id = ${tenant} and po_number in (${objectId}, ${poNumber ?? objectId}) limit 1000)
      union (select distribution_centre from return_authorisation
        where client_id = ${tenant} and rma_number = ${objectId} limit 1)
      union (select facility_code from work_order where client_id = ${tenant} and work_order_id = ${objectId} limit 1)
      union (select from_facility from transfer where client_id = ${tenant} and transfer_id = ${objectId} limit 1)
      limit 1000`);
  return rows.map(({ facility_code }) => facility_code);
}

/** The highest code that the carrier has reported for each parcel of an order. */
export async function listLastCodes(tx: ClientTx, orderId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{
    olpn_id: string;
    code: number;
  }>(sql`select m.olpn_id, max(m.code) as code from order_milestone m
      where m.client_id = ${tenant} and m.order_id = ${orderId} and m.olpn_id is not null and m.code > 100
      group by m.olpn_id limit 10000`);
  return new Map(rows.map(({ olpn_id, code }) => [olpn_id, code]));
}

import type { ConditionScope } from "#/delivery/notifications/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, acrossClients as sql } from "#/store/db/sql.ts";

export interface FailingReceiver {
  readonly clientId: string;
  readonly webhookId: string;
  readonly facilityCode: string | null;
  readonly kind: "WEBHOOK" | "OUTBOUND";
  readonly url: string;
  readonly openedAtMs: number;
}

/** Subscriptions with an incident that lasts, by the index of incidents: there are few. */
export function listFailingReceivers(
  tx: Tx,
  { clientIds, facilityCodes }: ConditionScope,
  limit: number,
): Promise<FailingReceiver[]> {
  const conditions = allOf([
    sql`n.incident_due_at is not null`,
    clientIds === null ? undefined : sql`n.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`w.facility_code = any(${facilityCodes}::text[])`,
  ]);
  return tx.query(
    sql`select w.client_id as "clientId", w.webhook_id as "webhookId", nullif(w.facility_code, '*') as "facilityCode", w.kind,
        w.url, (n.incident ->> 'openedAtMs')::double precision as "openedAtMs"
      from webhook_lane n join webhook w on w.client_id = n.client_id and w.webhook_id = n.webhook_id
      where ${conditions} and n.incident ->> 'closedAtMs' is null and w.status in ('ACTIVE', 'FAILING')
      order by w.client_id, w.webhook_id limit ${limit}`,
  );
}

export interface LowStock {
  readonly clientId: string;
  readonly facilityCode: string;
  readonly sku: string;
}

/** SKUs at or below their threshold, as their clients were notified (`inventory:low`). */
export function listLowStock(tx: Tx, { clientIds, facilityCodes }: ConditionScope, limit: number): Promise<LowStock[]> {
  const conditions = allOf([
    // A condition of the index, which has only such rows, in the order of the list.
    sql`s.client_id > ''`,
    sql`s.is_low`,
    clientIds === null ? undefined : sql`s.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`s.facility_code = any(${facilityCodes}::text[])`,
  ]);
  return tx.query(
    sql`select s.client_id as "clientId", s.facility_code as "facilityCode", s.sku from stock_change s
      where ${conditions} order by s.client_id, s.facility_code, s.sku limit ${limit}`,
  );
}

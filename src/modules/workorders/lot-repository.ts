import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantSend } from "#/db/tenant.ts";
import { formatQuantity } from "#/kernel/quantity.ts";

/** A component lot that went into a finished lot. */
export interface LotUse {
  readonly workOrderId: string;
  readonly entryId: string;
  readonly finishedSku: string;
  readonly finishedBatchRef: string;
  readonly finishedExpiryDate: string;
  readonly componentSku: string;
  readonly componentBatchRef: string;
  readonly componentExpiryDate: string;
  readonly qty: number;
}

/** Finished lots remember their component lots (lifecycle.md §4). */
export function insertLotUses(tx: Transaction, clientId: string, at: string, uses: readonly LotUse[]): void {
  if (uses.length === 0) return;
  const rows = uses.map((use) => ({
    w: use.workOrderId,
    e: use.entryId,
    fs: use.finishedSku,
    fb: use.finishedBatchRef,
    fe: use.finishedExpiryDate,
    cs: use.componentSku,
    cb: use.componentBatchRef,
    ce: use.componentExpiryDate,
    q: formatQuantity(use.qty),
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into work_order_lot as o (client_id, work_order_id, entry_id, finished_sku, finished_batch_ref,
        finished_expiry_date, component_sku, component_batch_ref, component_expiry_date, qty, booked_at)
      select t.client_id, x.w, x.e, x.fs, x.fb, x.fe, x.cs, x.cb, x.ce, x.q, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(w text, e uuid, fs text, fb text,
        fe date, cs text, cb text, ce date, q numeric)
      where t.client_id = ${tenant}`,
  );
}

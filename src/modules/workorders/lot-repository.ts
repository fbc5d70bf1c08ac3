import type { Transaction } from "#/db/database.ts";
import { insertInto } from "#/db/table.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import { workOrderLot } from "#/modules/workorders/tables.ts";

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

const insertLots = insertInto(workOrderLot);

/** Finished lots remember their component lots (lifecycle.md §4). */
export function insertLotUses(tx: Transaction, clientId: string, at: string, uses: readonly LotUse[]): void {
  const rows = uses.map((use) => ({
    work_order_id: use.workOrderId,
    entry_id: use.entryId,
    finished_sku: use.finishedSku,
    finished_batch_ref: use.finishedBatchRef,
    finished_expiry_date: use.finishedExpiryDate,
    component_sku: use.componentSku,
    component_batch_ref: use.componentBatchRef,
    component_expiry_date: use.componentExpiryDate,
    qty: formatQuantity(use.qty),
    booked_at: at,
  }));
  insertLots.send(tx, clientId, rows);
}

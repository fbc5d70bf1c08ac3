import { quantityOf } from "#/kernel/values/quantity.ts";
import type { Lot } from "#/modules/inventory/index.ts";

import type { PickWant } from "#/modules/orders/fulfilment/pick-plan.ts";

export interface PickReport {
  readonly orderId: string;
  readonly lines: readonly PickReportLine[];
  /** ISO 8601 UTC; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
  /** An operator lets a lot leave that expires before the item's MinShelfLifeDays. */
  readonly isForced?: boolean | undefined;
}

/** Quantities are JSON numbers in the stock unit. */
export interface PickReportLine {
  readonly lineNumber: number;
  readonly qtyPicked: number;
  readonly qtyShort?: number | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** A line of the report as input of the plan; the caller sets the SKU from the order. */
export function wantOf(line: PickReportLine): PickWant {
  const lot: Partial<Lot> = {
    ...(line.stockPool === undefined ? {} : { stockPool: line.stockPool }),
    ...(line.batchRef === undefined ? {} : { batchRef: line.batchRef }),
    ...(line.expiryDate === undefined ? {} : { expiryDate: line.expiryDate }),
  };
  return {
    lineNumber: line.lineNumber,
    sku: "",
    picked: quantityOf(line.qtyPicked),
    short: quantityOf(line.qtyShort ?? 0),
    lot,
    serials: line.serials ?? [],
  };
}

import { type Refusal, unprocessableField } from "#/kernel/refusal.ts";
import { parseQuantity } from "#/kernel/values/quantity.ts";
import { type Condition, lotOf } from "#/modules/inventory/index.ts";
import type { Disposition, ReturnDiscrepancy, ReturnedGoods } from "#/modules/returns/reports/grading-domain.ts";

/** The body of return/report (warehouse.md); the route has validated its shape. */
export interface ReturnBody {
  readonly clientId: string;
  /** The authorisation; without it the parcel that was returned to its sender; without both it is a blind return. */
  readonly rmaNumber?: string | undefined;
  readonly olpnId?: string | undefined;
  readonly returnId?: string | undefined;
  /** ISO 8601; information only. */
  readonly occurredAt?: string | undefined;
  /** May be empty in a report that only closes the return. */
  readonly lines: readonly ReturnBodyLine[];
  readonly close?: boolean | undefined;
}

export interface ReturnBodyLine {
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  /** In stock units, at most three decimals. */
  readonly qty: number;
  readonly disposition: Disposition;
  /** Why the goods came back, as the warehouse reads it. */
  readonly returnReasonCode?: string | undefined;
  readonly note?: string | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** The result of a return; quantities as JSON numbers. */
export interface ReturnAnswer {
  /** Null without an authorisation. */
  readonly rmaNumber: string | null;
  readonly olpnId: string | null;
  readonly returnId: string | null;
  readonly status: string;
  readonly lines: readonly ReturnAnswerLine[];
}

export interface ReturnAnswerLine {
  /** Null for a SKU that was not expected. */
  readonly lineNumber: number | null;
  readonly sku: string;
  /** Of this report. */
  readonly qtyReceived: number;
  readonly qtyTotal: number;
  readonly discrepancy: ReturnDiscrepancy | "UNPLANNED";
  /** Condition null: the goods left stock. */
  readonly booked: readonly { disposition: Disposition; condition: Condition | null; qty: number }[];
}

/** The lines in integer thousandths, and a refusal for each invalid quantity. */
export function readReturned(lines: readonly ReturnBodyLine[]): { goods: ReturnedGoods[]; faults: Refusal[] } {
  const faults: Refusal[] = [];
  const goods = lines.map((line, i): ReturnedGoods => {
    const qty = parseQuantity(String(line.qty)) ?? 0;
    if (qty <= 0) {
      faults.push(
        unprocessableField(i, "qty", `the quantity ${line.qty} is not above 0 with at most 3 fraction digits`),
      );
    }
    const { lineNumber, sku, disposition, returnReasonCode, note, serials } = line;
    const reason = { returnReasonCode, note };
    return { ...lotOf(line), lineNumber, sku, disposition, ...reason, qty: Math.max(qty, 0), serials };
  });
  return { goods, faults };
}

import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { AdjustedLine } from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { type Condition, fieldsOfLot, type Lot } from "#/modules/inventory/lot.ts";
import { facilityToday, quantitiesToNumbers, readQuantities } from "#/modules/inventory/quantities.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** A line of an adjustment in its event; the quantity in signed thousandths. */
export interface EventLine extends Lot {
  readonly sku: string;
  readonly qty: number;
  readonly fromCondition?: Condition | undefined;
  readonly toCondition?: Condition | undefined;
}

/**
 * The events of a booked adjustment: `inventory:adjusted` for each SKU (webhooks.md §3). The first event carries the
 * ADJ document (outbound.md). The quantities are those after the adjustment.
 */
export async function composeAdjustment(
  tx: Transaction,
  change: Change,
  book: Book,
  adjustment: { readonly adjustmentId: string; readonly reasonCode: string; readonly lines: readonly EventLine[] },
): Promise<{ readonly drafts: EventDraft[]; readonly lines: AdjustedLine[] }> {
  const { clientId, facilityCode } = book;
  const { adjustmentId, reasonCode } = adjustment;
  const skus = [...new Set(adjustment.lines.map(({ sku }) => sku))];
  const today = await facilityToday(tx, facilityCode, change.at);
  const after = await readQuantities(tx, clientId, facilityCode, skus, today);
  const lines = adjustment.lines.map((line) => lineOf(line, after.get(line.sku)?.total.onHand ?? 0));
  const drafts = skus.map((sku, i): EventDraft => {
    const quantities = after.get(sku);
    assert(quantities, `the quantities of SKU ${sku} were not read`);
    return {
      topic: "inventory:adjusted",
      objectType: "stock",
      objectId: `${facilityCode}/${sku}`,
      facilityCode,
      data: {
        sku,
        distributionCentre: facilityCode,
        quantities: quantitiesToNumbers(quantities.total),
        reason: reasonCode,
      },
      ...(i > 0
        ? {}
        : { outbound: { type: "ADJ", objectId: adjustmentId, content: { adjustmentId, reasonCode, lines } } }),
    };
  });
  return { drafts, lines };
}

function lineOf(line: EventLine, onHand: number): AdjustedLine {
  return {
    sku: line.sku,
    qty: quantityToNumber(line.qty),
    ...(line.fromCondition === undefined ? {} : { fromCondition: line.fromCondition }),
    ...(line.toCondition === undefined ? {} : { toCondition: line.toCondition }),
    ...fieldsOfLot(line),
    qtyOnHandAfter: quantityToNumber(onHand),
  };
}

import { assert } from "#/kernel/assert.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { AdjustedLine } from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { type Condition, fieldsOfLot, type Lot } from "#/modules/inventory/lot.ts";
import { facilityToday, quantitiesToNumbers, readQuantities } from "#/modules/inventory/quantities.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft, OutboundDraft } from "#/store/outbox/append.ts";

/** A line of an adjustment in its event; the quantity in signed thousandths. */
export interface EventLine extends Lot {
  readonly sku: string;
  readonly qty: number;
  readonly fromCondition?: Condition | undefined;
  readonly toCondition?: Condition | undefined;
}

export interface Adjustment {
  readonly adjustmentId: string;
  readonly reasonCode: string;
  readonly lines: readonly EventLine[];
}

/**
 * The events of a booked adjustment: `inventory:adjusted` for each SKU (webhooks.md §3). The first event carries the
 * ADJ document (outbound.md). The quantities are those after the adjustment.
 */
export async function composeAdjustment(
  tx: UnitOfWork,
  book: Book,
  adjustment: Adjustment,
): Promise<{ readonly drafts: EventDraft[]; readonly lines: AdjustedLine[] }> {
  const { facilityCode } = book;
  const after = await readAfter(tx, book, [adjustment]);
  const lines = linesOf(adjustment, after);
  const drafts = [...after].map(
    ([sku, quantities], i): EventDraft => ({
      topic: "inventory:adjusted",
      objectType: "stock",
      objectId: `${facilityCode}/${sku}`,
      facilityCode,
      data: {
        sku,
        distributionCentre: facilityCode,
        quantities: quantitiesToNumbers(quantities),
        reason: adjustment.reasonCode,
      },
      ...(i > 0 ? {} : { outbound: documentOf(adjustment, lines) }),
    }),
  );
  return { drafts, lines };
}

/** The ADJ documents of booked adjustments that events of another topic carry. */
export async function composeDocuments(
  tx: UnitOfWork,
  book: Book,
  adjustments: readonly Adjustment[],
): Promise<OutboundDraft[]> {
  const after = await readAfter(tx, book, adjustments);
  return adjustments.map((adjustment) => documentOf(adjustment, linesOf(adjustment, after)));
}

type QuantitiesOfSku = ReadonlyMap<string, Parameters<typeof quantitiesToNumbers>[0]>;

/** The quantities of the adjusted SKUs, in the order of the lines. */
async function readAfter(
  tx: UnitOfWork,
  { facilityCode }: Book,
  adjustments: readonly Adjustment[],
): Promise<QuantitiesOfSku> {
  const skus = [...new Set(adjustments.flatMap(({ lines }) => lines.map(({ sku }) => sku)))];
  const today = await facilityToday(tx.plain, facilityCode, tx.change.at);
  const read = await readQuantities(tx, facilityCode, skus, today);
  return new Map(
    skus.map((sku) => {
      const quantities = read.get(sku);
      assert(quantities, `the quantities of SKU ${sku} were not read`);
      return [sku, quantities.total];
    }),
  );
}

function documentOf({ adjustmentId, reasonCode }: Adjustment, lines: readonly AdjustedLine[]): OutboundDraft {
  return { type: "ADJ", objectId: adjustmentId, content: { adjustmentId, reasonCode, lines } };
}

function linesOf({ lines }: Adjustment, after: QuantitiesOfSku): AdjustedLine[] {
  return lines.map((line) => ({
    sku: line.sku,
    qty: quantityToNumber(line.qty),
    ...(line.fromCondition === undefined ? {} : { fromCondition: line.fromCondition }),
    ...(line.toCondition === undefined ? {} : { toCondition: line.toCondition }),
    ...fieldsOfLot(line),
    qtyOnHandAfter: quantityToNumber(after.get(line.sku)?.onHand ?? 0),
  }));
}

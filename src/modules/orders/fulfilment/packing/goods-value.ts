// Values of the goods of an order, from the prices of the order (contract feeds.md, NO).
import { normaliseAmount, scaleAmount } from "#/kernel/values/amount.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";

import type { StoredOrderLine } from "#/modules/orders/rest/repository.ts";

export type PricedLine = Pick<
  StoredOrderLine,
  "qty" | "qtyOrdered" | "lineTotal" | "unitNetPrice" | "extendedUnitNetPrice" | "unitGrossPrice"
>;

/** A stored numeric as a canonical amount (kernel/values/amount.ts); undefined for null. */
export function amountOf(numeric: string | null): string | undefined {
  return numeric === null ? undefined : normaliseAmount(numeric);
}

/**
 * The price of one stock unit without tax, a canonical amount; undefined if the line has no price. Prices apply to the
 * unit in which the line was ordered, which may be a case of many stock units.
 */
export function unitValueOf(line: PricedLine): string | undefined {
  const price = amountOf(line.unitNetPrice);
  if (price !== undefined) return scaleAmount(price, quantityOf(line.qty), quantityOf(line.qtyOrdered));
  const total = amountOf(line.extendedUnitNetPrice);
  return total === undefined ? undefined : scaleAmount(total, 1_000, quantityOf(line.qtyOrdered));
}

/**
 * The value of `qty` of a line, a canonical amount: its share of the line's net total, else its net price, else what
 * the buyer pays, taxes included. Undefined if the line has none of these.
 *
 * @param qty integer thousandths of the stock unit.
 */
export function worthOf(line: PricedLine, qty: number): string | undefined {
  const ordered = quantityOf(line.qtyOrdered);
  const ofTotal = (total: string | undefined) => total && scaleAmount(total, qty, ordered);
  // The product contains thousandths twice, from the feed quantity and from `qty`; the divisor removes both.
  const ofPrice = (price: string | undefined) =>
    price && scaleAmount(price, quantityOf(line.qty) * qty, ordered * 1_000);
  return (
    ofTotal(amountOf(line.extendedUnitNetPrice)) ??
    ofPrice(amountOf(line.unitNetPrice)) ??
    ofTotal(amountOf(line.lineTotal)) ??
    ofPrice(amountOf(line.unitGrossPrice))
  );
}

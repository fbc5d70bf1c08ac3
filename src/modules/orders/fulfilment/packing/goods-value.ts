// Values of the goods of an order, from the prices of the order (contract feeds.md, NO).
import { normaliseAmount, scaleAmount } from "#/kernel/values/amount.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";

import type { OrderLineRow } from "#/modules/orders/rest/repository.ts";

export type PricedLine = Pick<
  OrderLineRow,
  "feed_qty" | "qty_ordered" | "line_total" | "unit_net_price" | "extended_unit_net_price" | "unit_gross_price"
>;

/** A stored numeric as a canonical amount (kernel/amount.ts); undefined for null. */
export function amountOf(numeric: string | null): string | undefined {
  return numeric === null ? undefined : normaliseAmount(numeric);
}

/**
 * The price of one stock unit without tax, a canonical amount; undefined if the line has no price. Prices apply to the
 * unit in which the line was ordered, which may be a case of many stock units.
 */
export function unitValueOf(line: PricedLine): string | undefined {
  const price = amountOf(line.unit_net_price);
  if (price !== undefined) return scaleAmount(price, storedQuantity(line.feed_qty), storedQuantity(line.qty_ordered));
  const total = amountOf(line.extended_unit_net_price);
  return total === undefined ? undefined : scaleAmount(total, 1_000, storedQuantity(line.qty_ordered));
}

/**
 * The value of `qty` of a line, a canonical amount: its share of the line's net total, else its net price, else what
 * the buyer pays, taxes included. Undefined if the line has none of these.
 *
 * @param qty integer thousandths of the stock unit.
 */
export function worthOf(line: PricedLine, qty: number): string | undefined {
  const ordered = storedQuantity(line.qty_ordered);
  const ofTotal = (total: string | undefined) => total && scaleAmount(total, qty, ordered);
  // The product contains thousandths twice, from the feed quantity and from `qty`; the divisor removes both.
  const ofPrice = (price: string | undefined) =>
    price && scaleAmount(price, storedQuantity(line.feed_qty) * qty, ordered * 1_000);
  return (
    ofTotal(amountOf(line.extended_unit_net_price)) ??
    ofPrice(amountOf(line.unit_net_price)) ??
    ofTotal(amountOf(line.line_total)) ??
    ofPrice(amountOf(line.unit_gross_price))
  );
}

// What goods of an order are worth, by the prices that the order gave (contract feeds.md, NO).
import { normaliseAmount, scaleAmount } from "#/kernel/values/amount.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";

import type { OrderLineRow } from "#/modules/orders/rest/repository.ts";

export type PricedLine = Pick<
  OrderLineRow,
  "feed_qty" | "qty_ordered" | "line_total" | "unit_net_price" | "extended_unit_net_price" | "unit_gross_price"
>;

/** A numeric of the store as a canonical amount (kernel/amount.ts); undefined where there is none. */
export function amountOf(numeric: string | null): string | undefined {
  return numeric === null ? undefined : normaliseAmount(numeric);
}

/**
 * Price of one stock unit without tax, a canonical amount; undefined where the line names none. Prices are of the unit
 * that the line was ordered in, which may be a case of many.
 */
export function unitValueOf(line: PricedLine): string | undefined {
  const price = amountOf(line.unit_net_price);
  if (price !== undefined) return scaleAmount(price, storedQuantity(line.feed_qty), storedQuantity(line.qty_ordered));
  const total = amountOf(line.extended_unit_net_price);
  return total === undefined ? undefined : scaleAmount(total, 1_000, storedQuantity(line.qty_ordered));
}

/**
 * What so much of a line is worth, a canonical amount: its part of the line's net total, else by its net price, else by what
 * the buyer pays, taxes included. Undefined where the line says nothing of it.
 *
 * @param qty integer thousandths of the stock unit.
 */
export function worthOf(line: PricedLine, qty: number): string | undefined {
  const ordered = storedQuantity(line.qty_ordered);
  const ofTotal = (total: string | undefined) => total && scaleAmount(total, qty, ordered);
  // Thousandths of the price's unit, and of the quantity: both have to go.
  const ofPrice = (price: string | undefined) =>
    price && scaleAmount(price, storedQuantity(line.feed_qty) * qty, ordered * 1_000);
  return (
    ofTotal(amountOf(line.extended_unit_net_price)) ??
    ofPrice(amountOf(line.unit_net_price)) ??
    ofTotal(amountOf(line.line_total)) ??
    ofPrice(amountOf(line.unit_gross_price))
  );
}

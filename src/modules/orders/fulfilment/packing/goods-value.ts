// Values of the goods of an order, from the prices of the order (contract feeds.md, NO).
import { normaliseAmount, scaleAmount } from "#/kernel/values/amount.ts";
import { isOfStock, lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";

import type { StoredOrderLine } from "#/modules/orders/rest/repository.ts";

export type PricedLine = Pick<
  StoredOrderLine,
  "qty" | "qtyOrdered" | "lineTotal" | "unitNetPrice" | "extendedUnitNetPrice" | "unitGrossPrice"
> & { readonly priced?: Omit<PricedLine, "priced"> };

/** A line that holds stock. */
export interface StockedLine extends StoredOrderLine {
  /** Of a row of a kit: the prices that its worth comes from. */
  readonly priced?: Omit<PricedLine, "priced">;
  /** Of a row of a kit: the SKU of the kit. */
  readonly kitSku?: string;
}

/**
 * The lines that hold stock: of a kit its rows, with the prices of the kit. Each unit of a component is worth the same
 * part of it.
 */
export function stockedLines(rows: readonly StoredOrderLine[]): StockedLine[] {
  const kits = new Map(rows.filter(({ kitQty }) => kitQty === 0).map((kit) => [kit.lineNumber, kit]));
  if (kits.size === 0) return [...rows];
  const stocked = rows.filter(({ kitQty }) => kitQty !== 0);
  const units = new Map<number, number>();
  for (const { lineNumber, kitQty } of stocked) {
    if (kitQty === null || isOfStock(lineNumber)) continue;
    const kit = lineNumberOf(lineNumber);
    units.set(kit, quantityToNumber(quantityOf(units.get(kit) ?? 0) + quantityOf(kitQty)));
  }
  return stocked.map((row) => {
    const kit = kits.get(lineNumberOf(row.lineNumber));
    if (row.kitQty === null || !kit) return row;
    const parts = isOfStock(row.lineNumber) ? 1 : (units.get(kit.lineNumber) ?? 1);
    const { qty, lineTotal, unitNetPrice, extendedUnitNetPrice, unitGrossPrice } = kit;
    const qtyOrdered = quantityToNumber(Math.round(quantityOf(kit.qtyOrdered) * parts));
    const priced = { qty, qtyOrdered, lineTotal, unitNetPrice, extendedUnitNetPrice, unitGrossPrice };
    return { ...row, priced, kitSku: kit.sku };
  });
}

/** A stored numeric as a canonical amount (kernel/values/amount.ts); undefined for null. */
export function amountOf(numeric: string | null): string | undefined {
  return numeric === null ? undefined : normaliseAmount(numeric);
}

/**
 * The price of one stock unit without tax, a canonical amount; undefined if the line has no price. Prices apply to the
 * unit in which the line was ordered, which may be a case of many stock units.
 */
export function unitValueOf({ priced, ...own }: PricedLine): string | undefined {
  const line = priced ?? own;
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
export function worthOf({ priced, ...own }: PricedLine, qty: number): string | undefined {
  const line = priced ?? own;
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

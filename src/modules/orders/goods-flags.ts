import { isTrue } from "#/kernel/flag.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import type { OrderLineRow } from "#/modules/orders/rest-repository.ts";

/** Goods are hazardous, or bulky, where a line or its item says so. */
export function flagsOf(
  lines: readonly Pick<OrderLineRow, "sku" | "extended_attributes">[],
  items: ReadonlyMap<string, Pick<StoredItem, "extended_attributes">>,
): { readonly isHazmat: boolean; readonly isBulky: boolean } {
  const has = (name: string) =>
    lines.some(
      ({ sku, extended_attributes }) =>
        isTrue(extended_attributes[name]) || isTrue(items.get(sku)?.extended_attributes[name]),
    );
  return { isHazmat: has("IsHazmat"), isBulky: has("IsBulkyFlag") };
}

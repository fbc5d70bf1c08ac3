import { hasFlag } from "#/kernel/extended-attributes.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import type { OrderLineRow } from "#/modules/orders/rest/repository.ts";

/** Goods are hazardous, or bulky, where a line or its item says so. */
export function flagsOf(
  lines: readonly Pick<OrderLineRow, "sku" | "extended_attributes">[],
  items: ReadonlyMap<string, Pick<StoredItem, "extended_attributes">>,
): { readonly isHazmat: boolean; readonly isBulky: boolean } {
  const has = (name: "IsHazmat" | "IsBulkyFlag") =>
    lines.some(
      ({ sku, extended_attributes }) =>
        hasFlag(extended_attributes, name) || hasFlag(items.get(sku)?.extended_attributes, name),
    );
  return { isHazmat: has("IsHazmat"), isBulky: has("IsBulkyFlag") };
}

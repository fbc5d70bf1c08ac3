import { toAlpha2 } from "#/kernel/values/country.ts";
import { customsGoodsOf, tariffLinesOf } from "#/kernel/values/customs-rules.ts";
import { type AttributeValues, attributeOf } from "#/kernel/values/extended-attributes.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import { crossesCustomsBorder, customsDestinationOf } from "#/modules/documents/index.ts";
import type { Facility } from "#/modules/facilities/index.ts";
import type { StoredOrder } from "#/modules/orders/rest/repository.ts";

/** A buyer with a customs or VAT number is a business: its goods have the duty of their tariff numbers. */
export function isToConsumer(attributes: AttributeValues): boolean {
  return !(["ImporterEori", "ImporterVatNumber"] as const).some((name) => attributeOf(attributes, name)?.trim());
}

interface Imported {
  readonly sku: string;
  readonly extendedAttributes?: AttributeValues;
}

/** The tariff lines of goods that a consumer in the European Union imports; undefined for all other shipments. */
export function dutiableLinesOf(
  {
    order,
    items,
  }: {
    readonly order: Pick<StoredOrder, "shipToAddress" | "extendedAttributes">;
    readonly items: ReadonlyMap<string, StoredItem>;
  },
  lines: readonly Imported[],
  { country, settings }: Pick<Facility, "country" | "settings">,
): number | undefined {
  const { country: ordered = "", zip } = order.shipToAddress ?? {};
  const to = toAlpha2(ordered);
  if (to === undefined || customsDestinationOf(to, zip) !== "EU" || !isToConsumer(order.extendedAttributes)) {
    return undefined;
  }
  if (!crossesCustomsBorder(country, settings.zip ?? undefined, to, zip)) return undefined;
  const codes = lines.map(
    ({ sku, extendedAttributes }) => customsGoodsOf(items.get(sku) ?? { sku }, extendedAttributes).hsCode,
  );
  return tariffLinesOf(codes).tariffLines;
}

// Packed parcels of an order as a request to carrier determination (contract carriers.md, Request).
import { sumAmounts } from "#/kernel/values/amount.ts";
import { isCurrency } from "#/kernel/values/currency.ts";
import { isHazmat } from "#/kernel/values/dangerous-goods.ts";
import { type AttributeValues, attributeOf, hasFlag } from "#/kernel/values/extended-attributes.ts";
import type { CarrierRequest } from "#/modules/carriers/index.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import { amountOf, worthOf } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import type { OrderLineRow, OrderRow } from "#/modules/orders/rest/repository.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

/** A stored order with its lines and their items. */
export interface OrderMatter {
  readonly order: OrderRow;
  readonly lines: readonly OrderLineRow[];
  /** By SKU; SKUs that are not in the catalogue are absent. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

export type ShippedParcel = Pick<
  ParcelFacts,
  "weight" | "weightUomCode" | "length" | "width" | "height" | "dimensionsUomCode" | "contents"
>;

/** The highest amount that determination accepts; a higher amount exceeds every limit, too. */
const amountMax = 1e9;

/**
 * A shipment of parcels of one order. The carrier and shipping method are the order's own values; the carrier data map
 * them.
 */
export function shipmentOf({ order, lines, items }: OrderMatter, parcels: readonly ShippedParcel[]): CarrierRequest {
  const { country = "", zip, state, city } = order.ship_to_address;
  const { extended_attributes: attributes } = order;
  const byNumber = new Map(lines.map((line) => [line.line_number, line]));
  const numbers = new Set(parcels.flatMap(({ contents }) => contents.map(({ lineNumber }) => lineNumber)));
  const sent = lines.filter(({ line_number }) => numbers.has(line_number));
  return {
    distributionCentre: order.distribution_centre,
    shipTo: { country, zip, state, city },
    parcels: parcels.map((parcel) => parcelOf(parcel, byNumber, order.currency)),
    requestedCarrierCode: order.carrier_code ?? undefined,
    shippingMethod: order.shipping_method ?? undefined,
    ...flagsOf(sent, items),
    incoterm: attributeOf(attributes, "IncotermName"),
    orderValue: moneyOf(amountOf(order.total_price ?? order.subtotal), order.currency),
    extendedAttributes: attributes,
  };
}

function parcelOf(parcel: ShippedParcel, lines: ReadonlyMap<number, OrderLineRow>, currency: string | null) {
  const { weight, weightUomCode, length, width, height, dimensionsUomCode, contents } = parcel;
  const worth = contents.map(({ lineNumber, qty }) => {
    const line = lines.get(lineNumber);
    return line && worthOf(line, qty);
  });
  // A value of only a part of the contents is too low, so the value counts as unknown.
  const known = worth.filter((value) => value !== undefined);
  return {
    weight,
    weightUomCode,
    length,
    width,
    height,
    dimensionsUomCode,
    declaredValue: known.length < worth.length ? undefined : moneyOf(sumAmounts(known), currency),
  };
}

function moneyOf(amount: string | undefined, currency: string | null): CarrierRequest["orderValue"] {
  if (amount === undefined || currency === null || !isCurrency(currency)) return undefined;
  return { amount: Math.min(Number(amount), amountMax), currency };
}

/** Goods are hazardous, or bulky, if a line or its item says so. */
function flagsOf(
  lines: readonly Pick<OrderLineRow, "sku" | "extended_attributes">[],
  items: ReadonlyMap<string, Pick<StoredItem, "extendedAttributes">>,
): { readonly isHazmat: boolean; readonly isBulky: boolean } {
  const has = (isSet: (values: AttributeValues | undefined) => boolean) =>
    lines.some(
      ({ sku, extended_attributes }) => isSet(extended_attributes) || isSet(items.get(sku)?.extendedAttributes),
    );
  return { isHazmat: has(isHazmat), isBulky: has((values) => hasFlag(values, "IsBulkyFlag")) };
}

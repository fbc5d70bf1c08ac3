// What is packed of an order, as carrier determination is asked for it (contract carriers.md, Request).
import { sumAmounts } from "#/kernel/values/amount.ts";
import { isCurrency } from "#/kernel/values/currency.ts";
import { attributeOf, hasFlag } from "#/kernel/values/extended-attributes.ts";
import type { CarrierRequest } from "#/modules/carriers/index.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import { amountOf, worthOf } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import type { OrderLineRow, OrderRow } from "#/modules/orders/rest/repository.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

/** An order with its lines and their items, as the store has them. */
export interface OrderMatter {
  readonly order: OrderRow;
  readonly lines: readonly OrderLineRow[];
  /** By SKU; those that no catalogue has described are absent. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

export type ShippedParcel = Pick<
  ParcelFacts,
  "weight" | "weightUomCode" | "length" | "width" | "height" | "dimensionsUomCode" | "contents"
>;

/** Most that determination takes an amount for; more is worth more than any limit, too. */
const amountMax = 1e9;

/** A shipment of parcels of one order. Carrier and shipping method are as the order has them: the carrier data say what they mean. */
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
  // Of a part of its contents the value would be too low: it counts as not known.
  const known = worth.filter((value) => value !== undefined);
  return {
    ...{ weight, weightUomCode, length, width, height, dimensionsUomCode },
    declaredValue: known.length < worth.length ? undefined : moneyOf(sumAmounts(known), currency),
  };
}

function moneyOf(amount: string | undefined, currency: string | null): CarrierRequest["orderValue"] {
  if (amount === undefined || currency === null || !isCurrency(currency)) return undefined;
  return { amount: Math.min(Number(amount), amountMax), currency };
}

/** Goods are hazardous, or bulky, where a line or its item says so. */
function flagsOf(
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

// Packed parcels of an order as a request to carrier determination (contract carriers.md, Request).
import { isCurrency, sumAmounts } from "#/kernel/values/amount.ts";
import { isHazmat } from "#/kernel/values/dangerous-goods.ts";
import { type AttributeValues, attributeOf, hasFlag } from "#/kernel/values/extended-attributes.ts";
import type { CarrierRequest } from "#/modules/carriers/index.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import type { Facility } from "#/modules/facilities/index.ts";
import { dutiableLinesOf } from "#/modules/orders/fulfilment/packing/duty.ts";
import {
  amountOf,
  type PricedLine,
  type StockedLine,
  worthOf,
} from "#/modules/orders/fulfilment/packing/goods-value.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import type { StoredOrder, StoredOrderLine } from "#/modules/orders/rest/repository.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

/** A stored order with its lines and their items. */
export interface OrderMatter {
  readonly order: StoredOrder;
  readonly lines: readonly StockedLine[];
  /** By SKU; SKUs that are not in the catalogue are absent. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/** The input of a shipment: an order, or goods before there is an order. */
interface ShipmentMatter {
  readonly order: Pick<StoredOrder, ShipmentField>;
  readonly lines: readonly (PricedLine & Pick<StoredOrderLine, "lineNumber" | "sku" | "extendedAttributes">)[];
  readonly items: OrderMatter["items"];
}
type ShipmentField =
  | ("distributionCentre" | "shipToAddress" | "carrierCode" | "shippingMethod" | "deliverBy")
  | ("totalPrice" | "subtotal" | "currency" | "extendedAttributes");

export type ShippedParcel = Pick<
  ParcelFacts,
  "weight" | "weightUomCode" | "length" | "width" | "height" | "dimensionsUomCode" | "contents"
>;

/** The highest amount that determination accepts; a higher amount exceeds every limit, too. */
const amountMax = 1e9;

/**
 * A shipment of parcels of one order. The carrier and shipping method are the order's own values; the carrier data map
 * them. @param facility for the duty at the border
 */
export function shipmentOf(
  { order, lines, items }: ShipmentMatter,
  parcels: readonly ShippedParcel[],
  facility?: Pick<Facility, "country" | "settings">,
): CarrierRequest {
  const byNumber = new Map(lines.map((line) => [line.lineNumber, line]));
  const numbers = new Set(parcels.flatMap(({ contents }) => contents.map(({ lineNumber }) => lineNumber)));
  const sent = lines.filter(({ lineNumber }) => numbers.has(lineNumber));
  return {
    ...wishesOf(order),
    distributionCentre: order.distributionCentre,
    parcels: parcels.map((parcel) => parcelOf(parcel, byNumber, order.currency)),
    ...flagsOf(sent, items),
    ...(facility ? { tariffLines: dutiableLinesOf({ order, items }, sent, facility) } : {}),
  };
}

/** The fields of an order that carrier determination reads, as the feed sent them or as they are stored. */
export type OrderWishes = {
  readonly [Field in "shippingMethod" | "carrierCode" | "deliverBy" | "totalPrice" | "subtotal" | "currency"]?:
    | string
    | null
    | undefined;
} & {
  readonly shipToAddress: AddressElement | undefined;
  readonly extendedAttributes: Readonly<Record<string, string>>;
};

/** The request of an order without its facility and its goods. */
export function wishesOf(order: OrderWishes): Omit<CarrierRequest, "distributionCentre" | "parcels"> {
  const { country = "", zip, state, city } = order.shipToAddress ?? {};
  const { extendedAttributes, currency = null } = order;
  return {
    shipTo: { country, zip, state, city },
    requestedCarrierCode: order.carrierCode ?? undefined,
    shippingMethod: order.shippingMethod ?? undefined,
    ...(order.deliverBy ? { deliverBy: order.deliverBy, isDeliverByPreferred: true } : {}),
    incoterm: attributeOf(extendedAttributes, "IncotermName"),
    orderValue: moneyOf(amountOf(order.totalPrice ?? order.subtotal ?? null), currency),
    extendedAttributes,
  };
}

function parcelOf(parcel: ShippedParcel, lines: ReadonlyMap<number, PricedLine>, currency: string | null) {
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
export function flagsOf(
  lines: readonly Pick<StoredOrderLine, "sku" | "extendedAttributes">[],
  items: ReadonlyMap<string, Pick<StoredItem, "extendedAttributes">>,
): { readonly isHazmat: boolean; readonly isBulky: boolean } {
  const has = (isSet: (values: AttributeValues | undefined) => boolean) =>
    lines.some(({ sku, extendedAttributes }) => isSet(extendedAttributes) || isSet(items.get(sku)?.extendedAttributes));
  return { isHazmat: has(isHazmat), isBulky: has((values) => hasFlag(values, "IsBulkyFlag")) };
}

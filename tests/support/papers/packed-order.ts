// A stored order of two lines with its items, facility and parcels, for tests of packing decisions and printed
// documents.
import type { StoredItem } from "#/modules/catalogue/index.ts";
import { type Facility, facilitySettings } from "#/modules/facilities/index.ts";
import type { Order, OrderLine } from "#/modules/orders/order.ts";
import type { OrderLineRow, OrderRow } from "#/modules/orders/rest/repository.ts";
import type { ParcelContent, ParcelFacts } from "#/modules/parcels/index.ts";

const at = "2026-11-02T23:30:00.000Z";

export const orderRow = (over: Partial<OrderRow> = {}): OrderRow => ({
  ...{ order_id: "WEB-1", status: "PICKING", status_reason: null, external_order_reference: "SHOP-1" },
  ...{ catalog_id: null, origin: null, language: "de-DE", order_date: at, shipping_method: "STD", currency: "EUR" },
  ...{ shipping_cost: "4.9900", subtotal: "100.0000", total_price: "104.9900" },
  taxes: { unit: "EUR", amount: "16.76", tax: [] },
  ship_to_address: {
    ...{ addressId: "S-1", companyName: "Muster UK Ltd", firstName: "Zoë", lastName: "O’Neill", mobile: "+44 7700 1" },
    ...{ address1: "12 Harbour Road", city: "Bristol", zip: "BS1 5TY", state: "Avon", country: "GB" },
  },
  ...{ bill_to_address: null, payments: null, distribution_centre: "DC2", carrier_code: null, extended_attributes: {} },
  ...{ priority: 5, ship_partial: false, holds: [], feed_token: "", despatch_by: null, received_at: at },
  ...{ received_us: 0, updated_at: at, erased_at: null, version: 1 },
  ...over,
});

export const lineRow = (over: Partial<OrderLineRow> = {}): OrderLineRow => ({
  ...{ order_id: "WEB-1", line_number: 1, sku: "MUG", stock_pool: "DEFAULT", uom: "EA" },
  ...{ feed_qty: "3.000", feed_uom: null, qty_ordered: "3.000", line_total: "36.0000", unit_net_price: "10.0800" },
  ...{ extended_unit_net_price: null, unit_gross_price: "12.0000", taxes: null, extended_attributes: {} },
  ...{ qty_open: "0", qty_backordered: "0", qty_allocated: "0", qty_picked: "0", qty_packed: "0" },
  ...{ qty_despatched: "0", qty_cancelled: "0", qty_delivered: "0", qty_returned: "0" },
  ...over,
});

export const item = (sku: string, over: Partial<StoredItem> = {}): [string, StoredItem] => [
  sku,
  {
    ...{ sku, alt_sku: null, ean_code: null, name: `Item ${sku}`, weight: "0.350000", weight_uom_code: "KG" },
    ...{ height: null, length: null, width: null, dimensions_uom_code: null, product_type: null },
    ...{ country_of_origin: "PT", image_url: null, capture_batch_ref: false, extended_attributes: {}, barcodes: [] },
    ...{ stock_uom: "EA", is_active: true, warnings: [], feed_token: "", created_at: at, created_us: 0 },
    ...{ updated_at: at, version: 1 },
    ...over,
  },
];

const noBuckets = { open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };

export const orderLine = (lineNumber: number, sku: string, buckets: Partial<OrderLine["buckets"]>): OrderLine => ({
  ...{ lineNumber, sku, stockPool: "DEFAULT", uom: "EA", delivered: 0, returned: 0, cancelRequested: 0 },
  buckets: { ordered: 0, ...noBuckets, ...buckets },
});

export const orderOf = (...lines: readonly OrderLine[]): Order => ({
  ...{ orderId: "WEB-1", status: "PICKING", statusReason: undefined, holds: [], distributionCentre: "DC2" },
  ...{ isRouted: false, routedBy: "NAMED", priority: 5, shipPartial: false, carrierCode: undefined },
  ...{ shippingMethod: undefined, externalOrderReference: undefined, shipToAddress: {}, revision: undefined },
  ...{ feedToken: "", receivedAt: at, despatchBy: undefined, takenAt: at, cancelRequestedAt: undefined },
  ...{ cancelReason: undefined, backorderedSince: undefined, updatedAt: at, version: 1, lines },
});

/** In Rotterdam, where the day begins before that of UTC. */
export const facility = (over: Partial<Facility["settings"]> = {}): Facility => ({
  ...{ facilityCode: "DC2", name: "Rotterdam Waalhaven", country: "NL", timezone: "Europe/Amsterdam" },
  ...{ createdAt: at, version: 1 },
  settings: {
    ...(Object.fromEntries(
      Object.entries(facilitySettings).map(([name, { standard }]) => [name, standard]),
    ) as unknown as Facility["settings"]),
    ...{ companyName: "Crossdock B.V.", address1: "Waalhaven 1", city: "Rotterdam", zip: "3087 BM", phone: "+31 10 1" },
    ...over,
  },
});

export const content = (
  lineNumber: number,
  sku: string,
  qty: number,
  over: Partial<ParcelContent> = {},
): ParcelContent => ({
  ...{ lineNumber, sku, qty, stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity", serials: [] },
  ...over,
});

export const packedParcel = (contents: readonly ParcelContent[], over: Partial<ParcelFacts> = {}): ParcelFacts => ({
  ...{ olpnId: "006141410000000012", orderId: "WEB-1", facilityCode: "DC2", status: "PACKED", statusAt: undefined },
  ...{
    isDelivered: false,
    isReturning: false,
    carrierCode: "HBP",
    carrierServiceCode: "HBP-48",
    decisionId: undefined,
  },
  ...{ trackingNumber: "006141410000000012", trackingUrl: undefined, isGeneratedTrackingNumber: true, weight: 1.25 },
  ...{ weightUomCode: "KG", length: undefined, width: undefined, height: undefined, dimensionsUomCode: undefined },
  ...{ contents, loadId: undefined, packedAt: at, loadedAt: undefined, despatchedAt: undefined, version: 1 },
  ...over,
});

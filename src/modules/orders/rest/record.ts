import { eventName } from "#/kernel/event-codes.ts";
import { quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { bucketRecord } from "#/modules/orders/bucket-record.ts";
import type { AddressElement, OrderRequest } from "#/modules/orders/intake/contract.ts";
import type { MilestoneRow } from "#/modules/orders/milestone-repository.ts";
import { type Buckets, lineStateOf } from "#/modules/orders/order.ts";
import { addressFieldNames, type OrderLineRecord, type OrderRecord } from "#/modules/orders/rest/contract.ts";
import type { OrderLineRow, OrderRow } from "#/modules/orders/rest/repository.ts";
import type { OrderStatusRecord } from "#/modules/orders/rest/status-contract.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

type Money = OrderRecord["totalPrice"];
type Address = OrderRecord["shipToAddress"];

/** The parts of an order that are in other tables than its row. */
export interface OrderParts {
  /** By line number. */
  readonly lines: readonly OrderLineRow[];
  /** By time. */
  readonly milestones: readonly MilestoneRow[];
  /** OLPNs of its parcels. */
  readonly olpns: readonly string[];
}

/** The record of an order from its rows. */
export function orderRecord(clientId: string, row: OrderRow, { lines, milestones, olpns }: OrderParts): OrderRecord {
  const money = (amount: string | null) => moneyOf(amount, row.currency);
  return {
    orderId: row.order_id,
    clientId,
    status: row.status,
    statusReason: row.status_reason,
    externalOrderReference: row.external_order_reference,
    catalogId: row.catalog_id,
    doNotShip: row.holds.some(({ type }) => type === "DO_NOT_SHIP"),
    origin: row.origin,
    language: row.language,
    orderDate: row.order_date,
    shippingMethod: row.shipping_method,
    shippingCost: money(row.shipping_cost),
    subtotal: money(row.subtotal),
    totalPrice: money(row.total_price),
    taxes: taxesOf(row.taxes, row.currency),
    billToAddress: addressOf(row.bill_to_address),
    shipToAddress: addressOf(row.ship_to_address),
    payments: (row.payments ?? []).map(({ type, tender }) => ({ type: type ?? null, tender: tender ?? null })),
    distributionCentre: row.distribution_centre,
    carrierCode: row.carrier_code,
    extendedAttributes: row.extended_attributes,
    priority: row.priority,
    shipPartial: row.ship_partial,
    holds: [...row.holds],
    lines: lines.map((line) => lineRecord(line, row)),
    milestones: milestonesOf(row, milestones),
    olpns: [...olpns],
    despatchBy: row.despatch_by,
    feedToken: row.feed_token,
    receivedAt: row.received_at,
    updatedAt: row.updated_at,
    personalDataErasedAt: row.erased_at,
    version: row.version,
  };
}

/** The status of the order from its row. @param parcels including voided ones */
export function orderStatusRecord(
  clientId: string,
  row: OrderRow,
  milestones: readonly MilestoneRow[],
  parcels: readonly ParcelFacts[],
): OrderStatusRecord {
  return {
    orderId: row.order_id,
    clientId,
    status: row.status,
    statusReason: row.status_reason,
    milestones: milestonesOf(row, milestones),
    parcels: parcels.flatMap(({ status, ...parcel }) =>
      status === "VOIDED"
        ? []
        : {
            olpnId: parcel.olpnId,
            status,
            statusAt: parcel.statusAt ?? null,
            carrierCode: parcel.carrierCode ?? null,
            carrierServiceCode: parcel.carrierServiceCode ?? null,
            trackingNumber: parcel.trackingNumber ?? null,
            trackingUrl: parcel.trackingUrl ?? null,
            packedAt: parcel.packedAt,
            despatchedAt: parcel.despatchedAt ?? null,
          },
    ),
    updatedAt: row.updated_at,
    version: row.version,
  };
}

function lineRecord(row: OrderLineRow, { currency, holds, status }: OrderRow): OrderLineRecord {
  const buckets: Buckets = {
    ordered: storedQuantity(row.qty_ordered),
    open: storedQuantity(row.qty_open),
    backordered: storedQuantity(row.qty_backordered),
    allocated: storedQuantity(row.qty_allocated),
    picked: storedQuantity(row.qty_picked),
    packed: storedQuantity(row.qty_packed),
    despatched: storedQuantity(row.qty_despatched),
    cancelled: storedQuantity(row.qty_cancelled),
  };
  return {
    lineNumber: row.line_number,
    sku: row.sku,
    status: lineStateOf({ buckets, delivered: storedQuantity(row.qty_delivered) }, { status, holds }),
    qty: quantityToNumber(storedQuantity(row.feed_qty)),
    qtyUom: row.feed_uom,
    uom: row.uom,
    ...bucketRecord(buckets),
    qtyDelivered: quantityToNumber(storedQuantity(row.qty_delivered)),
    qtyReturned: quantityToNumber(storedQuantity(row.qty_returned)),
    stockPool: row.stock_pool,
    lineTotal: moneyOf(row.line_total, currency),
    unitNetPrice: moneyOf(row.unit_net_price, currency),
    extendedUnitNetPrice: moneyOf(row.extended_unit_net_price, currency),
    unitGrossPrice: moneyOf(row.unit_gross_price, currency),
    taxes: taxesOf(row.taxes, currency),
    extendedAttributes: row.extended_attributes,
  };
}

function moneyOf(amount: string | null, currency: string | null): Money {
  return amount === null ? null : { amount: Number(amount), currency };
}

function taxesOf(taxes: NonNullable<OrderRequest["taxes"]> | null, currency: string | null): OrderRecord["taxes"] {
  if (taxes === null) return null;
  return {
    amount: amountOf(taxes.amount),
    currency: taxes.unit ?? currency,
    tax: taxes.tax.map(({ type, amount }) => ({ type: type ?? null, amount: amountOf(amount) })),
  };
}

function amountOf(text: string | undefined): number | null {
  return text === undefined || text.trim() === "" ? null : Number(text);
}

function addressOf(address: AddressElement | null): Address {
  if (address === null) return null;
  return Object.fromEntries(addressFieldNames.map((name) => [name, address[name] ?? null])) as Address;
}

/** Derived from the order's row at all times, since the allocation raises them some milliseconds after the receipt. */
const codesOfReceipt = [10, 20] as const;

/** The codes of the order and its parcels. A hold or cancellation of an earlier release has no row, and is derived. */
function milestonesOf(row: OrderRow, rows: readonly MilestoneRow[]): OrderRecord["milestones"] {
  const ofReceipt = codesOfReceipt.map((code) => ({ code, at: row.received_at }));
  const later = rows.filter(({ code }) => !codesOfReceipt.some((receipt) => receipt === code));
  const raised = new Set(later.map(({ code }) => code));
  const derived = [
    ...row.holds.map(({ since }) => ({ code: 30, at: since })),
    // Nothing changes a cancelled order, so its last change is the cancellation.
    ...(row.status === "CANCELLED" ? [{ code: 90, at: row.updated_at }] : []),
  ];
  const all = [...ofReceipt, ...derived.filter(({ code }) => !raised.has(code)), ...later];
  // An event that concerns several parcels at once is one event of the order.
  const byStep = new Map(all.map(({ code, at }) => [`${code} ${at}`, { code, name: eventName(code), at }]));
  return [...byStep.values()].sort((left, right) =>
    left.at < right.at ? -1 : left.at > right.at ? 1 : left.code - right.code,
  );
}

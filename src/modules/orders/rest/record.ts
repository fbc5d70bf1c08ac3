import { withNulls } from "#/http/routes/schema.ts";
import { eventName } from "#/kernel/event-codes.ts";
import { isOfStock, lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import type { OrderRequest } from "#/modules/orders/intake/contract.ts";
import { codesOfReceipt, type ListedMilestone } from "#/modules/orders/milestone-repository.ts";
import { type Buckets, lineStateOf } from "#/modules/orders/order.ts";
import { address, type OrderLineRecord, type OrderRecord, payment } from "#/modules/orders/rest/contract.ts";
import type { StoredOrder, StoredOrderLine } from "#/modules/orders/rest/repository.ts";
import { type OrderStatusRecord, parcel } from "#/modules/orders/rest/status-contract.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

type Money = OrderRecord["totalPrice"];

/** The parts of an order that are in other tables than its row. */
export interface OrderParts {
  /** By line number. */
  readonly lines: readonly StoredOrderLine[];
  /** By time. */
  readonly milestones: readonly ListedMilestone[];
  /** OLPNs of its parcels. */
  readonly olpns: readonly string[];
}

/** The record of an order from its rows. */
export function orderRecord(clientId: string, row: StoredOrder, { lines, milestones, olpns }: OrderParts): OrderRecord {
  const { currency, ...order } = row;
  return {
    ...order,
    clientId,
    doNotShip: order.holds.some(({ type }) => type === "DO_NOT_SHIP"),
    shippingCost: moneyOf(order.shippingCost, currency),
    subtotal: moneyOf(order.subtotal, currency),
    totalPrice: moneyOf(order.totalPrice, currency),
    taxes: taxesOf(order.taxes, currency),
    billToAddress: order.billToAddress && withNulls(address, order.billToAddress),
    shipToAddress: withNulls(address, order.shipToAddress),
    payments: (order.payments ?? []).map((element) => withNulls(payment, element)),
    lines: linesOf(lines, row),
    milestones: milestonesOf(row, milestones),
    olpns: [...olpns],
  };
}

/** The status of the order from its row. @param parcels including voided ones */
export function orderStatusRecord(
  clientId: string,
  order: StoredOrder,
  milestones: readonly ListedMilestone[],
  parcels: readonly ParcelFacts[],
): OrderStatusRecord {
  const { orderId, status, statusReason, updatedAt, version } = order;
  return {
    orderId,
    clientId,
    status,
    statusReason,
    milestones: milestonesOf(order, milestones),
    parcels: parcels.flatMap(({ status, ...facts }) =>
      status === "VOIDED" ? [] : withNulls(parcel, { status, ...facts }),
    ),
    updatedAt,
    version,
  };
}

/** The lines as the client sees them: the rows of a kit are its components. */
function linesOf(rows: readonly StoredOrderLine[], order: StoredOrder): OrderLineRecord[] {
  const components = Map.groupBy(
    rows.filter(({ kitQty, lineNumber }) => kitQty !== null && kitQty > 0 && !isOfStock(lineNumber)),
    ({ lineNumber }) => lineNumberOf(lineNumber),
  );
  return rows.flatMap((row) =>
    row.kitQty !== null && row.kitQty > 0 ? [] : lineRecord(row, order, components.get(row.lineNumber) ?? []),
  );
}

function componentRecord(row: StoredOrderLine): OrderLineRecord["components"][number] {
  return {
    lineNumber: row.lineNumber,
    sku: row.sku,
    qtyPerKit: row.kitQty ?? 0,
    uom: row.uom,
    qtyOrdered: row.qtyOrdered,
    qtyOpen: row.qtyOpen,
    qtyBackordered: row.qtyBackordered,
    qtyAllocated: row.qtyAllocated,
    qtyPicked: row.qtyPicked,
    qtyPacked: row.qtyPacked,
    qtyDespatched: row.qtyDespatched,
    qtyCancelled: row.qtyCancelled,
    qtyDelivered: row.qtyDelivered,
    qtyReturned: row.qtyReturned,
  };
}

function lineRecord(
  { orderId, kitQty, ...line }: StoredOrderLine,
  { currency, status, holds }: StoredOrder,
  components: readonly StoredOrderLine[],
): OrderLineRecord {
  const buckets: Buckets = {
    ordered: quantityOf(line.qtyOrdered),
    open: quantityOf(line.qtyOpen),
    backordered: quantityOf(line.qtyBackordered),
    allocated: quantityOf(line.qtyAllocated),
    picked: quantityOf(line.qtyPicked),
    packed: quantityOf(line.qtyPacked),
    despatched: quantityOf(line.qtyDespatched),
    cancelled: quantityOf(line.qtyCancelled),
  };
  return {
    ...line,
    status: lineStateOf({ buckets, delivered: quantityOf(line.qtyDelivered) }, { status, holds }),
    promisedOn: promisedOnOf(line, components),
    components: components.map(componentRecord),
    lineTotal: moneyOf(line.lineTotal, currency),
    unitNetPrice: moneyOf(line.unitNetPrice, currency),
    extendedUnitNetPrice: moneyOf(line.extendedUnitNetPrice, currency),
    unitGrossPrice: moneyOf(line.unitGrossPrice, currency),
    taxes: taxesOf(line.taxes, currency),
  };
}

/** As `promisedOnOf` of an order in memory. */
function promisedOnOf(line: Omit<StoredOrderLine, "orderId" | "kitQty">, components: readonly StoredOrderLine[]) {
  const waiting = (components.length === 0 ? [line] : components).filter(
    ({ qtyOpen, qtyBackordered }) => qtyOpen + qtyBackordered > 0,
  );
  const days = waiting.map(({ promisedOn }) => promisedOn);
  return days.includes(null) ? null : (days.toSorted().at(-1) ?? null);
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

/** The codes of the order and its parcels. A hold or cancellation of an earlier release has no row, and is derived. */
function milestonesOf(order: StoredOrder, rows: readonly ListedMilestone[]): OrderRecord["milestones"] {
  // Derived at all times, since the allocation raises them some milliseconds after the receipt.
  const ofReceipt = codesOfReceipt.map((code) => ({ code, at: order.receivedAt }));
  const later = rows.filter(({ code }) => !codesOfReceipt.some((receipt) => receipt === code));
  const raised = new Set(later.map(({ code }) => code));
  const derived = [
    ...order.holds.map(({ since }) => ({ code: 30, at: since })),
    // Nothing changes a cancelled order, so its last change is the cancellation.
    ...(order.status === "CANCELLED" ? [{ code: 90, at: order.updatedAt }] : []),
  ];
  const all = [...ofReceipt, ...derived.filter(({ code }) => !raised.has(code)), ...later];
  // An event that concerns several parcels at once is one event of the order.
  const byStep = new Map(all.map(({ code, at }) => [`${code} ${at}`, { code, name: eventName(code), at }]));
  return [...byStep.values()].sort((left, right) =>
    left.at < right.at ? -1 : left.at > right.at ? 1 : left.code - right.code,
  );
}

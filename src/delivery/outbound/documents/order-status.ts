import {
  block,
  type Envelope,
  leaf,
  listOf,
  type SchemaVersion,
  writeDocument,
} from "#/delivery/outbound/documents/envelope.ts";

/** OS: the state of an order, cumulative as at statusTimeStamp. Quantities are in stock units. */
export interface OrderStatusContent {
  readonly orderId: string;
  readonly externalOrderReference?: string | undefined;
  readonly status: string;
  /** Milestone code (lifecycle.md §9). */
  readonly statusCode: number;
  readonly statusReason?: string | undefined;
  /** ISO 8601 UTC. */
  readonly statusTimeStamp: string;
  readonly lines: readonly OrderStatusLine[];
  readonly shipments?: readonly OrderShipment[] | undefined;
  /** Absent in events of earlier releases. */
  readonly holds?: readonly OrderHold[] | undefined;
  /** Only the holds have changed, which version 1.0 does not show. */
  readonly isOfHolds?: boolean | undefined;
}

export interface OrderHold {
  readonly type: string;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

export interface OrderStatusLine extends LineQuantities {
  readonly lineNumber: number;
  readonly sku: string;
  readonly status: string;
  /** Of a kit; 1.2 only. */
  readonly components?: readonly KitComponent[] | undefined;
}

export interface KitComponent extends LineQuantities {
  readonly sku: string;
  readonly qtyPerKit: number;
}

interface LineQuantities {
  readonly qtyOrdered: number;
  readonly qtyOpen: number;
  readonly qtyBackordered: number;
  readonly qtyAllocated: number;
  readonly qtyPicked: number;
  readonly qtyPacked: number;
  readonly qtyDespatched: number;
  readonly qtyCancelled: number;
  readonly qtyDelivered: number;
  readonly qtyReturned: number;
}

export interface OrderShipment {
  readonly olpnId: string;
  readonly carrierCode?: string | undefined;
  readonly carrierServiceCode?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly trackingUrl?: string | undefined;
  /** In weightUomCode. */
  readonly weight?: number | undefined;
  readonly weightUomCode?: string | undefined;
  /** ISO 8601 UTC. */
  readonly despatchedAt?: string | undefined;
  readonly contents: readonly ShipmentContent[];
}

export interface ShipmentContent {
  readonly lineNumber: number;
  readonly sku: string;
  readonly qty: number;
  readonly batchRef?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

export function hasOrderStatus(content: OrderStatusContent, version: SchemaVersion): boolean {
  return version !== "1.0" || content.isOfHolds !== true;
}

export function writeOrderStatus(envelope: Envelope, content: OrderStatusContent, version: SchemaVersion): Buffer {
  const children = [
    leaf("orderId", content.orderId),
    leaf("externalOrderReference", content.externalOrderReference),
    leaf("status", content.status),
    leaf("statusCode", content.statusCode),
    leaf("statusReason", content.statusReason),
    leaf("statusTimeStamp", content.statusTimeStamp),
    block(
      "lines",
      content.lines.map((line) => lineOf(line, version === "1.2")),
    ),
    listOf("shipments", content.shipments, shipmentOf),
    ...(version === "1.0" ? [] : [listOf("holds", content.holds, holdOf)]),
  ];
  return writeDocument("orderStatus", envelope, children, version);
}

/** A reason is empty after an erasure. */
function holdOf({ type, reason, since }: OrderHold) {
  return block("hold", [leaf("type", type), leaf("reason", reason || undefined), leaf("since", since)]);
}

function lineOf(line: OrderStatusLine, hasKits: boolean) {
  return block("line", [
    leaf("lineNumber", line.lineNumber),
    leaf("sku", line.sku),
    leaf("status", line.status),
    ...quantitiesOf(line),
    ...(hasKits ? [listOf("components", line.components, componentOf)] : []),
  ]);
}

function componentOf(component: KitComponent) {
  return block("component", [
    leaf("sku", component.sku),
    leaf("qtyPerKit", component.qtyPerKit),
    ...quantitiesOf(component),
  ]);
}

function quantitiesOf(line: LineQuantities) {
  return [
    leaf("qtyOrdered", line.qtyOrdered),
    leaf("qtyOpen", line.qtyOpen),
    leaf("qtyBackordered", line.qtyBackordered),
    leaf("qtyAllocated", line.qtyAllocated),
    leaf("qtyPicked", line.qtyPicked),
    leaf("qtyPacked", line.qtyPacked),
    leaf("qtyDespatched", line.qtyDespatched),
    leaf("qtyCancelled", line.qtyCancelled),
    leaf("qtyDelivered", line.qtyDelivered),
    leaf("qtyReturned", line.qtyReturned),
  ];
}

function shipmentOf(shipment: OrderShipment) {
  return block("shipment", [
    leaf("olpnId", shipment.olpnId),
    leaf("carrierCode", shipment.carrierCode),
    leaf("carrierServiceCode", shipment.carrierServiceCode),
    leaf("trackingNumber", shipment.trackingNumber),
    leaf("trackingUrl", shipment.trackingUrl),
    leaf("weight", shipment.weight),
    leaf("weightUomCode", shipment.weightUomCode),
    leaf("despatchedAt", shipment.despatchedAt),
    block("contents", shipment.contents.map(contentOf)),
  ]);
}

function contentOf(content: ShipmentContent) {
  return block("content", [
    leaf("lineNumber", content.lineNumber),
    leaf("sku", content.sku),
    leaf("qty", content.qty),
    leaf("batchRef", content.batchRef),
    listOf("serials", content.serials, (serial) => leaf("serial", serial)),
  ]);
}

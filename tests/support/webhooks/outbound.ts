// A sample content of each outbound document, as its producer attaches it to an event. Rendered, they are
// samples/outbound.
import type { Envelope } from "#/delivery/outbound/documents/envelope.ts";
import type { GoodsReceiptContent } from "#/delivery/outbound/documents/goods-receipt.ts";
import type { InventoryAdjustmentContent } from "#/delivery/outbound/documents/inventory-adjustment.ts";
import type { InventorySnapshotContent } from "#/delivery/outbound/documents/inventory-snapshot.ts";
import type { MovementStatementContent } from "#/delivery/outbound/documents/movement-statement.ts";
import type { OrderStatusContent } from "#/delivery/outbound/documents/order-status.ts";
import type { FeedAcknowledgementContent } from "#/delivery/outbound/documents/render.ts";
import type { ReturnStatusContent } from "#/delivery/outbound/documents/return-status.ts";

/** The n-th document of a client. */
export function envelope(n = 1, more: Partial<Envelope> = {}): Envelope {
  return {
    messageId: `019a4c2e-8f00-7abc-8def-${String(n).padStart(12, "0")}`,
    clientId: "DEMO",
    distributionCentre: "DC1",
    creationTimeStamp: "2026-11-20T10:00:00.000Z",
    ...more,
  };
}

export const goodsReceipt: GoodsReceiptContent = {
  poNumber: "PO-2026-0815",
  vendorOrderId: "ASN-1",
  receiptId: "RCV-77",
  correction: false,
  complete: false,
  lines: [
    {
      lineNumber: 1,
      lineId: "L-1",
      sku: "TEE-BLACK-M",
      altSku: "4711",
      qtyExpected: 100,
      qtyReceived: 60,
      qtyDamaged: 2,
      qtyOnHold: 0,
      qtyTotal: 60,
      batchRef: "LOT-7",
      expiryDate: "2027-06-30",
      serials: ["SN-1", "SN-2"],
      discrepancy: "SHORT",
    },
    {
      sku: "MUG-BLUE-330",
      qtyExpected: 0,
      qtyReceived: 1,
      qtyDamaged: 0,
      qtyOnHold: 1,
      qtyTotal: 1,
      discrepancy: "UNPLANNED",
    },
  ],
};

export const goodsReceiptCorrection: GoodsReceiptContent = {
  poNumber: "PO-2026-0815",
  vendorOrderId: "",
  receiptId: "RCV-78",
  correction: true,
  correctsReceiptId: "RCV-77",
  complete: true,
  lines: [
    {
      lineNumber: 1,
      sku: "TEE-BLACK-M",
      qtyExpected: 100,
      qtyReceived: -1.5,
      qtyDamaged: -1,
      qtyTotal: 58.5,
      discrepancy: "DAMAGED",
    },
  ],
};

export const orderStatus: OrderStatusContent = {
  orderId: "WEB-100045",
  externalOrderReference: "SHOP-2026-77812",
  status: "DELIVERED",
  statusCode: 200,
  statusReason: "PARTIALLY_DELIVERED",
  statusTimeStamp: "2026-11-20T09:59:58.120Z",
  lines: [
    {
      lineNumber: 1,
      sku: "TEE-BLACK-M",
      status: "DESPATCHED",
      qtyOrdered: 3,
      qtyOpen: 0,
      qtyBackordered: 0,
      qtyAllocated: 0,
      qtyPicked: 0,
      qtyPacked: 0,
      qtyDespatched: 2,
      qtyCancelled: 1,
      qtyDelivered: 1,
      qtyReturned: 1,
    },
  ],
  shipments: [
    {
      olpnId: "OLPN-1",
      carrierCode: "DHL",
      carrierServiceCode: "PARCEL",
      trackingNumber: "00340434161094000001",
      trackingUrl: "https://carrier.example/track?no=00340434161094000001&lang=en",
      weight: 0.42,
      weightUomCode: "KG",
      despatchedAt: "2026-11-19T15:30:00.000Z",
      contents: [{ lineNumber: 1, sku: "TEE-BLACK-M", qty: 2, batchRef: "LOT-7", serials: ["SN-1", "SN-2"] }],
    },
  ],
};

/** An order that two holds keep. */
export const orderStatusOfHeld: OrderStatusContent = {
  orderId: "WEB-100046",
  status: "ON_HOLD",
  statusCode: 30,
  statusReason: "HAZMAT_REVIEW: rule goods: hazmat",
  statusTimeStamp: "2026-11-20T09:59:58.120Z",
  lines: [
    {
      lineNumber: 1,
      sku: "OIL-LAMP-1L",
      status: "ON_HOLD",
      qtyOrdered: 1,
      qtyOpen: 1,
      qtyBackordered: 0,
      qtyAllocated: 0,
      qtyPicked: 0,
      qtyPacked: 0,
      qtyDespatched: 0,
      qtyCancelled: 0,
      qtyDelivered: 0,
      qtyReturned: 0,
    },
    {
      lineNumber: 2,
      sku: "SET-CUPS",
      status: "ON_HOLD",
      qtyOrdered: 1,
      qtyOpen: 1,
      qtyBackordered: 0,
      qtyAllocated: 0,
      qtyPicked: 0,
      qtyPacked: 0,
      qtyDespatched: 0,
      qtyCancelled: 0,
      qtyDelivered: 0,
      qtyReturned: 0,
      components: [
        {
          sku: "CUP-RED",
          qtyPerKit: 2,
          qtyOrdered: 2,
          qtyOpen: 2,
          qtyBackordered: 0,
          qtyAllocated: 0,
          qtyPicked: 0,
          qtyPacked: 0,
          qtyDespatched: 0,
          qtyCancelled: 0,
          qtyDelivered: 0,
          qtyReturned: 0,
        },
        {
          sku: "TRAY-OAK",
          qtyPerKit: 1,
          qtyOrdered: 1,
          qtyOpen: 1,
          qtyBackordered: 0,
          qtyAllocated: 0,
          qtyPicked: 0,
          qtyPacked: 0,
          qtyDespatched: 0,
          qtyCancelled: 0,
          qtyDelivered: 0,
          qtyReturned: 0,
        },
      ],
    },
  ],
  holds: [
    { type: "HAZMAT_REVIEW", reason: "rule goods: hazmat", since: "2026-11-20T09:59:58.120Z" },
    { type: "DO_NOT_SHIP", reason: "doNotShip of the order", since: "2026-11-20T09:59:58.120Z" },
  ],
};

export const returnStatus: ReturnStatusContent = {
  rmaNumber: "RMA-4711",
  returnType: "AUTHORISED",
  orderReference: "SHOP-2026-77812",
  orderId: "WEB-100045",
  status: "RECEIVED",
  lines: [
    {
      lineNumber: 1,
      sku: "TEE-BLACK-M",
      returnReasonCode: "TOO_LARGE",
      attributeOne: "Exchange for size S",
      attributeThree: "Photo sent on 8 November",
      quantityReturned: 2,
      quantityReceived: 2,
      discrepancy: "NONE",
      dispositions: [
        { disposition: "RESELLABLE", qty: 1, batchRef: "LOT-7", expiryDate: "2027-06-30", serials: ["SN-1"] },
        { disposition: "DAMAGED", qty: 1, batchRef: "LOT-7", expiryDate: "2027-06-30", note: "Seam torn" },
      ],
    },
    {
      sku: "MUG-BLUE-330",
      quantityReturned: 0,
      quantityReceived: 1,
      discrepancy: "UNPLANNED",
      dispositions: [{ disposition: "QUARANTINE", qty: 1, stockPool: "OUTLET", returnReasonCode: "WRONG_ITEM" }],
    },
  ],
};

/** A parcel that came back to its sender. */
export const returnStatusOfParcel: ReturnStatusContent = {
  olpnId: "006141410000000012",
  returnType: "RETURN_TO_SENDER",
  orderId: "WEB-100045",
  status: "RECEIVED",
  lines: [
    {
      lineNumber: 1,
      sku: "TEE-BLACK-M",
      quantityReturned: 2,
      quantityReceived: 2,
      discrepancy: "NONE",
      dispositions: [{ disposition: "RESELLABLE", qty: 2, batchRef: "LOT-7", returnReasonCode: "REFUSED" }],
    },
  ],
};

/** Goods without authorisation and parcel. */
export const returnStatusOfBlind: ReturnStatusContent = {
  returnId: "RET-1",
  returnType: "BLIND",
  status: "RECEIVED",
  lines: [
    {
      sku: "MUG-BLUE-330",
      quantityReturned: 0,
      quantityReceived: 1,
      discrepancy: "UNPLANNED",
      dispositions: [{ disposition: "QUARANTINE", qty: 1, note: "No letter in the box" }],
    },
  ],
};

export const inventoryAdjustment: InventoryAdjustmentContent = {
  adjustmentId: "ADJ-9",
  reasonCode: "CONDITION",
  lines: [
    {
      sku: "TEE-BLACK-M",
      qty: 3,
      fromCondition: "GOOD",
      toCondition: "DAMAGED",
      batchRef: "LOT-7",
      expiryDate: "2027-06-30",
      stockPool: "DEFAULT",
      qtyOnHandAfter: 57,
    },
    { sku: "MUG-BLUE-330", qty: -0.5, fromCondition: "ON_HOLD", stockPool: "OUTLET", qtyOnHandAfter: 0 },
  ],
};

export const acknowledgement: FeedAcknowledgementContent = {
  token: "019a4c2e-8e00-7abc-8def-0123456789ab",
  feedType: "NO",
  objectId: "WEB-100045",
  result: "PROCESSED",
  errors: [],
  status: "ALLOCATED",
};

export const acknowledgementOfRejected: FeedAcknowledgementContent = {
  token: "019a4c2e-8e00-7abc-8def-0123456789ab",
  feedType: "NO",
  objectId: "WEB-100045",
  result: "REJECTED",
  errors: ["[VALUE] lines/line/qtyUom: 'CS' is not a unit of SKU TEE-BLACK-M; allowed: EA"],
};

export const inventorySnapshot: InventorySnapshotContent = {
  snapshotId: "019a4c2e-8f00-7abc-8def-aaaaaaaaaaaa",
  snapshotDate: "2026-11-19",
  position: 4812,
  part: 1,
  parts: 1,
  items: [
    {
      sku: "TEE-BLACK-M",
      stockPool: "DEFAULT",
      uom: "EA",
      onHand: 57,
      allocated: 4,
      onHold: 1,
      damaged: 3,
      available: 49,
      expected: 40,
      inReturn: 0,
      backordered: 0,
    },
  ],
};

export const movementStatement: MovementStatementContent = {
  fromPosition: 4790,
  toPosition: 4812,
  part: 1,
  parts: 1,
  items: [
    {
      sku: "TEE-BLACK-M",
      opening: 59,
      closing: 57,
      movements: [
        {
          movementId: "019a4c2e-8d00-7abc-8def-000000000001",
          type: "DESPATCH",
          qty: -2,
          condition: "GOOD",
          referenceType: "order",
          referenceId: "WEB-100045",
          timeStamp: "2026-11-19T15:30:00.000Z",
        },
      ],
    },
  ],
};

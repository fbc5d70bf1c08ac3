/**
 * Carrier track-and-trace codes, the milestones of an order and its parcels (lifecycle.md §9). Codes up to 100 are raised
 * by the platform, the others by carriers.
 */
export interface EventCode {
  readonly name: string;
  /** An exception: it does not move the milestone. */
  readonly isException?: true;
  /** No event is expected after it. */
  readonly isEnd?: true;
}

/** The highest code that the platform raises itself. */
export const ownCodesMax = 100;

export const eventCodes: Readonly<Record<number, EventCode>> = {
  10: { name: "Order Received" },
  20: { name: "Order Validated" },
  30: { name: "Order On Hold", isException: true },
  35: { name: "Hold Released" },
  40: { name: "Released to Warehouse" },
  45: { name: "Order Backordered", isException: true },
  48: { name: "Order Partially Allocated" },
  50: { name: "Order Allocated" },
  52: { name: "Picking Started" },
  55: { name: "Order Picked" },
  58: { name: "Short Picked", isException: true },
  60: { name: "Order Packed" },
  70: { name: "Label Produced" },
  75: { name: "Ready for Collection by Carrier" },
  80: { name: "Parcel Loaded" },
  88: { name: "Cancel Requested", isException: true },
  90: { name: "Order Cancelled", isEnd: true },
  95: { name: "Order Partially Despatched" },
  100: { name: "Order Despatched" },
  105: { name: "Carrier Data Accepted" },
  110: { name: "Collected by Carrier" },
  120: { name: "In Transit" },
  125: { name: "Arrived at Hub" },
  130: { name: "Departed Hub" },
  140: { name: "At Customs" },
  145: { name: "Customs Cleared" },
  148: { name: "Customs Held", isException: true },
  150: { name: "At Delivery Depot" },
  155: { name: "Delivery Scheduled" },
  160: { name: "Out for Delivery" },
  165: { name: "Delayed", isException: true },
  170: { name: "Delivery Attempted", isException: true },
  175: { name: "Available for Collection" },
  180: { name: "Carrier Hold", isException: true },
  185: { name: "Address Problem", isException: true },
  190: { name: "Damaged", isException: true },
  195: { name: "Lost", isEnd: true },
  200: { name: "Delivered", isEnd: true },
  205: { name: "Delivered to Neighbour", isEnd: true },
  210: { name: "Collected by Recipient", isEnd: true },
  215: { name: "Proof of Delivery Available" },
  220: { name: "Refused", isException: true },
  230: { name: "Undeliverable", isException: true },
  250: { name: "Return to Sender Started" },
  260: { name: "Return in Transit" },
  270: { name: "Return Arrived" },
  300: { name: "Returned to Sender", isEnd: true },
  390: { name: "Tracking Expired", isException: true },
  399: { name: "Unmapped Carrier Code", isException: true },
};

/** The name of a code that is known to exist. */
export function eventName(code: number): string {
  return eventCodes[code]?.name ?? eventCodes[399]?.name ?? "";
}

import Type from "typebox";
import { amount, leftOut, oneOf, type TopicFamily, utc } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, nullable, text } from "#/http/routes/schema.ts";
import { holdMeanings, orderStates } from "#/modules/orders/index.ts";

const quantities = {
  qtyOrdered: amount("Ordered quantity: the sum of the next seven fields."),
  qtyOpen: amount("Not allocated or back-ordered yet.", 0),
  qtyBackordered: amount("Waiting for stock.", 0),
  qtyAllocated: amount("Allocated to the order."),
  qtyPicked: amount("Picked, not packed yet.", 0),
  qtyPacked: amount("In a parcel that has not left yet.", 0),
  qtyDespatched: amount("Despatched from the warehouse.", 0),
  qtyCancelled: amount("Cancelled.", 0),
  qtyDelivered: amount("Of the despatched quantity: delivered.", 0),
  qtyReturned: amount("Of the despatched quantity: returned.", 0),
};

const component = Type.Object(
  {
    sku: text("The component.", "CUP-RED"),
    qtyPerKit: amount("In one kit."),
    ...quantities,
  },
  { ...closed, title: "OrderComponent", description: "A component of a kit; quantities in its stock unit." },
);

const line = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Line of the order.", examples: [1] }),
    sku: text("Product.", "MUG-BLUE-330"),
    status: oneOf(orderStates, "State of the line.", "ALLOCATED"),
    ...quantities,
    distributionCentre: Type.Optional(text("Of a split order: the facility that fulfils the line.", "DC1")),
    components: Type.Optional(
      Type.Array(component, {
        description: "Of a kit: the components of its kits that are not taken from stock of the kit.",
      }),
    ),
  },
  { ...closed, title: "OrderLine", description: "A line of the order; quantities in its stock unit." },
);

const hold = Type.Object(
  {
    type: oneOf(Object.keys(holdMeanings), "Kind of the hold.", "HAZMAT_REVIEW", { title: "HoldType" }),
    reason: text("Why, in words; empty once personal data of the order are erased.", "rule goods: hazmat"),
    since: utc("When the hold was set."),
  },
  { ...closed, title: "Hold", description: "A hold: no unit of the order leaves until its last hold is released." },
);

const parcel = Type.Object(
  {
    olpnId: text("The parcel: an SSCC-18.", "006141410000000012"),
    carrierCode: maybeText("Carrier.", "RM"),
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
  },
  { ...closed, title: "LeftParcel", description: "A parcel that has left." },
);

const promisedDay = (description: string, example: string) =>
  nullable(Type.String({ format: "date", description, examples: [example] }));

const promise = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Line of the order.", examples: [2] }),
    promisedOn: promisedDay("Day on which purchase orders bring its goods; null: none says any more.", "2026-12-04"),
    promisedBefore: promisedDay("The day before the change; null: there was none.", "2026-11-30"),
  },
  { ...closed, title: "LinePromise", description: "The day of a line that waits." },
);

const data = Type.Object(
  {
    orderId: text("The order.", "WEB-100045"),
    externalOrderReference: maybeText("The client's additional reference.", "SHOP-2026-77812"),
    status: oneOf(orderStates, "State of the order.", "ALLOCATED"),
    statusCode: nullable(Type.Integer({ description: "Event code of the state.", examples: [50] })),
    statusReason: maybeText(
      "Reason of the state: of a held order its first open hold as type and reason, else PARTIALLY_DELIVERED, LOST, stock that cannot be allocated, or the reason of a cancellation.",
      "Changed my mind",
    ),
    distributionCentre: text("Facility that fulfils it.", "DC1"),
    distributionCentres: Type.Optional(
      Type.Array(text("Facility.", "DC1"), {
        description: "Of a split order: all facilities that fulfil its lines, distributionCentre first.",
      }),
    ),
    holds: Type.Array(hold, { description: "Its open holds, oldest first." }),
    parcels: Type.Optional(
      Type.Array(parcel, {
        description: "In the events of despatches: its parcels that have left, the last 200.",
      }),
    ),
    promises: Type.Optional(
      Type.Array(promise, { description: "In order:promised: the lines whose day has moved, at most 200." }),
    ),
    lines: Type.Array(line, { description: "Its lines, in the state of this event." }),
    ...leftOut,
  },
  { ...closed, title: "OrderData", description: "The order in the state of this event." },
);

type Bucket = "Open" | "Backordered" | "Allocated" | "Picked" | "Packed" | "Despatched" | "Cancelled";

/** An order of two mugs and a tray, with the quantity of each line in each bucket. */
function sampleOf(
  [status, statusCode, statusReason]: readonly [status: string, statusCode: number, statusReason?: string],
  mugs: Partial<Record<Bucket | "Delivered", number>>,
  trays: Partial<Record<Bucket | "Delivered", number>> | undefined = undefined,
) {
  const isHeld = status === "ON_HOLD";
  const lineOf = (lineNumber: number, sku: string, units: Partial<Record<Bucket | "Delivered", number>>) => {
    const { Delivered = 0, ...buckets } = units;
    const [first] = Object.keys(buckets) as Bucket[];
    const isWhole = first === "Open" || status === "RETURNED_TO_SENDER";
    return {
      lineNumber,
      sku,
      status: Delivered > 0 ? "DELIVERED" : isWhole || first === undefined ? status : wordOf[first],
      qtyOrdered: Object.values(buckets).reduce((sum, qty) => sum + qty, 0),
      qtyOpen: buckets.Open ?? 0,
      qtyBackordered: buckets.Backordered ?? 0,
      qtyAllocated: buckets.Allocated ?? 0,
      qtyPicked: buckets.Picked ?? 0,
      qtyPacked: buckets.Packed ?? 0,
      qtyDespatched: buckets.Despatched ?? 0,
      qtyCancelled: buckets.Cancelled ?? 0,
      qtyDelivered: Delivered,
      qtyReturned: 0,
    };
  };
  const lines = [lineOf(1, "MUG-BLUE-330", mugs), ...(trays ? [lineOf(2, "TRAY-OAK", trays)] : [])];
  return {
    objectId: "WEB-100045",
    data: {
      orderId: "WEB-100045",
      externalOrderReference: "SHOP-2026-77812",
      status,
      statusCode,
      statusReason: statusReason ?? null,
      distributionCentre: "DC1",
      ...(/DESPATCHED$/.test(status) ? { parcels: [leftParcel] } : {}),
      holds: isHeld ? [{ type: "HAZMAT_REVIEW", reason: "rule goods: hazmat", since: "2026-11-20T10:00:00.000Z" }] : [],
      lines,
    },
  };
}

const leftParcel = {
  olpnId: "006141410000000012",
  carrierCode: "RM",
  trackingNumber: "RM123456785GB",
  trackingUrl: "https://carrier.example/RM123456785GB",
};

const wordOf: Readonly<Record<Bucket, string>> = {
  Open: "RECEIVED",
  Backordered: "BACKORDERED",
  Allocated: "ALLOCATED",
  Picked: "PICKING",
  Packed: "PACKED",
  Despatched: "DESPATCHED",
  Cancelled: "CANCELLED",
};

const partly = sampleOf(["PARTIALLY_ALLOCATED", 48], { Allocated: 2 }, { Backordered: 1 });
const promisedSample = {
  ...partly,
  data: {
    ...partly.data,
    promises: [{ lineNumber: 2, promisedOn: "2026-12-04", promisedBefore: "2026-11-30" }],
  },
};

/** The events of orders (webhooks.md §3). */
export const orderTopics: TopicFamily = {
  title: "Orders",
  objectType: "order",
  object: "the orderId",
  data,
  topics: [
    {
      topicName: "order:received",
      when: "A new order was accepted.",
      sample: sampleOf(["RECEIVED", 10], { Open: 2 }),
    },
    {
      topicName: "order:held",
      when: "The order has its first hold: no unit of it leaves until its last hold is released.",
      sample: sampleOf(["ON_HOLD", 30, "HAZMAT_REVIEW: rule goods: hazmat"], { Open: 2 }),
    },
    {
      topicName: "order:released",
      when: "The last hold of the order was released.",
      sample: sampleOf(["RECEIVED", 10], { Open: 2 }),
    },
    {
      topicName: "order:partiallyAllocated",
      when: "Stock was allocated to a part of the order; the rest waits.",
      sample: sampleOf(["PARTIALLY_ALLOCATED", 48], { Allocated: 2 }, { Backordered: 1 }),
    },
    {
      topicName: "order:allocated",
      when: "Stock was allocated to the complete order, and its task is released to the warehouse.",
      sample: sampleOf(["ALLOCATED", 50], { Allocated: 2 }),
    },
    {
      topicName: "order:backordered",
      when: "There is no stock for the order: it waits.",
      sample: sampleOf(["BACKORDERED", 45], { Backordered: 2 }),
    },
    {
      topicName: "order:picking",
      when: "The warehouse has begun to pick the order.",
      sample: sampleOf(["PICKING", 52], { Picked: 2 }),
    },
    {
      topicName: "order:packed",
      when: "All units that are to leave are packed.",
      sample: sampleOf(["PACKED", 60], { Packed: 2 }),
    },
    {
      topicName: "order:partiallyDespatched",
      when: "A part of the order has left the warehouse; the rest follows.",
      sample: sampleOf(["PARTIALLY_DESPATCHED", 95], { Despatched: 2 }, { Backordered: 1 }),
    },
    {
      topicName: "order:despatched",
      when: "All units that are to leave have left the warehouse.",
      sample: sampleOf(["DESPATCHED", 100], { Despatched: 2 }),
    },
    {
      topicName: "order:delivered",
      when: "Every parcel has ended, and at least one was delivered.",
      sample: sampleOf(["DELIVERED", 200], { Despatched: 2, Delivered: 2 }),
    },
    {
      topicName: "order:returnedToSender",
      when: "Every parcel of the order came back to its sender.",
      sample: sampleOf(["RETURNED_TO_SENDER", 300], { Despatched: 2 }),
    },
    {
      topicName: "order:cancelRequested",
      when: "A cancellation was requested after the warehouse had taken the order: the warehouse answers line by line.",
      sample: sampleOf(["PICKING", 52], { Picked: 2 }),
    },
    {
      topicName: "order:cancelRefused",
      when: "The warehouse could not stop all requested units: packed ones continue.",
      sample: sampleOf(["PACKED", 60], { Packed: 2 }),
    },
    {
      topicName: "order:cancelled",
      when: "No unit of the order is left to send.",
      sample: sampleOf(["CANCELLED", 90, "Changed my mind"], { Cancelled: 2 }),
    },
    {
      topicName: "order:updated",
      when: "A change without another topic: content, an additional hold, the release of one of several holds, a quantity.",
      sample: sampleOf(["ALLOCATED", 50], { Allocated: 1, Cancelled: 1 }),
    },
    {
      topicName: "order:atRisk",
      when: "One hour before its despatchBy, the order has not been despatched.",
      sample: sampleOf(["ALLOCATED", 50], { Allocated: 2 }),
    },
    {
      topicName: "order:promised",
      when: "The day on which purchase orders bring the goods that lines wait for is known, has moved, or is no longer known.",
      sample: promisedSample,
    },
  ],
};

import Type from "typebox";
import { amount, leftOut, type TopicFamily, utc } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, text } from "#/http/routes/schema.ts";
import { eventCodes, eventName } from "#/kernel/event-codes.ts";

const olpnId = text("The parcel: an SSCC-18.", "006141410000000012");

const content = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Line of the order.", examples: [1] }),
    sku: text("Product.", "MUG-BLUE-330"),
    qty: amount("Quantity in the stock unit."),
    batchRef: Type.Optional(text("Batch of the lot, where it has one.", "B-2026-11")),
    serials: Type.Optional(
      Type.Array(text("A serial number.", "SN-000123"), {
        description: "Its serial numbers, where they are captured.",
      }),
    ),
  },
  { ...closed, title: "ParcelContent", description: "Contents of the parcel of one lot." },
);

const data = Type.Object(
  {
    orderId: text("The order.", "WEB-100045"),
    olpnId,
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
    carrierCode: maybeText("Carrier.", "RM"),
    carrierServiceCode: maybeText("Service of the carrier.", "RM48"),
    loadId: maybeText("The load of the parcel; null until it is loaded.", "L-2026-11-20-1"),
    weight: amount("Weight.", 1.25),
    weightUomCode: text("Unit of the weight.", "KG"),
    contents: Type.Array(content, { description: "Its contents, by lot." }),
    ...leftOut,
  },
  { ...closed, title: "ParcelData", description: "The parcel in the state of this event." },
);

const sampleOf = (loadId: string | null) => ({
  objectId: "WEB-100045",
  data: {
    orderId: "WEB-100045",
    olpnId: "006141410000000012",
    trackingNumber: "RM123456785GB",
    trackingUrl: "https://carrier.example/RM123456785GB",
    carrierCode: "RM",
    carrierServiceCode: "RM48",
    loadId,
    weight: 1.25,
    weightUomCode: "KG",
    contents: [{ lineNumber: 1, sku: "MUG-BLUE-330", qty: 2, batchRef: "B-2026-11" }],
  },
});

/** The events of parcels while they are in the warehouse (webhooks.md §3). */
export const parcelTopics: TopicFamily = {
  title: "Parcels",
  objectType: "order",
  object: "the orderId of the parcel's order",
  data,
  topics: [
    { topicName: "parcel:packed", when: "A parcel was packed.", sample: sampleOf(null) },
    {
      topicName: "parcel:labelled",
      when: "The label of a packed parcel was bought: the parcel has the tracking number of its carrier.",
      sample: sampleOf(null),
    },
    { topicName: "parcel:load", when: "A parcel was loaded for its carrier.", sample: sampleOf("L-2026-11-20-1") },
    {
      topicName: "parcel:voided",
      when: "A parcel was voided before it left: its contents are picked again.",
      sample: sampleOf(null),
    },
  ],
};

const traceData = Type.Object(
  {
    eventCode: Type.Integer({
      description: `The code. Codes up to 100 are of the platform, those above are of the carrier. ${Object.entries(
        eventCodes,
      )
        .map(([code, { name }]) => `${code} ${name}`)
        .join(", ")}`,
      enum: Object.keys(eventCodes).map(Number),
      examples: [200],
    }),
    eventName: text("The name of the code.", "Delivered"),
    occurredAt: utc("When it happened; the report may come much later."),
    orderId: text("The order.", "WEB-100045"),
    olpnId: maybeText("The parcel; null for the whole order.", "006141410000000012"),
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
    carrierCode: maybeText("Carrier.", "RM"),
    location: maybeText("Place, as reported by the carrier.", "Bristol depot"),
    text: maybeText("Text of the carrier.", "Handed to the recipient"),
  },
  { ...closed, title: "TrackAndTraceData", description: "One milestone of an order or of one of its parcels." },
);

/** Every code, from every source (lifecycle.md §9). */
export const trackAndTraceTopics: TopicFamily = {
  title: "Track and trace",
  objectType: "order",
  object: "the orderId",
  data: traceData,
  topics: [
    {
      topicName: "carrier:trackAndTrace",
      when: "An order or one of its parcels reached a milestone, or met a problem.",
      sample: {
        objectId: "WEB-100045",
        data: {
          eventCode: 200,
          eventName: eventName(200),
          occurredAt: "2026-11-20T09:42:00.000Z",
          orderId: "WEB-100045",
          olpnId: "006141410000000012",
          trackingNumber: "RM123456785GB",
          trackingUrl: "https://carrier.example/RM123456785GB",
          carrierCode: "RM",
          location: "Bristol",
          text: "Handed to the recipient",
        },
      },
    },
  ],
};

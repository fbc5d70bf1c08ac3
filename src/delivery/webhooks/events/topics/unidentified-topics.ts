import Type from "typebox";
import { leftOut, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed } from "#/http/routes/schema.ts";
import { type UnidentifiedReceipt, unidentifiedReceipt } from "#/modules/warehouse/index.ts";

const data = Type.Object(
  { ...unidentifiedReceipt.properties, ...leftOut },
  { ...closed, title: "UnidentifiedReceiptData", description: "The goods, as `unidentifiedReceipt/get` answers them." },
);

const sampleOf = (status: UnidentifiedReceipt["status"]) => {
  const isWaiting = status === "WAITING";
  const objectId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b42";
  return {
    objectId,
    data: {
      unidentifiedId: objectId,
      clientId: "DEMO",
      distributionCentre: "DC1",
      receiptId: "RCV-7",
      status,
      packages: 3,
      sscc: null,
      carrierCode: "HAULIER",
      trackingNumber: "JD014600006281230711",
      marks: "Oak & Sons, order 1180, box 1 to 3",
      lines: [{ sku: "MUG-BLUE-330", qty: 48 }],
      occurredAt: "2026-11-20T10:00:00.000Z",
      poNumber: status === "BOUND" ? "PO-7001" : null,
      vendorOrderId: null,
      reason: status === "RETURNED" ? "Delivered to the wrong house" : null,
      receivedAt: "2026-11-20T10:00:00.000Z",
      settledAt: isWaiting ? null : "2026-11-20T11:00:00.000Z",
      updatedAt: isWaiting ? "2026-11-20T10:00:00.000Z" : "2026-11-20T11:00:00.000Z",
      version: isWaiting ? 1 : 2,
    } satisfies UnidentifiedReceipt,
  };
};

export const unidentifiedTopics: TopicFamily = {
  title: "Goods without a purchase order",
  objectType: "unidentifiedReceipt",
  object: "the unidentifiedId",
  data,
  topics: [
    {
      topicName: "unidentifiedReceipt:received",
      when: "Goods came without a known purchase order: they are outside the stock.",
      sample: sampleOf("WAITING"),
    },
    {
      topicName: "unidentifiedReceipt:bound",
      when: "The goods were bound to a purchase order, whose receipt is booked: `goodsReceipt:received` has it.",
      sample: sampleOf("BOUND"),
    },
    {
      topicName: "unidentifiedReceipt:closed",
      when: "The goods ended without a purchase order: returned, disposed of, or reported otherwise.",
      sample: sampleOf("RETURNED"),
    },
  ],
};

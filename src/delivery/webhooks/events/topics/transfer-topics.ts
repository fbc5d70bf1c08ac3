import Type from "typebox";
import { leftOut, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed } from "#/http/routes/schema.ts";
import { type TransferRecord, transferSchema } from "#/modules/transfers/index.ts";

const data = Type.Object(
  { ...transferSchema.properties, ...leftOut },
  { ...closed, title: "TransferData", description: "A transfer, as `transfer/get` answers it." },
);

const sampleOf = (status: TransferRecord["status"], version: number) => {
  const [isHeld, isGone, isClosed] = [status === "RELEASED", version > 2, status === "CLOSED"];
  const qtyReceived = isClosed ? 22 : status === "RECEIVED" ? 24 : 0;
  return {
    objectId: "TR-100",
    data: {
      transferId: "TR-100",
      clientId: "DEMO",
      status,
      fromFacility: "DC1",
      toFacility: "DC2",
      notes: null,
      carrierCode: isGone ? "HAULIER" : null,
      trackingNumber: isGone ? "CN-88120" : null,
      shippedAt: isGone ? "2026-11-20T10:00:00.000Z" : null,
      receivedAt: "2026-11-20T09:00:00.000Z",
      updatedAt: "2026-11-20T10:00:00.000Z",
      version,
      lines: [
        {
          lineNumber: 1,
          sku: "MUG-BLUE-330",
          uom: "EA",
          qtyOrdered: 24,
          qtyAllocated: isHeld ? 24 : 0,
          qtyShipped: isGone ? 24 : 0,
          qtyInTransit: status === "SHIPPED" ? 24 : 0,
          qtyReceived,
          qtyDamaged: 0,
          qtyLost: isClosed ? 2 : 0,
        },
      ],
    } satisfies TransferRecord,
  };
};

export const transferTopics: TopicFamily = {
  title: "Transfers",
  objectType: "transfer",
  object: "the transferId",
  data,
  topics: [
    { topicName: "transfer:created", when: "A transfer was created.", sample: sampleOf("RELEASED", 1) },
    {
      topicName: "transfer:updated",
      when: "Stock that the transfer held was lost: it ships less.",
      sample: sampleOf("RELEASED", 2),
    },
    { topicName: "transfer:cancelled", when: "The transfer was cancelled.", sample: sampleOf("CANCELLED", 2) },
    {
      topicName: "transfer:shipped",
      when: "The goods left the sending facility: they are in transit.",
      sample: sampleOf("SHIPPED", 3),
    },
    {
      topicName: "transfer:received",
      when: "The receiving facility reported a receipt, or corrected one.",
      sample: sampleOf("RECEIVED", 4),
    },
    {
      topicName: "transfer:closed",
      when: "Nothing more is expected: what was not received is lost.",
      sample: sampleOf("CLOSED", 5),
    },
  ],
};

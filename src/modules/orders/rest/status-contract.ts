import Type, { type Static } from "typebox";
import { identifier, moment, nullable } from "#/http/routes/schema.ts";
import { closed, milestone, status, text } from "#/modules/orders/rest/contract.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

const parcelStates = [
  "PACKED",
  "LOADED",
  "DESPATCHED",
  "IN_TRANSIT",
  "OUT_FOR_DELIVERY",
  "AVAILABLE_FOR_COLLECTION",
  "DELIVERED",
  "EXCEPTION",
  "LOST",
  "RETURNING",
  "RETURNED_TO_SENDER",
] as const satisfies readonly ParcelFacts["status"][];

const parcel = Type.Object(
  {
    olpnId: identifier("Identifier of the parcel: an SSCC-18.", "006141410000000012"),
    status: Type.Enum([...parcelStates], {
      type: "string",
      title: "ParcelStatus",
      description: "State of the parcel.",
      examples: ["IN_TRANSIT"],
    }),
    statusAt: nullable(moment("When that happened which gave the state; null while no carrier has reported.")),
    carrierCode: text("Carrier.", "RM"),
    carrierServiceCode: text("Service of the carrier.", "RM48"),
    trackingNumber: text("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: text("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
    packedAt: moment("When it was packed."),
    despatchedAt: nullable(moment("When it left the warehouse; null while it has not.")),
  },
  { ...closed, title: "ParcelStatusRecord", description: "Where a parcel is." },
);

/** The status of an order without its contents (contract rest.md §3). */
export const orderStatus = Type.Object(
  {
    orderId: identifier("Identifier of the order, the client's own.", "WEB-100045"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    status: status("order"),
    statusReason: text("Why it is in this state, where that needs saying.", "cancelled by the client's feed"),
    milestones: Type.Array(milestone, { description: "What has happened, in order." }),
    parcels: Type.Array(parcel, { description: "Its parcels as they were packed; voided ones are left out." }),
    updatedAt: moment("When the order last changed."),
    version: Type.Integer({
      description: "Of the order: counts up with every change; also in the ETag.",
      examples: [1],
    }),
  },
  { ...closed, title: "OrderStatusRecord", description: "Where an order stands." },
);

export type OrderStatusRecord = Static<typeof orderStatus>;

import Type, { type Static } from "typebox";
import { closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { milestone, status } from "#/modules/orders/rest/contract.ts";
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

export const parcel = Type.Object(
  {
    olpnId: identifier("Identifier of the parcel: an SSCC-18.", "006141410000000012"),
    status: Type.Enum([...parcelStates], {
      type: "string",
      title: "ParcelStatus",
      description: "State of the parcel.",
      examples: ["IN_TRANSIT"],
    }),
    statusAt: nullable(moment("When the parcel entered its state; null while no carrier has reported.")),
    carrierCode: maybeText("Carrier.", "RM"),
    carrierServiceCode: maybeText("Service of the carrier.", "RM48"),
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Tracking page of the carrier.", "https://carrier.example/RM123456785GB"),
    packedAt: moment("When it was packed."),
    despatchedAt: nullable(moment("When it left the warehouse; null before that.")),
  },
  { ...closed, title: "ParcelStatusRecord", description: "Status of a parcel." },
);

/** The status of an order without its contents (contract rest.md §3). */
export const orderStatus = Type.Object(
  {
    orderId: identifier("Identifier of the order, the client's own.", "WEB-100045"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    status: status("order"),
    statusReason: maybeText(
      "Reason of the state, where there is one; of a held order its first open hold: its type and reason.",
      "CLIENT_REQUEST: Address to be confirmed",
    ),
    milestones: Type.Array(milestone, { description: "Milestones, in order." }),
    parcels: Type.Array(parcel, { description: "Its parcels by time of packing, without voided ones." }),
    updatedAt: moment("When the order last changed."),
    version: Type.Integer({
      description: "Of the order: counts up with every change; also in the ETag.",
      examples: [1],
    }),
  },
  { ...closed, title: "OrderStatusRecord", description: "Status of an order." },
);

export type OrderStatusRecord = Static<typeof orderStatus>;

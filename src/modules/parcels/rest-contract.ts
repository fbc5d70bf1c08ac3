import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { parcelStatuses } from "#/modules/parcels/domain.ts";

/**
 * The OLPN record of the REST services (contract rest.md §4). Every field is always present; an unknown value is
 * `null`.
 */
const size = (description: string) => nullable(Type.Number({ description, examples: [30] }));

export const olpnEvent = Type.Object(
  {
    code: Type.Integer({ description: "Event code.", examples: [120] }),
    name: Type.String({ description: "Its name.", examples: ["In Transit"] }),
    at: moment("When it happened."),
    receivedAt: moment("When it was reported."),
    location: maybeText("Where.", "Bristol depot"),
    text: maybeText("Text of the carrier.", "With the driver"),
  },
  { ...closed, title: "OlpnEvent", description: "An event of the parcel." },
);

export type OlpnEvent = Static<typeof olpnEvent>;

export const olpn = Type.Object(
  {
    olpnId: identifier("Identifier of the parcel: an SSCC-18.", "006141410000000012"),
    orderId: identifier("Its order.", "WEB-100045"),
    distributionCentre: identifier("Facility that packed it.", "DC1"),
    status: Type.Enum([...parcelStatuses], {
      type: "string",
      title: "OlpnStatus",
      description: "State of the parcel.",
      examples: ["IN_TRANSIT"],
    }),
    carrierCode: maybeText("Carrier.", "RM"),
    carrierServiceCode: maybeText("Service of the carrier.", "RM48"),
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
    weight: Type.Object(
      {
        value: Type.Number({ description: "Weight.", examples: [1.25] }),
        uom: Type.String({ description: "Its unit.", examples: ["KG"] }),
      },
      { ...closed, title: "OlpnWeight", description: "Weight of the parcel." },
    ),
    dimensions: nullable(
      Type.Object(
        {
          length: size("Length."),
          width: size("Width."),
          height: size("Height."),
          uom: Type.String({ description: "Their unit.", examples: ["CM"] }),
        },
        { ...closed, title: "OlpnDimensions", description: "Sides of the parcel." },
      ),
    ),
    contents: Type.Array(
      Type.Object(
        {
          lineNumber: Type.Integer({ description: "Line of the order.", examples: [1] }),
          sku: identifier("Product.", "MUG-BLUE-330"),
          qty: quantity("Quantity in the stock unit."),
          batchRef: maybeText("Batch.", "B-2026-11"),
          expiryDate: nullable(
            Type.String({ format: "date", description: "Expiry date of the lot.", examples: ["2027-06-30"] }),
          ),
          serials: Type.Array(Type.String({ description: "A serial number.", examples: ["SN-000123"] }), {
            description: "Serial numbers, where the item has them.",
          }),
        },
        { ...closed, title: "OlpnContent", description: "A quantity of one lot." },
      ),
      { description: "What is in the parcel, by lot." },
    ),
    events: Type.Array(olpnEvent, { description: "Events of the parcel, in order." }),
    decisionId: nullable(
      Type.String({
        format: "uuid",
        description: "The decision for its service; null where the warehouse named it.",
        examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
      }),
    ),
  },
  { ...closed, title: "Olpn", description: "A parcel (outbound licence plate number)." },
);

export type OlpnRecord = Static<typeof olpn>;

export const olpnPage = pageOf(olpn, "Parcels of an order, by time of packing.");

export const olpnPath = Type.Object({ olpnId: identifier("The parcel.", "006141410000000012") }, closed);

export const olpnOrderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);

export const olpnQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const olpnListQuery = Type.Object(
  { clientId: clientIdParameter, sort: receiptSortParameter, ...pageParameters },
  closed,
);

export const olpnCursors = defineReceiptCursors("olpns");

import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, nullable } from "#/http/routes/schema.ts";
import { serviceLevel } from "#/modules/carriers/data/data-parts.ts";

/** The carrier service code of the REST services (contract rest.md §4). Every field is always present. */
export const carrierServiceCode = Type.Object(
  {
    code: identifier("Code of the service: the carrierServiceCode of parcels.", "RM48"),
    carrierCode: identifier("Carrier that offers it.", "RM"),
    name: Type.String({ description: "Display name.", examples: ["Tracked 48"] }),
    serviceLevel,
    trackable: Type.Boolean({ description: "Whether its parcels can be tracked.", examples: [true] }),
    countries: nullable(
      Type.Array(Type.String({ description: "Country code of ISO 3166-1, two letters.", examples: ["GB"] }), {
        description: "Countries that it delivers to; null: all.",
      }),
    ),
    maxWeightKg: nullable(
      Type.Number({ description: "Maximum weight of a parcel, in kg; null: no limit is known.", examples: [20] }),
    ),
  },
  { ...closed, title: "CarrierServiceCode", description: "A service of a carrier." },
);

export type CarrierServiceCode = Static<typeof carrierServiceCode>;

export const carrierServiceCodePage = pageOf(carrierServiceCode, "Services of carriers, by code.");

export const carrierServiceCodeListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    carrierCode: Type.Optional(identifier("Services of this carrier.", "RM")),
    country: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{2}$",
        description: "Services that deliver to this country: its code of ISO 3166-1, two capitals.",
        examples: ["GB"],
      }),
    ),
    serviceLevel: Type.Optional(serviceLevel),
    ...pageParameters,
  },
  closed,
);

export type CarrierServiceCodeListQuery = Static<typeof carrierServiceCodeListQuery>;

export const carrierServiceCodeCursors = defineCursor("carrierServiceCodes", Type.Object({ code: placeText() }));

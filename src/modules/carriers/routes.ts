import Type, { type Static } from "typebox";
import { clientIdOf } from "#/http/access/bearer.ts";
import { defineCursor, pageOf, pageParameters, placeText, readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import { clientIdParameter, closed, identifier, nullable } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { activeCarrierData } from "#/modules/carriers/data/carrier-data.ts";
import { serviceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";

/** The carrier service code of the REST services (contract rest.md §4). Every field is always present. */
const carrierServiceCode = Type.Object(
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

type CarrierServiceCode = Static<typeof carrierServiceCode>;

const carrierServiceCodePage = pageOf(carrierServiceCode, "Services of carriers, by code.");

const carrierServiceCodeListQuery = Type.Object(
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

type CarrierServiceCodeListQuery = Static<typeof carrierServiceCodeListQuery>;

const carrierServiceCodeCursors = defineCursor("carrierServiceCodes", Type.Object({ code: placeText() }));

/** Services of carriers in the Order service (contract rest.md §3). */
export function addCarrierRoutes(
  service: HttpServer,
  { database, clock }: Pick<ServiceContext, "database" | "clock">,
): void {
  service.get(
    "/carrierServiceCode/list",
    {
      schema: {
        operationId: "listCarrierServiceCodes",
        summary: "Carrier services offered today, by code",
        description: "Those of the client's carrier data if it has any, else those of the operator. Days are in UTC.",
        querystring: carrierServiceCodeListQuery,
        response: { 200: carrierServiceCodePage },
      } as const,
    },
    async (request) => {
      const { query } = request;
      const active = await activeCarrierData(database.of(clientIdOf(request)));
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      return readPage(query, {
        cursors: carrierServiceCodeCursors,
        read: async (after) =>
          (active?.data.services ?? [])
            .filter((carrierService) => isOffered(carrierService, today) && isAsked(carrierService, query))
            .filter(({ code }) => after === undefined || code > after.code)
            .sort((left, right) => (left.code < right.code ? -1 : 1)),
        placeOf: ({ code }) => ({ code }),
        itemOf: recordOf,
      });
    },
  );
}

/** @param today `YYYY-MM-DD` */
function isOffered({ activeFrom, activeTo }: CarrierService, today: string): boolean {
  return (activeFrom === undefined || activeFrom <= today) && (activeTo === undefined || today <= activeTo);
}

function isAsked(
  { carrierCode, countries, serviceLevel }: CarrierService,
  filter: Pick<CarrierServiceCodeListQuery, "carrierCode" | "country" | "serviceLevel">,
): boolean {
  return (
    (filter.carrierCode === undefined || filter.carrierCode === carrierCode) &&
    (filter.country === undefined || countries === undefined || countries.includes(filter.country)) &&
    (filter.serviceLevel === undefined || filter.serviceLevel === serviceLevel)
  );
}

function recordOf(service: CarrierService): CarrierServiceCode {
  const { trackable = true, countries = null, maxWeightKg = null } = service;
  return { ...service, trackable, countries, maxWeightKg };
}

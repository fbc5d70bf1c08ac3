import { clientIdOf } from "#/http/access/bearer.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { activeCarrierData } from "#/modules/carriers/data/carrier-data.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";
import {
  type CarrierServiceCode,
  type CarrierServiceCodeListQuery,
  carrierServiceCodeCursors,
  carrierServiceCodeListQuery,
  carrierServiceCodePage,
} from "#/modules/carriers/rest-contract.ts";

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

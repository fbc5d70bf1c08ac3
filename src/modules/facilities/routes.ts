import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import * as repository from "#/modules/facilities/repository.ts";
import {
  facility,
  facilityCursors,
  facilityListQuery,
  facilityPage,
  facilityPath,
  facilityQuery,
} from "#/modules/facilities/rest-contract.ts";

/**
 * Routes of the Facility service (contract rest.md §3): only the facilities that are open to the client exist for it.
 */
export function addFacilityRoutes(service: HttpServer, { database }: Pick<ServiceContext, "database">): void {
  service.get(
    "/facility/list",
    {
      schema: {
        operationId: "listFacilities",
        summary: "The facilities of the client, in routing order",
        description:
          "The order in which orders without a distributionCentre are routed, the first facility first. If the operator changes that order between two pages, a facility may be missing or be listed twice.",
        querystring: facilityListQuery,
        response: { 200: facilityPage },
      } as const,
    },
    async (request) =>
      readPage(request.query, {
        cursors: facilityCursors,
        read: (after, limit) =>
          repository.listOpenFacilities(database.of(clientIdOf(request)), after?.position ?? 0, limit),
        placeOf: ({ position }) => ({ position }),
      }),
  );

  service.get(
    "/facility/get/:facilityCode",
    {
      schema: {
        operationId: "getFacility",
        summary: "One facility",
        params: facilityPath,
        querystring: facilityQuery,
        response: { 200: facility },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const found = await repository.findOpenRecord(database.of(clientIdOf(request)), request.params.facilityCode);
      if (!found) return refused(problem("not-found", "The client has no facility with this facilityCode."));
      return reply.header("ETag", entityTag(found.version)).send(found);
    },
  );
}

import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import * as repository from "#/modules/facilities/repository.ts";
import {
  type FacilityRecord,
  facility,
  facilityCursors,
  facilityListQuery,
  facilityPage,
  facilityPath,
  facilityQuery,
} from "#/modules/facilities/rest-contract.ts";
import { type Facility, facilityOf } from "#/modules/facilities/service.ts";

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
    async (request) => {
      const { cursor, limit = pageLimitDefault } = request.query;
      const after = placeOf(facilityCursors, cursor);
      if (!after.ok) return after;
      const place = after.value?.position ?? 0;
      // One row more than requested shows whether there is a next page.
      const rows = await repository.listOpenFacilities(database.of(clientIdOf(request)), place, limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: page.map((row) => facilityRecord(facilityOf(row))),
        nextCursor:
          last === undefined || rows.length === page.length
            ? null
            : facilityCursors.encode({ position: last.position }),
      };
    },
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
      const row = await repository.findOpenFacility(database.of(clientIdOf(request)), request.params.facilityCode);
      if (!row) return refused(problem("not-found", "The client has no facility with this facilityCode."));
      return reply.header("ETag", entityTag(row.version)).send(facilityRecord(facilityOf(row)));
    },
  );
}

function facilityRecord({ facilityCode, name, country, timezone, settings, version }: Facility): FacilityRecord {
  const { companyName, address1, address2, city, zip, state, phone, email } = settings;
  return {
    facilityCode,
    name,
    address: { companyName, address1, address2, city, zip, state, country, phone, email },
    timezone,
    cutOffTime: settings.cutOffTime,
    operatingDays: [...settings.operatingDays],
    holidays: settings.holidays.map(({ date, name: title }) => ({ date, name: title })),
    capabilities: [...settings.capabilities],
    status: settings.status,
    version,
  };
}

import type { OperatorContext } from "#/console-api/context.ts";
import { expectedList, expectedQuery, waiterCursor, waiterPage, waiterQuery } from "#/console-api/stock/contract.ts";
import { listExpected, listWaiting } from "#/console-api/stock/demand.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";

const expectedMax = 1_000;

/** Who waits for a product, and when it comes (contract rest.md §3, operator). */
export function addDemandRoutes(service: HttpServer, { database }: OperatorContext): void {
  service.get(
    "/stock/waiting",
    {
      schema: {
        operationId: "listWaitingForProduct",
        summary: "Lines of orders and components of work orders that wait for a product",
        description: "By facility, in the order in which they get stock: by priority, then by acceptance.",
        querystring: waiterQuery,
        response: { 200: waiterPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const { sku } = request.query;
      const { facilityCodes } = scopeOf(request);
      return readPage(request.query, {
        cursors: waiterCursor,
        read: (after, limit) => listWaiting(database.of(clientIdOf(request)), { sku, facilityCodes, after, limit }),
        placeOf: ({ distributionCentre: facilityCode, waitingSince: at, ...place }) => ({ ...place, facilityCode, at }),
      });
    },
  );

  service.get(
    "/stock/expected",
    {
      schema: {
        operationId: "listExpectedOfProduct",
        summary: "Lines of open purchase orders that still bring a product",
        description: "Transfers on their way are among them. The first to come first, those without a day last.",
        querystring: expectedQuery,
        response: { 200: expectedList },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { sku } = request.query;
      const { facilityCodes } = scopeOf(request);
      const client = database.of(clientIdOf(request));
      return { items: await listExpected(client, { sku, facilityCodes, limit: expectedMax }) };
    },
  );
}

import type { OperatorContext } from "#/console-api/context.ts";
import { foundList, searchQuery } from "#/console-api/search/contract.ts";
import { search } from "#/console-api/search/search.ts";
import { scopeOf } from "#/http/access/operator.ts";
import type { HttpServer } from "#/http/server/server.ts";

export function addSearchRoutes(service: HttpServer, { across }: OperatorContext): void {
  service.get(
    "/search",
    {
      schema: {
        operationId: "search",
        summary: "Find objects by token, number or the beginning of a name",
        description:
          "Over all clients: feed tokens, deliveries, outbound documents, orders and their references, parcels by SSCC or tracking number, items by SKU or barcode, lots by batch, units by serial number, purchase orders, returns, work orders, clients and facilities.",
        querystring: searchQuery,
        response: { 200: foundList },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => ({ items: await search(across, scopeOf(request), request.query.text) }),
  );
}

import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import {
  ownRequestListQuery,
  ownRequestQuery,
  requestPage,
  requestPath,
  requestRecord,
} from "#/http/request-log/contract.ts";
import { readRequest, readRequests } from "#/http/request-log/reading.ts";
import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import type { Database } from "#/store/db/database.ts";

/**
 * The request log as its sender reads it (contract operations.md §5): a client, or the warehouse of a facility, whose
 * tenant `clientIdOf` is.
 */
export function addOwnRequestRoutes(
  service: HttpServer,
  { database }: { readonly database: Database },
  owner: "client" | "facility" = "client",
): void {
  service.get(
    "/request/list",
    {
      schema: {
        operationId: "listRequests",
        summary: "Your own requests over HTTP, the newest first",
        description:
          "REST requests and feeds, each a second after its answer; what is polled every second only where it failed. The operator may limit the log. With a filter other than `failed` or a token, a request reads a bounded number of rows: a page may be short before the end; continue until `nextCursor` is null.",
        querystring: ownRequestListQuery[owner],
        response: { 200: requestPage },
      } as const,
      // Reading the log does not fill it.
      config: { isPolled: true } satisfies PolledRoute,
    },
    async (request) => {
      const page = await readRequests(database.of(clientIdOf(request)), request.query);
      return page;
    },
  );

  service.get(
    "/request/get/:requestId",
    {
      schema: {
        operationId: "getRequest",
        summary: "One of your own requests with its problem",
        params: requestPath,
        querystring: ownRequestQuery[owner],
        response: { 200: requestRecord },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const found = await readRequest(database.of(clientIdOf(request)), request.params.requestId);
      return found;
    },
  );
}

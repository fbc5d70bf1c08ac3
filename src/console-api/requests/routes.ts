import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { requestListParameters, requestPage, requestPath, requestRecordFields } from "#/http/request-log/contract.ts";
import { readRequest, readRequests, withDashes } from "#/http/request-log/reading.ts";
import { findBody } from "#/http/request-log/repository.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { findDocument } from "#/intake/feeds/repository.ts";
import { refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

const clientId = identifier(
  "The client that sent the requests, or `facility:DC1` for the warehouse of a facility.",
  "ACME",
);

const requestListQuery = Type.Object({ ...requestListParameters, clientId }, closed);

const requestQuery = Type.Object({ clientId }, closed);

const requestRecord = Type.Object(
  {
    ...requestRecordFields,
    clientId: Type.String({ description: "The client, or `facility:DC1`.", examples: ["ACME"] }),
    isDocumentStored: Type.Boolean({
      description: "Whether the feed log has a document of this token.",
      examples: [false],
    }),
  },
  { ...closed, title: "LoggedRequestRecord", description: "A request over HTTP, with its problem." },
);

const requestBody = Type.Object(
  {
    text: Type.String({ description: "The body, at most its first 16 384 characters.", examples: ['{"reason":""}'] }),
    bytes: Type.Integer({ description: "Size of the whole body.", examples: [13] }),
  },
  { ...closed, title: "LoggedRequestBody", description: "The body of a failed request." },
);

const bodyNotFound = problem(
  "not-found",
  "No body is stored: only failed requests have one, and only where the setting requestLogBodies of the client is true.",
);
/** The request log of a client (contract operations.md §5). Facilities do not divide it, so it needs a user of all. */
export function addRequestRoutes(service: HttpServer, { across }: OperatorContext): void {
  service.get(
    "/request/list",
    {
      schema: {
        operationId: "listRequests",
        summary: "Requests of a client or of a warehouse over HTTP, the newest first",
        description:
          "REST requests and feeds, as far as `CROSSDOCK_REQUEST_LOG` has them logged. With a filter other than `failed` or a token, a request reads a bounded number of rows: a page may be short before the end; continue until `nextCursor` is null.",
        querystring: requestListQuery,
        response: { 200: requestPage },
      } as const,
      config: { takesFacility: true },
    },
    async (request) => {
      const { clientId, ...query } = request.query;
      const page = await readRequests(across.of(clientId), query);
      return page;
    },
  );

  service.get(
    "/request/get/:requestId",
    {
      schema: {
        operationId: "getRequest",
        summary: "A request of a client with its problem",
        params: requestPath,
        querystring: requestQuery,
        response: { 200: requestRecord },
      } as const,
      config: { ...answers(404), takesFacility: true },
    },
    async (request) => {
      const { clientId } = request.query;
      const view = across.of(clientId);
      const found = await readRequest(view, request.params.requestId);
      if (!found.ok) return found;
      const { requestId, feedType } = found.value;
      const document = feedType === null ? undefined : await findDocument(view, requestId);
      return { ...found.value, clientId, isDocumentStored: document !== undefined };
    },
  );

  service.get(
    "/request/body/:requestId",
    {
      schema: {
        operationId: "readRequestBody",
        summary: "The body of a failed request",
        description: "Stored where the setting `requestLogBodies` of the client is true, and shown to operators only.",
        params: requestPath,
        querystring: requestQuery,
        response: { 200: requestBody },
      } as const,
      config: { ...answers(403, 404), role: "operator" as const, takesFacility: true },
    },
    async (request) => {
      const requestId = withDashes(request.params.requestId);
      const found = isUuidV7(requestId) ? await findBody(across.of(request.query.clientId), requestId) : undefined;
      return found ? { text: found.body, bytes: found.body_bytes } : refused(bodyNotFound);
    },
  );
}

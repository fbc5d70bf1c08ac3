import type { OperatorContext } from "#/console-api/context.ts";
import {
  type RequestRecord,
  type RequestSummary,
  requestBody,
  requestCursor,
  requestListQuery,
  requestPage,
  requestPath,
  requestQuery,
  requestRecord,
} from "#/console-api/requests/contract.ts";
import { findDocument } from "#/feeds/repository.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem, sendProblem } from "#/http/problems/problem.ts";
import { isProblemCode, problemKinds } from "#/http/problems/problem-codes.ts";
import {
  findBody,
  findReach,
  findRequest,
  type LoggedRequest,
  listRequests,
  type RequestPage,
} from "#/http/request-log/repository.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { lookThrough } from "#/http/requests/looked-through.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";

const firstId = idBoundary(0);
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const requestNotFound = problem(
  "not-found",
  "The client has no request with this token. The log has the requests of some two to six weeks.",
);
const bodyNotFound = problem(
  "not-found",
  "No body is stored: only failed requests have one, and only where the setting requestLogBodies of the client is true.",
);
const strangeCursor = invalidRequest([{ pointer: "/query/cursor", message: "is not a nextCursor of this list" }]);

/** The request log of a client (contract operations.md §5). Facilities do not divide it, so it needs a user of all. */
export function addRequestRoutes(service: HttpServer, { across }: OperatorContext): void {
  service.get(
    "/request/list",
    {
      schema: {
        operationId: "listRequests",
        summary: "Requests of a client over HTTP, the newest first",
        description:
          "REST requests and feeds, as far as `CROSSDOCK_REQUEST_LOG` has them logged. With a filter other than `failed` or a token, a request reads a bounded number of rows: a page may be short before the end; continue until `nextCursor` is null.",
        querystring: requestListQuery,
        response: { 200: requestPage },
      } as const,
    },
    async (request, reply) => {
      const { clientId, result, method, path, token, from, to, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(requestCursor, cursor);
      if (!place.ok) return sendProblem(reply, place.fault);
      if (place.value && !isUuidV7(place.value.id)) return sendProblem(reply, strangeCursor);
      if (token !== undefined) {
        const requestId = withDashes(token);
        const row = isUuidV7(requestId) ? await findRequest(across, clientId, requestId) : undefined;
        return { items: row ? [summaryOf(row)] : [], nextCursor: null };
      }
      const filter = {
        isFailed: result === "failed",
        statusClass: result === undefined || result === "failed" ? undefined : Number(result[0]),
        method,
        path,
      };
      const end = to === undefined ? lastId : boundaryOf(to);
      const start = from === undefined ? firstId : boundaryOf(from);
      const pageAfter = (after: string | undefined, reach?: string): RequestPage => ({
        filter,
        from: reach ?? start,
        before: after !== undefined && after < end ? after : end,
      });
      const isIndexed = (filter.statusClass ?? method ?? path) === undefined;
      const { rows, reach } = await lookThrough<LoggedRequest, string>({
        after: place.value?.id,
        limit,
        placeOf: (row) => row.request_id,
        list: (after, last, most) => listRequests(across, clientId, pageAfter(after, last), most),
        findReach: isIndexed ? undefined : (after, looked) => findReach(across, clientId, pageAfter(after), looked),
      });
      return {
        items: rows.map(summaryOf),
        nextCursor: reach === undefined ? null : requestCursor.encode({ id: reach }),
      };
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
      config: answers(404),
    },
    async (request, reply) => {
      const { clientId } = request.query;
      const requestId = withDashes(request.params.requestId);
      const row = isUuidV7(requestId) ? await findRequest(across, clientId, requestId) : undefined;
      if (!row) return sendProblem(reply, requestNotFound);
      const document = row.feed_type === null ? undefined : await findDocument(across, clientId, requestId);
      return recordOf(clientId, row, document !== undefined);
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
      config: { ...answers(403, 404), role: "operator" as const },
    },
    async (request, reply) => {
      const requestId = withDashes(request.params.requestId);
      const found = isUuidV7(requestId) ? await findBody(across, request.query.clientId, requestId) : undefined;
      return found ? { text: found.body, bytes: found.body_bytes } : sendProblem(reply, bodyNotFound);
    },
  );
}

const boundaryOf = (moment: string) => idBoundary(Date.parse(readDateTime(moment) ?? moment));

/** A correlation token; a trace id is one without its dashes. */
function withDashes(token: string): string {
  const digits = token.replaceAll("-", "").toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Undefined for a code of feeds. */
const kindOf = (code: string | null) => (code !== null && isProblemCode(code) ? problemKinds[code] : undefined);

function summaryOf(row: LoggedRequest): RequestSummary {
  return {
    requestId: row.request_id,
    at: new Date(timeOfId(row.request_id)).toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    isFailed: row.is_failed,
    outcome: row.outcome,
    problemCode: row.problem_code,
    problemTitle: kindOf(row.problem_code)?.title ?? null,
    durationMs: row.duration_ms,
  };
}

function recordOf(clientId: string, row: LoggedRequest, isDocumentStored: boolean): RequestRecord {
  return {
    ...summaryOf(row),
    clientId,
    route: row.route,
    query: row.query,
    credentialId: row.credential_id,
    address: row.address,
    objectId: row.object_id,
    feedType: row.feed_type,
    problemCure: kindOf(row.problem_code)?.cure ?? null,
    problemDetail: row.problem_detail,
    errors: [...(row.faults ?? [])],
    bodyBytes: row.body_bytes,
    isDocumentStored,
  };
}

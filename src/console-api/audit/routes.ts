import { findReachOfAudit, listAuditOfAll } from "#/console-api/audit/audit.cross-client.ts";
import { auditCursors, auditPage, auditQuery, type StoredAudit } from "#/console-api/audit/contract.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { readPageById } from "#/console-api/id-order.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { partsOf } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { idBoundary, timeOfId } from "#/kernel/values/ids.ts";

/** The audit log: author, action, object, time and origin (contract operations.md §5). */
export function addAuditRoutes(service: HttpServer, { across }: OperatorContext): void {
  service.get(
    "/audit/list",
    {
      schema: {
        operationId: "listAudit",
        summary: "Actions on objects and their actors, the newest first unless sorted another way",
        querystring: auditQuery,
        response: { 200: auditPage },
      } as const,
    },
    (request) => {
      const { actor, action, objectType, objectId, from, to } = request.query;
      const end = to === undefined ? undefined : boundaryOf(to);
      const start = from === undefined ? undefined : boundaryOf(from);
      const isFiltered = (actor ?? action ?? objectType) !== undefined;
      const { clientIds: requestedClients } = scopeOf(request);
      return readPageById(request.query, auditCursors, {
        // An index finds lines about one object.
        parts: objectId === undefined ? partsOf(requestedClients) : [requestedClients],
        searchOf(clientIds) {
          const filter = { clientIds, actor, action, objectType, objectId };
          const isIndexed = objectId !== undefined || ((clientIds?.length ?? 1) === 1 && !isFiltered);
          return {
            start,
            end,
            idOf: ({ auditId }: StoredAudit) => auditId,
            list: (range, most) => listAuditOfAll(across, { ...filter, ...range, limit: most }),
            findReach: isIndexed
              ? undefined
              : (range, looked) => findReachOfAudit(across, { clientIds, ...range }, looked),
          };
        },
        itemOf: (row) => ({ ...row, at: new Date(timeOfId(row.auditId)).toISOString() }),
      });
    },
  );
}

const boundaryOf = (moment: string) => idBoundary(Date.parse(readDateTime(moment) ?? moment));

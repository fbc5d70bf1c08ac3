import type { OperatorContext } from "#/console-api/context.ts";
import { readPageById } from "#/console-api/id-order.ts";
import {
  documentPath,
  type OutboundRecord,
  ofClientQuery,
  outboundCursors,
  outboundDocumentPage,
  outboundDocumentWithXml,
  outboundListQuery,
  type StoredDocument,
  waitingClients,
  waitingQuery,
} from "#/console-api/outbound/contract.ts";
import { findDocument, listPushesOf } from "#/console-api/outbound/document-repository.ts";
import {
  findReachOfDocuments,
  listDocumentsOfAll,
  listWaitingOfAll,
} from "#/console-api/outbound/outbound.cross-client.ts";
import { documentRecord, overdueMs } from "#/console-api/outbound/record.ts";
import { listAttempts } from "#/delivery/webhooks/index.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { partsOf } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { Tx } from "#/store/db/database.ts";

const attemptsMax = 1_000;
/** Of a client and a delivery method. */
const waitingMax = 1_000;

const noDocument = problem("not-found", "The client has no such outbound document, or it is no longer stored.");

/** Outbound documents over clients: their delivery state, their XML, and resending (outbound.md, Delivery). */
export function addDocumentRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across, clock, outbound, ids } = context;

  service.get(
    "/outbound/list",
    {
      schema: {
        operationId: "listOutboundDocuments",
        summary: "Outbound documents of all clients, the newest first unless sorted another way",
        description: "Those of the last 90 days, with each delivery method of a document.",
        querystring: outboundListQuery,
        response: { 200: outboundDocumentPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const { type, waiting, objectId } = request.query;
      const nowMs = clock.now();
      const overdue = idBoundary(nowMs - overdueMs);
      // Ids contain the time: an overdue document has an id before that moment.
      const end = waiting === "overdue" ? overdue : undefined;
      const { clientIds: requestedClients, facilityCodes } = scopeOf(request);
      const isWaiting = waiting !== undefined;
      const isApart = objectId === undefined && !isWaiting;
      return readPageById(request.query, outboundCursors, {
        parts: isApart ? partsOf(requestedClients) : [requestedClients],
        searchOf(clientIds) {
          const filter = { clientIds, facilityCodes, type, objectId, isWaiting };
          const isOfSome = clientIds !== null && !(isApart && clientIds.length === 1);
          // An index finds documents about one object.
          const isIndexed = objectId !== undefined || (!isOfSome && (type ?? facilityCodes ?? undefined) === undefined);
          return {
            end,
            idOf: ({ documentId }: StoredDocument) => documentId,
            list: (range, most) => listDocumentsOfAll(across, { ...filter, ...range, limit: most }),
            findReach: isIndexed
              ? undefined
              : (range, looked) => findReachOfDocuments(across, { ...filter, ...range }, looked),
          };
        },
        itemsOf: (rows) => documentRecords(across, rows, nowMs),
      });
    },
  );

  service.get(
    "/outbound/waiting",
    {
      schema: {
        operationId: "listWaitingClients",
        summary: "Clients with outbound documents that wait to be fetched or collected, the oldest first",
        querystring: waitingQuery,
        response: { 200: waitingClients },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const rows = await listWaitingOfAll(across, scopeOf(request), waitingMax);
      const overdue = clock.now() - overdueMs;
      return {
        items: rows
          .toSorted((left, right) => (left.oldestId < right.oldestId ? -1 : 1))
          .map(({ oldestId, ...row }) => ({
            ...row,
            oldestAt: new Date(timeOfId(oldestId)).toISOString(),
            isOverdue: timeOfId(oldestId) < overdue,
          })),
      };
    },
  );

  service.get(
    "/outbound/document/:documentId",
    {
      schema: {
        operationId: "getOutboundDocument",
        summary: "One outbound document with its XML, and the attempts of its pushes",
        params: documentPath,
        querystring: ofClientQuery,
        response: { 200: outboundDocumentWithXml },
      } as const,
      config: { ...answers(404), role: "operator", partition: "outboundDocument" },
    },
    async (request) => {
      const { clientId } = request.query;
      const view = database.of(clientId);
      const documentId = request.params.documentId.toLowerCase();
      const found = isUuidV7(documentId) ? await findDocument(view, documentId) : undefined;
      if (!found) return refused(noDocument);
      const { payload, ...document } = found;
      const pushes = await listPushesOf(view, [documentId]);
      const attempts = await Promise.all(
        pushes.map(async ({ deliveryId }) =>
          (await listAttempts(view, deliveryId, attemptsMax)).map((attempt) => ({ deliveryId, ...attempt })),
        ),
      );
      return {
        ...documentRecord(document, pushes, clock.now()),
        xml: payload.toString("utf8"),
        exchanges: attempts.flat(),
      };
    },
  );

  service.post(
    "/outbound/resend/:documentId",
    {
      schema: {
        operationId: "resendOutboundDocument",
        summary: "Send a document again, by the delivery methods that its type has now",
        description: "It can be fetched and collected again, and is pushed again, with the same messageId.",
        params: documentPath,
        querystring: ofClientQuery,
        headers: createHeaders,
        response: { 200: outboundDocumentWithXml },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, partition: "outboundDocument" },
    },
    async (request, reply) => {
      const documentId = request.params.documentId.toLowerCase();
      return answerWrite(context, request, reply, async (tx) => {
        const found = isUuidV7(documentId) ? await findDocument(tx, documentId) : undefined;
        if (!found) return refused(noDocument);
        await outbound.resend(tx.with({ ...tx.change, ids }), documentId);
        recordAudit(tx, {
          action: "resend",
          objectType: "outboundDocument",
          objectId: documentId,
          detail: { type: found.type, objectId: found.objectId },
        });
        const [sent, pushes] = await Promise.all([findDocument(tx, documentId), listPushesOf(tx, [documentId])]);
        const { payload, ...document } = sent ?? found;
        const record = documentRecord(document, pushes, clock.now());
        return answered({ ...record, xml: payload.toString("utf8"), exchanges: [] });
      });
    },
  );
}

/** Adds the pushes of the documents, which are read client by client. */
async function documentRecords(tx: Tx, rows: readonly StoredDocument[], nowMs: number): Promise<OutboundRecord[]> {
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId);
  const pushes = await Promise.all(
    [...byClient].map(([clientId, ofClient]) =>
      listPushesOf(
        tx.of(clientId),
        ofClient.map(({ documentId }) => documentId),
      ),
    ),
  );
  const byDocument = Map.groupBy(pushes.flat(), ({ documentId }) => documentId);
  return rows.map((row) => documentRecord(row, byDocument.get(row.documentId) ?? [], nowMs));
}
